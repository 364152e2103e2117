extension SnapshotDifference {
  /// Creates the difference for a correspondence of two snapshots, with the fewest moves.
  ///
  /// - Complexity: O(r log r + c) for r runs and c changed elements or ranges of them.
  init(_ correspondence: Correspondence) {
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

extension [MatchedRun] {
  /// Calls a function with each element that has to move, in ascending order of `new`.
  ///
  /// - Parameter known: Which runs keep their place, if that is known already.
  func forEachMove(
    knowing known: [Bool]? = nil, _ body: (_ from: Int, _ to: Int) -> Void
  ) {
    guard let stays = known ?? heaviestIncreasingSubsequence() else { return }
    for (run, stays) in zip(self, stays) where !stays {
      for offset in 0..<run.count { body(run.old + offset, run.new + offset) }
    }
  }

  /// The number of elements in runs that do not keep their place.
  func moveCount(knowing stays: [Bool]) -> Int {
    zip(self, stays).reduce(0) { $1.1 ? $0 : $0 + $1.0.count }
  }
}

extension Array {
  /// The elements in order; costs one pass if they are in order already.
  func sortedIfNeeded(by areInOrder: (Element, Element) -> Bool) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !areInOrder(self[$0], self[$0 - 1]) }
    return isSorted ? self : sorted(by: areInOrder)
  }
}

extension RangeSet<Int> {
  /// The set of some ascending indices.
  init(ascending indices: [Int]) {
    self.init()
    var start = indices.startIndex
    while start < indices.endIndex {
      var end = start + 1
      while end < indices.endIndex, indices[end] == indices[end - 1] + 1 { end += 1 }
      insert(contentsOf: indices[start]..<indices[end - 1] + 1)
      start = end
    }
  }
}
