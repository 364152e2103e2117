extension Snapshot {
  /// Moves an item before another, to its section; before itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there.
  /// - Complexity: O(log n) for n items; O(k + log n) with k descendants in an outline, and O(m) to the
  ///   outline of another section, for its m items.
  public mutating func moveItem(
    _ item: ItemID, beforeItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .before, anchor)
  }

  /// Moves an item behind another, to its section; behind itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there.
  /// - Complexity: O(log n) for n items; O(k + log n) with k descendants in an outline, and O(m) to the
  ///   outline of another section, for its m items.
  public mutating func moveItem(
    _ item: ItemID, afterItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .after, anchor)
  }

  /// Moves an item with its descendants below an item of an outline, behind the other children of that.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either is not there, or the other stands in a list,
  ///   and ``SnapshotError/cyclicMove(_:)`` if the other is the item itself or a descendant of it.
  /// - Complexity: O(k + log n) for k descendants among n items, and O(m) to the outline of another
  ///   section, for its m items.
  public mutating func moveItem(
    _ item: ItemID, intoItem parent: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .into, parent)
  }

  /// Moves an item behind the last one of a section.
  ///
  /// In an outline it stands beside the roots then, and its descendants come along.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` or ``SnapshotError/unknownSection(_:)`` if one is not
  ///   there.
  /// - Complexity: That of ``moveItem(_:afterItem:)``.
  public mutating func moveItem(
    _ item: ItemID, toSection section: SectionID
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    let outline = outline(ofSectionAt: index)
    if let last = outline.map({ $0.rootItems.last }) ?? items(inSectionAt: index).last {
      return try moveItem(item, afterItem: last)
    }
    let subtree = sectionIdentifier(containingItem: item).flatMap { self.outline(ofSection: $0) }?
      .outline(of: item, includingParent: true)
    if subtree == nil { _ = try path(ofItem: item) }
    deleteItems([item])
    if outline != nil, let subtree {
      try setOutline(subtree, forSection: section)
    } else {
      try appendItems([item], toSection: section)
    }
  }

  mutating func moveItem(
    _ item: ItemID, _ placement: RowPlacement, _ anchor: ItemID
  ) throws(SnapshotError) {
    if base.order.totals.outlines > 0, try moveInOutlines(item, placement, anchor) { return }
    let source = try listPath(ofItem: item)
    var target = try path(ofItem: anchor)
    if placement == .into { throw .unknownItem([AnyItemID(anchor)]) }
    guard item != anchor, source != target else { return }
    if target.section == source.section, target.item > source.item { target.item -= 1 }
    if placement == .after { target.item += 1 }
    removeItems(ofSectionAt: source.section) { $0.remove(at: [source.item], section: $1) }
    try insertItems([item], at: target)
  }
}
