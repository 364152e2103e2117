import Diffable

/// Rows that stay are the same rows, and exactly those are shown again that have changed or were marked.
struct RefreshLaw {
  /// What the source has shown, from the state before the batches to the newest one.
  let passed: [PlainList]
  let marks: Marks
  /// Whether rows may come from two sides, and change sides.
  let isTwofold: Bool
  /// Whether a row may be gone for a moment, while the source follows the one list and not yet the other.
  ///
  /// Under a new name it comes back as another row then.
  let followsTwo: Bool

  func judge(_ batches: [PlainBatch]) throws {
    guard let old = passed.first, let new = passed.last else { return }
    // Rows that were shown all the time.
    var stays = Set(old.shownRows.map(\.soul))
    for list in passed { stays.formIntersection(list.shownRows.map(\.soul)) }
    if isTwofold { for list in passed { stays.subtract(list.soulsUnderTwoNames) } }
    let ids = Dictionary(new.rows.map { ($0.soul, $0.id) }) { one, _ in one }
    var (updated, reloaded, whole, anew) = (Set<Int>(), Set<Int>(), Set<Int>(), Set<Int>())
    for batch in batches {
      let difference = batch.difference
      guard let previous = batch.previous else { continue }
      let names = Dictionary(batch.renames.map { ($0.old, $0.new) }) { $1 }
      func renamed(_ id: Int) -> Int { names[id] ?? id }
      (updated, reloaded, whole) = (
        Set(updated.map(renamed)), Set(reloaded.map(renamed)), Set(whole.map(renamed))
      )
      reloaded.formUnion(
        difference.itemReloads.compactMap { previous.shownID(at: $0) }.map(renamed))
      updated.formUnion(
        difference.itemReconfigures.compactMap { batch.list.shownID(at: $0) })
      // What is in such a section by now: a list view reloads sections after everything has moved.
      for (index, section) in previous.sections.enumerated()
      where difference.sectionReloads.contains(index) {
        let now = batch.list.section(of: section.shelf).map { batch.list.sections[$0].shownIDs }
        whole.formUnion(now ?? [])
      }
      let replay = PlainReplay(previous, batch)
      // With a section comes and goes what it holds.
      anew.formUnion(replay.arrived)
      anew.formUnion(replay.removed.map(renamed))
      if marks.isUnknown || isTwofold { anew.formUnion(replay.inserted) }
      for id in replay.inserted where batches.count == 1 && !marks.isUnknown && !isTwofold {
        guard let soul = new.row(id)?.soul, stays.contains(soul) else { continue }
        let former = old.rows.first { $0.soul == soul }?.id
        if former.map(replay.removed.contains) ?? false {
          anew.insert(id)
          continue
        }
        // Another list of a merge has the row under its old name, or the row was gone for a moment.
        if Card.sharedIDs.contains(former ?? id) || Card.sharedIDs.contains(id)
          || followsTwo && former != id
        {
          anew.insert(id)
          continue
        }
        throw Failure("\(batch) inserts \(id), which was there as \(former as Any)")
      }
    }
    let views = passed.map(\.views)
    let last = new.views
    let named = passed.map { Dictionary($0.rows.map { ($0.soul, $0.id) }) { one, _ in one } }
    let all = updated.union(reloaded).union(whole)
    for soul in stays {
      guard let id = ids[soul], let before = views[0][soul], let after = last[soul],
        !anew.contains(id)
      else { continue }
      // Another list of a merge may have the row under its other name.
      let names = named.map { $0[soul] }
      let isShared = names.contains { $0.map(Card.sharedIDs.contains) ?? false }
      if isShared, Set(names).count > 1 { continue }
      let isMarked = marks.all.contains(soul)
      // A source that follows two others, the one after the other, may lose a marked row and find it again.
      let isLost = isTwofold || marks.isAskedAgain || marks.sides.contains(soul)
      if before != after || isMarked && !isLost {
        try promise(all.contains(id), "\(batches) do not show \(id) again: \(before), \(after)")
      }
      if isTwofold { continue }
      if marks.reloaded.contains(soul), batches.count == 1, !isLost {
        try promise(reloaded.union(whole).contains(id), "\(batches) do not reload \(id)")
      } else if reloaded.contains(id), !marks.reloaded.contains(soul), !marks.again.contains(soul),
        !marks.hasSections
      {
        throw Failure("\(batches) reload \(id) for nothing")
      }
      let versions = Set(views.map { $0[soul] })
      if all.contains(id), versions.count == 1, !isMarked, !marks.hinted.contains(soul),
        !(marks.hasSections && whole.union(reloaded).contains(id))
      {
        throw Failure("\(batches) show \(id) again for nothing")
      }
    }
  }
}

extension PlainList {
  fileprivate var soulsUnderTwoNames: Set<Int> {
    var (once, twice) = (Set<Int>(), Set<Int>())
    for row in rows where !once.insert(row.soul).inserted { twice.insert(row.soul) }
    return twice
  }

  /// What the views of all rows show, by souls: a card, and what a tree shows before it.
  var views: [Int: String] {
    var views: [Int: String] = [:]
    for section in sections {
      for (index, row) in section.rows.enumerated() {
        let sign = !section.isTree || !section.hasChildren(index) ? "" : row.isExpanded ? "▾" : "▸"
        views[row.soul] = "\(row.id):\(row.card.rank),\(row.card.text) \(row.level)\(sign)"
      }
    }
    return views
  }
}
