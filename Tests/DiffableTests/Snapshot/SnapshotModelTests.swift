import Diffable
import DiffableTesting
import Testing
import TestScope

@Suite("A snapshot answers like arrays of arrays, whatever was done to it")
struct SnapshotModelTests {
  typealias Edit = SnapshotEdit<Int, Int>

  @Test("every question after every edit", arguments: 0..<scoped(usual: 8, wide: 24 as UInt64))
  func scripts(seed: UInt64) throws {
    for script in 0..<rounds(3 as UInt64) {
      let seed = seed &* 1_000 &+ script
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      var snapshot = Snapshot<Int, Int>()
      var model = SnapshotModel()
      var edits: [Edit] = []
      for _ in 0..<60 {
        edits.append(generator.anyEdit(of: snapshot, makesOutlines: false))
        let difference =
          perform(edits[edits.count - 1], on: &snapshot, &model)
          ?? firstDifference(snapshot, model)
        if let difference {
          Issue.record("seed \(seed): \(difference)\n\(EditScript(edits))")
          return
        }
      }
    }
  }

  @Test(
    "sections of hundreds of items, where storage has depth",
    arguments: 0..<scoped(usual: 2, wide: 4 as UInt64))
  func large(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var snapshot = Snapshot<Int, Int>()
    var model = SnapshotModel()
    // Copies that are kept while the original is edited.
    var versions: [(Snapshot<Int, Int>, SnapshotModel)] = []
    for step in 0..<rounds(80, least: 30) {
      if step.isMultiple(of: 5) { versions.append((snapshot, model)) }
      var edit = generator.edit(of: snapshot)
      if step.isMultiple(of: 3), let anchor = generator.random.element(of: model.items) {
        let new = (0..<150).map { _ in generator.newItem() }
        edit = step.isMultiple(of: 2) ? .insertItemsAfter(new, anchor) : .appendItems(new, nil)
      }
      let sample = generator.random.sample(model.items, oneIn: 40)
      let difference =
        perform(edit, on: &snapshot, &model) ?? firstDifference(snapshot, model, items: sample)
      if let difference {
        Issue.record("seed \(seed), step \(step), \(edit): \(difference)")
        return
      }
    }
    for (number, (snapshot, model)) in versions.enumerated() {
      let difference = firstDifference(snapshot, model, items: model.items.prefix(5))
      #expect(difference == nil, "seed \(seed), version \(number)")
    }
  }

  /// Nothing checks identifiers while a snapshot is edited: the first place of a name is meant.
  @Test(
    "lists of one leaf and of many that have identifiers several times",
    arguments: 0..<UInt64(rounds(80, least: 10)), [false, true])
  func repeated(seed: UInt64, haveItems: Bool) {
    var random = SplitMix64(seed: seed)
    var snapshot = Snapshot<Int, Int>()
    var model = SnapshotModel()
    func edit(_ edit: Edit) {
      let fault = perform(edit, on: &snapshot, &model)
      #expect(fault == nil, "seed \(seed)")
      #expect(snapshot.sectionIdentifiers == model.sections.map(\.id), "seed \(seed), \(edit)")
      // The sections of items are different ones.
      for section in haveItems ? model.sections : [] {
        let items = snapshot.itemIdentifiers(inSection: section.id)
        #expect(items == section.items, "seed \(seed), \(edit)")
      }
    }
    if haveItems { edit(.appendSections([0, 1])) }
    while (haveItems ? model.items : model.sections.map(\.id)).count < 40 + 30 * Int(seed % 10) {
      let new = random.sample(Array(0..<60), oneIn: 20)
      let other = random.element(of: haveItems ? model.items : model.sections.map(\.id))
      if let other, random.chance(oneIn: 2) {
        edit(haveItems ? .insertItemsBefore(new, other) : .insertSectionsBefore(new, other))
      } else {
        edit(haveItems ? .appendItems(new, random.number(below: 2)) : .appendSections(new))
      }
    }
    for _ in 0..<12 {
      let id = random.number(below: 60)
      #expect(snapshot.indexOfSection(id) == model.index(of: id), "seed \(seed)")
      #expect(snapshot.itemPath(for: id) == model.path(of: id), "seed \(seed)")
      edit(haveItems ? .deleteItems([id]) : .deleteSections([id]))
    }
  }

  /// Edits both; answers what is wrong about the error, or about the value after an error.
  private func perform(
    _ edit: Edit, on snapshot: inout Snapshot<Int, Int>, _ model: inout SnapshotModel
  ) -> String? {
    let expected = model.apply(edit)
    let before = snapshot
    do throws(SnapshotError) {
      try edit.apply(to: &snapshot)
      return expected.map { "\(edit) should throw \($0)" }
    } catch {
      guard error.code == expected else { return "\(edit) throws \(error)" }
      guard snapshot == before, "\(snapshot)" == "\(before)" else {
        return "\(edit) throws, but changes \(before) to \(snapshot)"
      }
      return nil
    }
  }

