import Diffable

/// The laws of what was decoded.
func check(_ outline: Outline<Int>) {
  checkSameAfterCoding(outline)
  var snapshot = Snapshot<String, Int>()
  snapshot.appendSections(["A"])
  expectResult("an outline without duplicates fits into an empty section") {
    try snapshot.setOutline(outline, forSection: "A")
    try snapshot.validate()
  }
  var expanded = outline
  expanded.expand(outline.items)
  expect(expanded.visibleItems == outline.items, "everything shows where everything is expanded")
  _ = expanded.description
}

func check(_ snapshot: Snapshot<String, Int>) {
  let copy = coded(snapshot)
  expect(copy == snapshot, "\(snapshot) is the same after coding")
  expect(copy.reloadedItemIdentifiers == snapshot.reloadedItemIdentifiers, "reloads are kept")
  expect(
    copy.reconfiguredSectionIdentifiers == snapshot.reconfiguredSectionIdentifiers, "marks are kept"
  )
  guard (try? snapshot.validate()) != nil else { return }
  checkDifference(from: Snapshot(), to: snapshot)
  checkDifference(from: snapshot, to: Snapshot())
}

func check(_ difference: SnapshotDifference) {
  checkSameAfterCoding(difference)
  expect(difference.inverse.inverse == difference, "the inverse of the inverse is \(difference)")
  expect(difference.changeCount >= 0 && !difference.description.isEmpty, "it can be counted")
  expect(difference.isEmpty == (difference.changeCount == 0), "what is empty has no change")
}

func check(_ batch: UpdateBatch<String, Int>) {
  _ = batch.description
  guard let previous = batch.previousSnapshot else {
    return checkStages(of: batch, from: Snapshot())
  }
  check(batch.difference)
  checkReplay(batch.difference, from: previous, to: batch.snapshot)
  checkReplay(batch.difference.inverse, from: batch.snapshot, to: previous)
  checkDifference(from: previous, to: batch.snapshot)
  checkStages(of: batch, from: previous)
}

func check(_ batch: ModelBatch<Header, Row>) {
  let (order, previous) = (batch.update.snapshot, batch.update.previousSnapshot)
  // Who keeps models by themselves and follows the batch has those of the batch.
  var models: [Int: Row] = [:]
  var headers: [Header: Int] = [:]
  for item in previous?.itemIdentifiers ?? [] { models[item] = batch.previousModel(for: item) }
  expect(models.count == previous?.numberOfItems ?? 0, "every item had a model")
  for item in batch.removedItems { models[item] = nil }
  models.merge(batch.models) { _, new in new }
  for item in order.itemIdentifiers {
    expect(models[item] == batch.model(for: item), "the batch lists the model of \(item)")
  }
  for section in batch.removedSectionModels { headers[section] = nil }
  headers.merge(batch.sectionModels) { _, new in new }
  for (section, header) in headers {
    expect(batch.sectionModel(for: section) == header, "the batch lists the model of \(section)")
  }
}

/// What a program makes of a batch whose difference it has changed: a replay or a typed error, and
/// stages that end on the snapshot.
func check(_ batch: HandmadeBatch) {
  check(batch.difference)
  _ = try? batch.previousSnapshot.applying(batch.difference.value, insertsFrom: batch.snapshot)
  guard (try? batch.previousSnapshot.validate()) != nil, (try? batch.snapshot.validate()) != nil
  else { return }
  var update = UpdateBatch<String, Int>(
    epoch: Epoch(), base: Revision(1), target: Revision(2), difference: batch.difference.value,
    previousSnapshot: batch.previousSnapshot, snapshot: batch.snapshot, presentation: .animated)
  for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
    if let last = update.stages(for: profile).last {
      _ = last.snapshot.numberOfItems
    }
  }
  update.base = nil
  checkStages(of: update, from: batch.previousSnapshot)
}

func check(_ difference: HandmadeDifference) {
  let value = difference.value
  expect(value.changeCount >= 0 && !value.description.isEmpty, "it can be counted")
  expect(value.inverse.inverse.changeCount >= 0, "it can be turned round")
}

private func checkDifference(from old: Snapshot<String, Int>, to new: Snapshot<String, Int>) {
  let difference = expectResult("valid snapshots have a difference") {
    try new.difference(from: old)
  }
  check(difference)
  checkReplay(difference, from: old, to: new)
  checkReplay(difference.inverse, from: new, to: old)
}

private func checkReplay(
  _ difference: SnapshotDifference, from old: Snapshot<String, Int>, to new: Snapshot<String, Int>
) {
  let replayed = expectResult("\(difference) leads from \(old) to \(new)") {
    try old.applying(difference, insertsFrom: new)
  }
  expect(replayed == new, "\(difference) leads from \(old) to \(new), not to \(replayed)")
}

/// Stages chain, and end on the snapshot.
private func checkStages(
  of batch: UpdateBatch<String, Int>, from start: Snapshot<String, Int>
) {
  for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
    var state = start
    for stage in batch.stages(for: profile) {
      if !stage.isReset { checkReplay(stage.difference, from: state, to: stage.snapshot) }
      state = stage.snapshot
    }
    expect(state == batch.snapshot, "the stages of \(batch) end on its snapshot")
  }
}
