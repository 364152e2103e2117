extension Outline {
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
    try move(item, .before, anchor)
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
    try move(item, .after, anchor)
  }

  /// Moves an item with its descendants below another, behind the other children of that.
  ///
  /// Whether the other item is expanded stays as it is.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there, or
  ///   ``SnapshotError/cyclicMove(_:)`` if the other is the item itself or a descendant of it.
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

  /// Moves a row with its descendants to a place seen from another row; beside itself changes nothing.
  ///
  /// - Returns: Where the rows are now.
  mutating func moveRow(
    at source: Int, _ placement: RowPlacement, _ target: Int
  ) throws(SnapshotError) -> Range<Int> {
    let subtree = source..<endOfSubtree(at: source)
    if source == target, placement != .into { return subtree }
    guard !subtree.contains(target) else { throw .cyclicMove([AnyItemID(rows[source].id)]) }
    let level = rows[target].level + (placement == .into ? 1 : 0)
    let moved = copiedRows(subtree, deeper: level - rows[source].level)
    var destination = placement == .before ? target : endOfSubtree(at: target)
    // Behind an ancestor is behind the item itself.
    if destination >= subtree.upperBound { destination -= subtree.count }
    replaceRows(subtree, with: [])
    replaceRows(destination..<destination, with: moved)
    return destination..<destination + moved.count
  }
}
