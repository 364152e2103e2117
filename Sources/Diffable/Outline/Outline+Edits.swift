/// Edits; one that throws changes nothing.
///
/// While two copies of an outline share a lookup table, an edit of one of them has an additional
/// cost: it copies the shared parts of the table that it changes. A part has up to 4096 entries, so
/// that is O(n / 4096 + 4096 · m) for m of n items that are inserted or deleted, and never more
/// than O(n).
extension Outline {
  /// Adds items as the last children of another item, or as the last items without a parent.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the parent does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` with all items that are already in the outline or
  ///   appear twice. Places are those that the items would have among all ``items``.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func append(
    _ items: some Sequence<ItemID>, to parent: ItemID? = nil
  ) throws(SnapshotError) {
    let (place, level) = try end(ofChildrenOf: parent)
    try insert(Self.newRows(Array(items), level: level), at: place)
  }

  /// Inserts items, in their order, before another item and as its siblings.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ items: some Sequence<ItemID>, before anchor: ItemID
  ) throws(SnapshotError) {
    let place = try position(ofKnown: anchor)
    try insert(Self.newRows(Array(items), level: rows[place].level), at: place)
  }

  /// Inserts items, in their order, after another item and its descendants, and as its siblings.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ items: some Sequence<ItemID>, after anchor: ItemID
  ) throws(SnapshotError) {
    let position = try position(ofKnown: anchor)
    let new = Self.newRows(Array(items), level: rows[position].level)
    try insert(new, at: endOfSubtree(at: position))
  }

  /// Deletes items with all their descendants.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O(m · log n + k) for m of n items, with k descendants.
  public mutating func delete(_ items: some Sequence<ItemID>) {
    for range in subtrees(of: items.compactMap(position(of:))).reversed() {
      replaceRows(range, with: [])
    }
  }

  /// Deletes everything.
  ///
  /// - Complexity: O(1), plus the release of storage that is not shared.
  public mutating func deleteAll() {
    self = emptied
  }

  mutating func insert(
    _ new: ContiguousArray<Row>, at place: Int
  ) throws(SnapshotError) {
    guard !new.isEmpty else { return }
    try checkUnique(new, replacing: place..<place)
    replaceRows(place..<place, with: new)
  }

  /// The place and the level of the next child of an item.
  func end(
    ofChildrenOf parent: ItemID?
  ) throws(SnapshotError) -> (place: Int, level: Int32) {
    guard let parent else { return (count, 0) }
    let position = try position(ofKnown: parent)
    return (endOfSubtree(at: position), rows[position].level + 1)
  }

  /// The subtrees of the rows at some positions, ascending and without overlap.
  package func subtrees(of positions: [Int]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for position in positions.sorted() where position >= ranges.last?.upperBound ?? 0 {
      ranges.append(position..<endOfSubtree(at: position))
    }
    return ranges
  }
}
