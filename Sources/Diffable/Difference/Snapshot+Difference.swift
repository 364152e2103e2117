extension Snapshot {
  /// What changed from an older snapshot to this one, with the fewest moves.
  ///
  /// The marks of this snapshot become reloads and reconfigures; those of the old one mean nothing.
  /// The same two snapshots always give the same difference.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or ``SnapshotError/duplicateItems(_:)`` if
  ///   an identifier stands twice in either snapshot.
  /// - Complexity: O(n) to make the lookup table of a snapshot that has none yet; then
  ///   O(d · log n) for d leaves of 64 items that differ, and O(r log r) for r runs of items that
  ///   are neighbours in both.
  public func difference(from old: Snapshot) throws(SnapshotError) -> SnapshotDifference {
    try old.validate()
    try validate()
    return resolved.difference(fromValid: old.resolved, marks: marks)
  }

  /// The difference between two snapshots that are known to be valid, with marks that may span
  /// several revisions.
  @usableFromInline package func difference(fromValid old: Snapshot, marks: Marks)
    -> SnapshotDifference
  {
    difference(SnapshotComparison(old: old, new: self).correspondence, marks: marks)
  }

  /// The difference that a correspondence amounts to, this being the new side.
  @usableFromInline func difference(_ correspondence: Correspondence, marks: Marks)
    -> SnapshotDifference
  {
    var difference = SnapshotDifference(correspondence)
    addRefreshes(of: marks, to: &difference)
    return difference
  }

  /// Translates marks to positions.
  ///
  /// Marks on what is new, or not there at all, mean nothing.
  @usableFromInline func addRefreshes(of marks: Marks, to difference: inout SnapshotDifference) {
    guard !marks.isEmpty else { return }
    let map = PositionMap(difference)
    for section in marks.reloadedSections.inOrder {
      guard let new = indexOfSection(section), let old = map.oldSection(forNew: new) else {
        continue
      }
      difference.sectionReloads.insert(contentsOf: old..<old + 1)
    }
    for section in marks.reconfiguredSections.inOrder {
      guard let new = indexOfSection(section), map.oldSection(forNew: new) != nil else { continue }
      difference.sectionReconfigures.insert(contentsOf: new..<new + 1)
    }
    difference.itemReloads = ItemPathSet(
      marks.reloadedItems.inOrder.compactMap { item in
        itemPath(for: item).flatMap(map.oldPath(forNew:))
      })
    // What an outline reconfigures is reconfigured already, unless it is reloaded.
    let reloads = Set(
      difference.itemReconfigures.isEmpty ? [] : marks.reloadedItems.inOrder.compactMap(itemPath))
    difference.itemReconfigures = ItemPathSet(
      difference.itemReconfigures.filter { !reloads.contains($0) }
        + marks.reconfiguredItems.inOrder.compactMap { item in
          guard let path = itemPath(for: item), map.oldPath(forNew: path) != nil else { return nil }
          return path
        })
  }
}
