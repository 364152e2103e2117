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
    _ items: some Sequence<ItemID> & SendableMetatype, to parent: ItemID? = nil
  ) throws(SnapshotError) {
    try insert(.into, parent) { Self.newRows(Array(items), level: $0) }
  }

  /// Inserts items, in their order, before another item and as its siblings.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ items: some Sequence<ItemID> & SendableMetatype, before anchor: ItemID
  ) throws(SnapshotError) {
    try insert(.before, anchor) { Self.newRows(Array(items), level: $0) }
  }

  /// Inserts items, in their order, after another item and its descendants, and as its siblings.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ items: some Sequence<ItemID> & SendableMetatype, after anchor: ItemID
  ) throws(SnapshotError) {
    try insert(.after, anchor) { Self.newRows(Array(items), level: $0) }
  }

  /// Deletes items with all their descendants.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O(m · log n + k) for m of n items, with k descendants.
  public mutating func delete(_ items: some Sequence<ItemID> & SendableMetatype) {
    deleteRows(subtrees(of: items.compactMap(position(of:))))
  }

  /// Deletes everything.
  ///
  /// - Complexity: O(1), plus the release of storage that is not shared.
  public mutating func deleteAll() {
    self = emptied
  }

  /// Inserts rows relative to another row, or at the end; a function makes them for their level.
  mutating func insert(
    _ placement: RowPlacement, _ anchor: ItemID?, _ make: (_ level: Int32) -> ContiguousArray<Row>
  ) throws(SnapshotError) {
    guard let anchor else { return try insert(make(0), at: count) }
    let position = try position(ofKnown: anchor)
    try insert(
      make(rows[position].level + (placement == .into ? 1 : 0)),
      at: placement == .before ? position : endOfSubtree(at: position))
  }

  mutating func insert(
    _ new: ContiguousArray<Row>, at place: Int
  ) throws(SnapshotError) {
    guard !new.isEmpty else { return }
    try checkUnique(new, replacing: place..<place)
    replaceRows(place..<place, with: new)
  }

  /// The subtrees of the rows at some positions, ascending and without overlap.
  package func subtrees(of positions: [Int]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for position in positions.sortedIfNeeded(by: { $0 })
    where position >= ranges.last?.upperBound ?? 0 {
      ranges.append(position..<endOfSubtree(at: position))
    }
    return ranges
  }
}

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
    try moveRow(at: source, placement, try position(ofKnown: anchor))
  }

  /// Moves a row with its descendants relative to another row; relative to itself, nothing changes.
  mutating func moveRow(
    at source: Int, _ placement: RowPlacement, _ target: Int
  ) throws(SnapshotError) {
    let subtree = source..<endOfSubtree(at: source)
    if source == target, placement != .into { return }
    guard !subtree.contains(target) else { throw .cyclicMove([AnyItemID(rows[source].id)]) }
    let level = rows[target].level + (placement == .into ? 1 : 0)
    moveRows(
      subtree, to: placement == .before ? target : endOfSubtree(at: target),
      deeper: level - rows[source].level)
  }
}

/// Where rows go, relative to another one.
enum RowPlacement {
  /// Before it, as its sibling.
  case before
  /// After it and all of its descendants, as its sibling.
  case after
  /// Below it, after its other children.
  case into
}

extension Outline {
  /// Adds an outline with its flags after the other children of an item, or after the last item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the parent does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func append(
    _ outline: Outline, to parent: ItemID? = nil
  ) throws(SnapshotError) {
    try insert(.into, parent) { outline.copiedRows(0..<outline.count, deeper: $0) }
  }

  /// Inserts an outline with its flags before an item; its roots become siblings of that item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item does not exist, or
  ///   ``SnapshotError/duplicateItems(_:)`` as `append(_:to:)` does.
  /// - Complexity: O(m + log n) for m new ones among n items, given a good hash.
  public mutating func insert(
    _ outline: Outline, before anchor: ItemID
  ) throws(SnapshotError) {
    try insert(.before, anchor) { outline.copiedRows(0..<outline.count, deeper: $0) }
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
    try insert(.after, anchor) { outline.copiedRows(0..<outline.count, deeper: $0) }
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
    _checkInvariants()
  }
}
