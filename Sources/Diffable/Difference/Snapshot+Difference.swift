extension Snapshot {
  /// What changed from an older snapshot to this one, with the fewest moves.
  ///
  /// The marks of this snapshot become reloads and reconfigures; those of the old one mean nothing.
  /// The same two snapshots always give the same difference.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or ``SnapshotError/duplicateItems(_:)`` if
  ///   an identifier stands twice in either snapshot.
  /// - Complexity: O(n) comparisons for n items in arrays, and the first time a hash for each item
  ///   of the old one: that its identifiers are unique has to be proved once. Where both hold trees,
  ///   O(d · log n) for d leaves of 64 items that differ, and O(n) to make a lookup table that is
  ///   missing. In both cases O(r log r) for r runs of items that are neighbours in both.
  public func difference(
    from old: Snapshot
  ) throws(SnapshotError) -> SnapshotDifference {
    if marks.renames.isEmpty, isBetterCompared(asValueWith: old) {
      return try difference(asValueFrom: old)
    }
    try old.validate()
    try validate()
    return resolved.difference(fromValid: old.resolved, marks: marks)
  }

  /// The difference between two snapshots that are known to be valid, with marks that may span
  /// several revisions.
  package func difference(fromValid old: Snapshot, marks: Marks) -> SnapshotDifference {
    var correspondence = SnapshotComparison(old: old, new: self).correspondence
    correspondence.match(marks.renames, from: old, to: self)
    return difference(correspondence, marks: marks)
  }

  /// The difference between two valid states of a source, models included.
  func difference(fromState old: Snapshot, marks: Marks) -> SnapshotDifference {
    var comparison = SnapshotComparison(old: old, new: self)
    comparison.correspondence.match(marks.renames, from: old, to: self)
    return difference(
      comparison.correspondence, marks: marks,
      content: ContentChanges(from: old, to: self, comparison))
  }

  /// The difference that a correspondence amounts to, this being the new side.
  func difference(
    _ correspondence: Correspondence, marks: Marks, content: ContentChanges = ContentChanges()
  ) -> SnapshotDifference {
    var difference = SnapshotDifference(correspondence)
    addRefreshes(of: marks, content, to: &difference)
    return difference
  }

  /// Adds what is marked, and what shows another model.
  ///
  /// Marks on what is new, or not there at all, mean nothing.
  ///
  /// - Complexity: O(m log n) for m marks and n items; where there is no table, one look at every
  ///   stored hash in place of a table. O(c log c) for c other models.
  func addRefreshes(
    of marks: Marks, _ content: ContentChanges, to difference: inout SnapshotDifference
  ) {
    guard !marks.isEmpty || !content.isEmpty else { return }
    // Most often there are no marks, and to list none takes longer than the rest.
    guard !marks.isEmpty else {
      return difference.addRefreshes(
        sections: ([], content.sections), items: ([], content.items))
    }
    difference.addRefreshes(
      sections: (
        marks.reloadedSections.inOrder.compactMap(indexOfSection),
        marks.reconfiguredSections.inOrder.compactMap(indexOfSection) + content.sections
      ),
      items: (
        firstPaths(ofItems: marks.reloadedItems.inOrder),
        firstPaths(ofItems: marks.reconfiguredItems.inOrder) + content.items
      ))
  }
}

extension SnapshotDifference {
  /// Adds what is to be shown anew, in new positions; what is new there is left out, and a reload counts
  /// for more than a reconfigure.
  mutating func addRefreshes(
    sections: (reloads: [Int], reconfigures: [Int]),
    items: (reloads: [ItemPath], reconfigures: [ItemPath])
  ) {
    let map = PositionMap(self)
    for old in sections.reloads.compactMap(map.oldSection(forNew:)) {
      sectionReloads.insert(contentsOf: old..<old + 1)
    }
    for new in sections.reconfigures
    where map.oldSection(forNew: new) != nil && !sections.reloads.contains(new) {
      sectionReconfigures.insert(contentsOf: new..<new + 1)
    }
    itemReloads = ItemPathSet(items.reloads.compactMap(map.oldPath(forNew:)))
    let reloads = Set(items.reloads)
    func stays(_ path: ItemPath) -> Bool { reloads.isEmpty || !reloads.contains(path) }
    // What an outline reconfigures is reconfigured already.
    itemReconfigures = ItemPathSet(
      itemReconfigures.filter(stays)
        + items.reconfigures.filter { map.oldPath(forNew: $0) != nil && stays($0) })
  }
}