  private func firstDifference(
    _ snapshot: Snapshot<Int, Int>, _ model: SnapshotModel, items: some Sequence<Int>
  ) -> String? {
    wholeDifference(snapshot, model)
      ?? model.sections.indices.lazy.compactMap { sectionDifference(snapshot, model, at: $0) }.first
      ?? items.lazy.compactMap { itemDifference(snapshot, model, of: $0) }.first
      ?? strangerDifference(snapshot, model)
  }

  private func firstDifference(_ snapshot: Snapshot<Int, Int>, _ model: SnapshotModel) -> String? {
    firstDifference(snapshot, model, items: model.items)
  }

  private func first(_ differences: [String?]) -> String? {
    differences.lazy.compactMap(\.self).first
  }

  private func differs<Value: Equatable>(
    _ name: String, _ answer: Value, _ expected: Value
  ) -> String? {
    answer == expected ? nil : "\(name) is \(answer), not \(expected)"
  }

  private func wholeDifference(_ snapshot: Snapshot<Int, Int>, _ model: SnapshotModel) -> String? {
    let copy = rebuilt(model)
    return first([
      differs("numberOfSections", snapshot.numberOfSections, model.sections.count),
      differs("numberOfItems", snapshot.numberOfItems, model.items.count),
      differs("sectionIdentifiers", snapshot.sectionIdentifiers, model.sections.map(\.id)),
      differs("itemIdentifiers", snapshot.itemIdentifiers, model.items),
      differs("reloaded items", snapshot.reloadedItemIdentifiers, model.reloadedItems),
      differs("reconfigured", snapshot.reconfiguredItemIdentifiers, model.reconfiguredItems),
      differs("reloaded sections", snapshot.reloadedSectionIdentifiers, model.reloadedSections),
      differs(
        "reconfigured sections", snapshot.reconfiguredSectionIdentifiers,
        model.reconfiguredSections),
      differs("equality", snapshot == copy, true),
      differs("validity", (try? snapshot.validate()) != nil, true),
    ])
  }

  private func sectionDifference(
    _ snapshot: Snapshot<Int, Int>, _ model: SnapshotModel, at index: Int
  ) -> String? {
    let section = model.sections[index]
    let items = snapshot.items(inSection: section.id)
    return first([
      differs("sectionIdentifier(at:)", snapshot.sectionIdentifier(at: index), section.id),
      differs("indexOfSection", snapshot.indexOfSection(section.id), index),
      differs("containsSection", snapshot.containsSection(section.id), true),
      differs(
        "count in section", snapshot.numberOfItems(inSection: section.id), section.items.count),
      differs(
        "items in section", snapshot.itemIdentifiers(inSection: section.id), section.items),
      differs("items(inSection:)", Array(items), section.items),
      differs("its count", items.count, section.items.count),
      differs("backwards", Array(items.reversed()), section.items.reversed()),
      differs(
        "behind the end",
        snapshot.itemIdentifier(for: ItemPath(section: index, item: section.items.count)), nil),
    ])
  }

  private func itemDifference(
    _ snapshot: Snapshot<Int, Int>, _ model: SnapshotModel, of item: Int
  ) -> String? {
    // The sample may have been deleted by the edit.
    guard let path = model.path(of: item) else {
      return differs("contains deleted \(item)", snapshot.containsItem(item), false)
    }
    let section = model.sections[path.section].id
    return first([
      differs("itemPath(for: \(item))", snapshot.itemPath(for: item), path),
      differs("itemIdentifier(for:)", snapshot.itemIdentifier(for: path), item),
      differs("indexOfItem", snapshot.indexOfItem(item), model.items.firstIndex(of: item)),
      differs("section of item", snapshot.sectionIdentifier(containingItem: item), section),
      differs("containsItem", snapshot.containsItem(item), true),
    ])
  }

  private func strangerDifference(
    _ snapshot: Snapshot<Int, Int>, _ model: SnapshotModel
  ) -> String? {
    return first([
      differs("unknown path", snapshot.itemPath(for: -1), nil),
      differs("unknown index", snapshot.indexOfItem(-1), nil),
      differs("unknown item", snapshot.containsItem(-1), false),
      differs("unknown item's section", snapshot.sectionIdentifier(containingItem: -1), nil),
      differs("unknown section", snapshot.containsSection(-1), false),
      differs("unknown section's index", snapshot.indexOfSection(-1), nil),
      differs("unknown section's count", snapshot.numberOfItems(inSection: -1), 0),
      differs("unknown section's items", snapshot.itemIdentifiers(inSection: -1), []),
      differs("behind the end", snapshot.sectionIdentifier(at: model.sections.count), nil),
      differs("negative", snapshot.sectionIdentifier(at: -1), nil),
      differs(
        "negative", snapshot.itemIdentifier(for: ItemPath(section: 0, item: -1)), nil),
    ])
  }

  private func rebuilt(_ model: SnapshotModel) -> Snapshot<Int, Int> {
    Snapshot(sections: model.sections.map(\.id), items: model.sections.map(\.items))
  }
}
