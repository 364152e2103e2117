extension Outline {
  /// Adds an outline with its flags after the other children of an item, or after the last item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the parent does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func append(
    _ outline: Outline, to parent: ItemID? = nil
  ) throws(SnapshotError) {
    let (place, level) = try end(ofChildrenOf: parent)
    try insert(outline.copiedRows(0..<outline.count, deeper: level), at: place)
  }

  /// Inserts an outline with its flags before an item; its roots become siblings of that item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ outline: Outline, before anchor: ItemID
  ) throws(SnapshotError) {
    let place = try position(ofKnown: anchor)
    try insert(
      outline.copiedRows(0..<outline.count, deeper: rows[place].level), at: place)
  }

  /// Inserts an outline with its flags after an item and its descendants.
  ///
  /// Its roots become siblings of that item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ outline: Outline, after anchor: ItemID
  ) throws(SnapshotError) {
    let position = try position(ofKnown: anchor)
    try insert(
      outline.copiedRows(0..<outline.count, deeper: rows[position].level),
      at: endOfSubtree(at: position))
  }

  /// Replaces all descendants of an item with an outline and its flags.
  ///
  /// The item keeps its own flag. Its children then count as loaded, see
  /// ``hasUnloadedChildren(_:)``.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` if a new item is already elsewhere in the outline.
  /// - Complexity: O(m + k + log n) for k of n items that are deleted and m that are inserted,
  ///   given a good hash.
  public mutating func replace(
    childrenOf parent: ItemID, using outline: Outline
  ) throws(SnapshotError) {
    try replace(childrenOfRowAt: try position(ofKnown: parent), using: outline)
  }

  mutating func replace(
    childrenOfRowAt position: Int, using outline: Outline
  ) throws(SnapshotError) {
    let old = position + 1..<endOfSubtree(at: position)
    let new = outline.copiedRows(0..<outline.count, deeper: rows[position].level + 1)
    try checkUnique(new, replacing: old)
    replaceRows(old, with: new)
    if rows[position].hasUnloadedChildren {
      changeRows(at: [position]) { $0.hasUnloadedChildren = false }
    }
  }
}
