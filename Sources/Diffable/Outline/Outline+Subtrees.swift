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

  /// Moves an item with its descendants before another, side by side with it.
  ///
  /// Before itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there, or
  ///   ``SnapshotError/cyclicMove(_:)`` if the other is a descendant of the item.
  /// - Complexity: O(k + log n) for k descendants among n items, given a good hash.
  public mutating func move(
    _ item: ItemID, before anchor: ItemID
  ) throws(SnapshotError) {
    try move(item, around: anchor, isBefore: true)
  }

  /// Moves an item with its descendants behind another and all of that one's descendants, side by
  /// side with it.
  ///
  /// Behind itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there, or
  ///   ``SnapshotError/cyclicMove(_:)`` if the other is a descendant of the item.
  /// - Complexity: O(k + log n) for k descendants among n items, given a good hash.
  public mutating func move(
    _ item: ItemID, after anchor: ItemID
  ) throws(SnapshotError) {
    try move(item, around: anchor, isBefore: false)
  }

  mutating func move(
    _ item: ItemID, around anchor: ItemID, isBefore: Bool
  ) throws(SnapshotError) {
    let source = try position(ofKnown: item)
    let target = try position(ofKnown: anchor)
    guard item != anchor else { return }
    _ = try moveRow(at: source, around: target, isBefore: isBefore)
  }

  /// Moves a row with its descendants beside another; beside itself changes nothing.
  ///
  /// - Returns: Where the rows are now.
  mutating func moveRow(
    at source: Int, around target: Int, isBefore: Bool
  ) throws(SnapshotError) -> Range<Int> {
    let subtree = source..<endOfSubtree(at: source)
    guard source != target else { return subtree }
    guard !subtree.contains(target) else { throw .cyclicMove([AnyItemID(rows[source].id)]) }
    let moved = copiedRows(subtree, deeper: rows[target].level - rows[source].level)
    var destination = isBefore ? target : endOfSubtree(at: target)
    // Behind an ancestor is behind the item itself.
    if destination >= subtree.upperBound { destination -= subtree.count }
    replaceRows(subtree, with: [])
    replaceRows(destination..<destination, with: moved)
    return destination..<destination + moved.count
  }
}
