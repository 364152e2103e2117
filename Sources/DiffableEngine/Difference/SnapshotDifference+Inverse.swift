extension SnapshotDifference {
  /// The difference that takes this one back.
  ///
  /// Inserts become deletes, moves are reversed, and renamed items get their old names back. What
  /// was reloaded or reconfigured is reloaded or reconfigured again, at its current place.
  ///
  /// - Complexity: O(c log c) for c changed elements or ranges of them.
  public var inverse: SnapshotDifference {
    let map =
      hasRefreshes || !outlineChanges.isEmpty || !itemRenames.isEmpty
      ? PositionMap(self) : nil
    var inverse = SnapshotDifference()
    inverse.sectionDeletes = sectionInserts
    inverse.sectionInserts = sectionDeletes
    inverse.sectionMoves = sectionMoves.map(\.inverse).sorted { $0.to < $1.to }
    inverse.itemDeletes = itemInserts
    inverse.itemInserts = itemDeletes
    inverse.itemMoves = itemMoves.map(\.inverse).sorted { $0.to < $1.to }
    if let map {
      inverse.sectionReloads = map.newSections(forOld: sectionReloads)
      inverse.sectionReconfigures = map.oldSections(forNew: sectionReconfigures)
      inverse.outlineChanges = map.oldSections(forNew: outlineChanges)
      inverse.itemReloads = map.newPaths(forOld: itemReloads)
      inverse.itemReconfigures = map.oldPaths(forNew: itemReconfigures)
      inverse.itemRenames = map.oldPaths(forNew: itemRenames)
    }
    return inverse
  }
}
