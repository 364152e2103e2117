extension Outline {
  /// Adds an outline with its flags below an item, behind its other children, or behind the last
  /// item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the parent is not there, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func append(
    _ outline: Outline, to parent: ItemID? = nil
  ) throws(SnapshotError) {
    let (place, level) = try end(ofChildrenOf: parent)
    try insert(outline.copiedRows(0..<outline.count, deeper: level), at: place)
  }

  /// Adds an outline with its flags before an item; its roots stand side by side with that.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item is not there, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ outline: Outline, before anchor: ItemID
  ) throws(SnapshotError) {
    let place = try position(ofKnown: anchor)
    try insert(
      outline.copiedRows(0..<outline.count, deeper: rows[place].level), at: place)
  }

  /// Adds an outline with its flags behind an item and all its descendants; its roots stand side by
  /// side with that.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item is not there, or
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

  /// Puts an outline with its flags in the place of all descendants of an item.
  ///
  /// The item keeps its own flag. Its children are loaded then, see ``hasUnloadedChildren(_:)``.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item is not there, or
  ///   ``SnapshotError/duplicateItems(_:)`` if something comes that stands elsewhere already.
  /// - Complexity: O(m + k + log n) for k of n items that go and m that come, given a good hash.
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
