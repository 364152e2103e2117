/// Edits throw at once, and then have changed nothing.
///
/// Besides what is written at each of them, an edit of a copy, while the other copy is still there,
/// copies those parts of the lookup table that it changes and that both still share. A part has up to
/// 4096 entries, so that is O(n / 4096 + 4096 · m) for m of n items that come or go, and never more
/// than O(n).
extension Outline {
  /// Adds items as the last children of another, or as the last items without a parent.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the parent is not there, or
  ///   ``SnapshotError/duplicateItems(_:)`` with all that are there already or come twice. Places
  ///   are those among all ``items`` that they would have.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func append(
    _ items: some Sequence<ItemID>, to parent: ItemID? = nil
  ) throws(SnapshotError) {
    let (place, level) = try end(ofChildrenOf: parent)
    try insert(Self.newRows(Array(items), level: level), at: place)
  }

  /// Adds items, in their order, before another, side by side with it.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that is not there, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ items: some Sequence<ItemID>, before anchor: ItemID
  ) throws(SnapshotError) {
    let place = try position(ofKnown: anchor)
    try insert(Self.newRows(Array(items), level: rows[place].level), at: place)
  }

  /// Adds items, in their order, behind another and all its descendants, side by side with it.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that is not there, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ items: some Sequence<ItemID>, after anchor: ItemID
  ) throws(SnapshotError) {
    let position = try position(ofKnown: anchor)
    let new = Self.newRows(Array(items), level: rows[position].level)
    try insert(new, at: endOfSubtree(at: position))
  }

  /// Removes items with all their descendants.
  ///
  /// Unknown ones are ignored.
  ///
  /// - Complexity: O(m · log n + k) for m of n items, with k descendants.
  public mutating func delete(_ items: some Sequence<ItemID>) {
    for range in subtrees(of: items.compactMap(position(of:))).reversed() {
      replaceRows(range, with: [])
    }
  }

  /// Removes everything.
  ///
  /// - Complexity: O(1), besides releasing what nobody else holds.
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

  /// Where the next child of an item comes, and at which level.
  func end(
    ofChildrenOf parent: ItemID?
  ) throws(SnapshotError) -> (place: Int, level: Int32) {
    guard let parent else { return (count, 0) }
    let position = try position(ofKnown: parent)
    return (endOfSubtree(at: position), rows[position].level + 1)
  }

  /// The subtrees of the rows at some positions, ascending, each row in one of them.
  func subtrees(of positions: [Int]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for position in positions.sorted() where position >= ranges.last?.upperBound ?? 0 {
      ranges.append(position..<endOfSubtree(at: position))
    }
    return ranges
  }
}
