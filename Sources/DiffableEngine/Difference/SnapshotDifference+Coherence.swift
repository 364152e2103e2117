extension SnapshotDifference {
  /// A contradiction in the difference, for any snapshots; `nil` if there is none.
  ///
  /// - Complexity: O(c log c) for c changes or ranges of them.
  package var contradiction: String? {
    sectionContradiction ?? itemContradiction ?? distance
  }

  private var sectionContradiction: String? {
    func isOnce(_ set: RangeSet<Int>, _ moved: [Int]) -> Bool {
      SlotList(set.ranges + moved.map { $0..<$0 + 1 }).count == set.elementCount + moved.count
    }
    guard sectionMoves.areAscending(by: \.to) else { return "sectionMoves are not ordered by “to”" }
    guard isOnce(sectionDeletes, sectionMoves.map(\.from)) else {
      return "an old section is in sectionDeletes and sectionMoves, or in one of them twice"
    }
    guard isOnce(sectionInserts, sectionMoves.map(\.to)) else {
      return "a new section is in sectionInserts and sectionMoves, or in one of them twice"
    }
    guard sectionReloads.isDisjoint(sectionDeletes) else {
      return "a section is in sectionReloads and in sectionDeletes"
    }
    guard sectionReconfigures.isDisjoint(sectionInserts) else {
      return "a section is in sectionReconfigures and in sectionInserts"
    }
    guard outlineChanges.isDisjoint(sectionInserts) else {
      return "a section is in outlineChanges and in sectionInserts"
    }
    return nil
  }

  private var itemContradiction: String? {
    func isOnce(_ set: ItemPathSet, _ moved: [ItemPath]) -> Bool {
      let paths = ItemPathSet(moved)
      return paths.count == moved.count && paths.isDisjoint(with: set)
    }
    guard itemMoves.areAscending(by: \.to) else { return "itemMoves are not ordered by “to”" }
    guard isOnce(itemDeletes, itemMoves.map(\.from)) else {
      return "an old item is in itemDeletes and itemMoves, or in one of them twice"
    }
    guard isOnce(itemInserts, itemMoves.map(\.to)) else {
      return "a new item is in itemInserts and itemMoves, or in one of them twice"
    }
    guard itemReloads.isDisjoint(with: itemDeletes) else {
      return "an item is in itemReloads and in itemDeletes"
    }
    guard itemReconfigures.isDisjoint(with: itemInserts) else {
      return "an item is in itemReconfigures and in itemInserts"
    }
    guard itemRenames.isDisjoint(with: itemInserts) else {
      return "an item is in itemRenames and in itemInserts"
    }
    let leaving = [itemDeletes, itemReloads].flatMap { $0.ranges.map(\.section) }
    if (leaving + itemMoves.map(\.from.section)).contains(where: sectionDeletes.contains) {
      return "something becomes of an item by itself although its section is in sectionDeletes"
    }
    let entering = [itemInserts, itemReconfigures, itemRenames].flatMap { $0.ranges.map(\.section) }
    if (entering + itemMoves.map(\.to.section)).contains(where: sectionInserts.contains) {
      return "something becomes of an item by itself although its section is in sectionInserts"
    }
    guard isEveryRenameShown else {
      return "an item is in itemRenames, but neither in itemReconfigures nor reloaded"
    }
    return nil
  }

  /// Whether every renamed item is updated in place, or reloaded by itself or with its section.
  private var isEveryRenameShown: Bool {
    guard !itemRenames.isEmpty else { return true }
    let positions = PositionMap(self)
    let reloads = positions.newPaths(forOld: itemReloads)
    let sections = positions.newSections(forOld: sectionReloads)
    let alone = itemRenames.ranges.filter { !sections.contains($0.section) }
    return ItemPathSet(sorting: alone)
      .subtracting(itemReconfigures).subtracting(reloads).isEmpty
  }

  /// A description of a refreshed position that is impossible on one side; `nil` if there is none.
  private var distance: String? {
    inverse.inverse == self
      ? nil : "something stays that is, before or after, behind the last position that there can be"
  }
}

extension Array {
  /// Whether each element has a greater key than the previous one.
  fileprivate func areAscending(by key: (Element) -> some Comparable) -> Bool {
    zip(self, dropFirst()).allSatisfy { key($0) < key($1) }
  }
}
