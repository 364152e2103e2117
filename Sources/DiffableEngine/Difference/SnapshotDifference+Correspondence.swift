extension SnapshotDifference {
  /// Creates the difference for a correspondence of two snapshots, with the fewest moves.
  ///
  /// - Complexity: O(r log r + c) for r runs and c changed elements or ranges of them.
  package init(_ correspondence: Correspondence) {
    self.init()
    sectionDeletes = RangeSet(ascending: correspondence.sectionDeletes)
    sectionInserts = RangeSet(ascending: correspondence.sectionInserts)
    correspondence.sections.forEachMove { from, to in
      sectionMoves.append(Move(from: from, to: to))
    }
    addItems(correspondence)
    outlineChanges = RangeSet(ascending: correspondence.outlines.map(\.new))
    itemRenames = ItemPathSet(correspondence.renames)
    itemReconfigures = ItemPathSet(correspondence.disclosures + correspondence.renames)
  }

  mutating func addItems(_ correspondence: Correspondence) {
    let sections = correspondence.changed
    // Once for all sections: each call of `reserveCapacity` with a new length would copy the array.
    itemDeletes.reserveCapacity(sections.reduce(0) { $0 + $1.deletes.count })
    itemInserts.reserveCapacity(sections.reduce(0) { $0 + $1.inserts.count })
    for section in sections.sortedIfNeeded(by: { $0.old < $1.old }) {
      for range in section.deletes { itemDeletes.append(section: section.old, items: range) }
    }
    itemMoves = correspondence.migrations
    itemMoves.reserveCapacity(
      sections.reduce(itemMoves.count) { count, section in
        count + (section.stays.map { section.runs.moveCount(knowing: $0) } ?? 0)
      })
    for section in sections {
      for range in section.inserts { itemInserts.append(section: section.new, items: range) }
      guard let stays = section.stays ?? section.runs.heaviestIncreasingSubsequence() else {
        continue
      }
      section.runs.forEachMove(knowing: stays) { from, to in
        itemMoves.append(
          Move(
            from: ItemPath(section: section.old, item: from),
            to: ItemPath(section: section.new, item: to)))
      }
    }
    // The moves inside sections are in order already.
    if !correspondence.migrations.isEmpty { itemMoves.sort { $0.to < $1.to } }
  }
}
