extension Outline {
  /// Moves an item with its descendants before another item, as its sibling.
  ///
  /// Moving an item before itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist, or
  ///   ``SnapshotError/cyclicMove(_:)`` if the anchor is a descendant of the item.
  /// - Complexity: O(k + log n) for k descendants among n items, given a good hash.
  public mutating func move(
    _ item: ItemID, before anchor: ItemID
  ) throws(SnapshotError) {
    try move(item, .before, anchor)
  }

  /// Moves an item with its descendants after another item and its descendants, as its sibling.
  ///
  /// Moving an item after itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist, or
  ///   ``SnapshotError/cyclicMove(_:)`` if the anchor is a descendant of the item.
  /// - Complexity: O(k + log n) for k descendants among n items, given a good hash.
  public mutating func move(
    _ item: ItemID, after anchor: ItemID
  ) throws(SnapshotError) {
    try move(item, .after, anchor)
  }

  /// Moves an item with its descendants below another item, after its other children.
  ///
  /// The new parent stays expanded or collapsed.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist, or
  ///   ``SnapshotError/cyclicMove(_:)`` if the parent is the item itself or its descendant.
  /// - Complexity: O(k + log n) for k descendants among n items, given a good hash.
  public mutating func move(
    _ item: ItemID, into parent: ItemID
  ) throws(SnapshotError) {
    try move(item, .into, parent)
  }

  private mutating func move(
    _ item: ItemID, _ placement: RowPlacement, _ anchor: ItemID
  ) throws(SnapshotError) {
    let source = try position(ofKnown: item)
    _ = try moveRow(at: source, placement, try position(ofKnown: anchor))
  }

  /// Moves a row with its descendants relative to another row; relative to itself, nothing changes.
  ///
  /// - Returns: The new positions of the rows.
  mutating func moveRow(
    at source: Int, _ placement: RowPlacement, _ target: Int
  ) throws(SnapshotError) -> Range<Int> {
    let subtree = source..<endOfSubtree(at: source)
    if source == target, placement != .into { return subtree }
    guard !subtree.contains(target) else { throw .cyclicMove([AnyItemID(rows[source].id)]) }
    let level = rows[target].level + (placement == .into ? 1 : 0)
    let moved = copiedRows(subtree, deeper: level - rows[source].level)
    var destination = placement == .before ? target : endOfSubtree(at: target)
    // After an ancestor means after the item itself too.
    if destination >= subtree.upperBound { destination -= subtree.count }
    replaceRows(subtree, with: [])
    replaceRows(destination..<destination, with: moved)
    return destination..<destination + moved.count
  }
}
