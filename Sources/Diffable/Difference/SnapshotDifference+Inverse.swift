extension SnapshotDifference {
  /// The difference that takes this one back.
  ///
  /// Inserts become deletes, moves turn round, and what was reloaded or reconfigured is again, at
  /// the place where it now is.
  ///
  /// - Complexity: O(c log c) for c changed elements or ranges of them.
  public var inverse: SnapshotDifference {
    let map = hasRefreshes || !outlineChanges.isEmpty ? PositionMap(self) : nil
    var inverse = SnapshotDifference()
    inverse.sectionDeletes = sectionInserts
    inverse.sectionInserts = sectionDeletes
    inverse.sectionMoves = sectionMoves.map(\.inverse).sorted { $0.to < $1.to }
    inverse.itemDeletes = itemInserts
    inverse.itemInserts = itemDeletes
    inverse.itemMoves = itemMoves.map(\.inverse).sorted { $0.to < $1.to }
    if let map {
      for index in sectionReloads.ranges.joined() {
        guard let new = map.newSection(forOld: index) else { continue }
        inverse.sectionReloads.insert(contentsOf: new..<new + 1)
      }
      for index in sectionReconfigures.ranges.joined() {
        guard let old = map.oldSection(forNew: index) else { continue }
        inverse.sectionReconfigures.insert(contentsOf: old..<old + 1)
      }
      for index in outlineChanges.ranges.joined() {
        guard let old = map.oldSection(forNew: index) else { continue }
        inverse.outlineChanges.insert(contentsOf: old..<old + 1)
      }
      inverse.itemReloads = ItemPathSet(itemReloads.compactMap(map.newPath(forOld:)))
      inverse.itemReconfigures = ItemPathSet(itemReconfigures.compactMap(map.oldPath(forNew:)))
    }
    return inverse
  }
}
