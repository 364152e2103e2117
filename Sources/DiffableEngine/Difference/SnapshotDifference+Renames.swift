extension SnapshotDifference {
  /// The same change with each rename replaced by a delete and an insert.
  ///
  /// - Complexity: O(c log c) for c changes or ranges of them.
  package var replacingRenames: SnapshotDifference {
    guard !itemRenames.isEmpty else { return self }
    let origins = PositionMap(self).oldPaths(forNew: itemRenames)
    var result = self
    result.itemRenames = []
    result.itemDeletes = ItemPathSet(sorting: itemDeletes.ranges + origins.ranges)
    result.itemInserts = ItemPathSet(sorting: itemInserts.ranges + itemRenames.ranges)
    result.itemMoves.removeAll { itemRenames.contains($0.to) }
    result.itemReloads = itemReloads.subtracting(origins)
    result.itemReconfigures = itemReconfigures.subtracting(itemRenames)
    return result
  }
}
