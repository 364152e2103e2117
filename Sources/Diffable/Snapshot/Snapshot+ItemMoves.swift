extension Snapshot {
  /// Moves an item before another, to its section; moving it before itself changes nothing.
  ///
  /// Between outlines, its descendants move with it. A flat section has no place for them: there they
  /// are deleted.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist.
  /// - Complexity: O(log n) for n items. In an outline, O(k + log n) with k descendants, and O(m)
  ///   more if the target is the outline of another section with m items.
  public mutating func moveItem(
    _ item: ItemID, beforeItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .before, anchor)
  }

  /// Moves an item after another, to its section; moving it after itself changes nothing.
  ///
  /// Between outlines, its descendants move with it. A flat section has no place for them: there they
  /// are deleted.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist.
  /// - Complexity: O(log n) for n items. In an outline, O(k + log n) with k descendants, and O(m)
  ///   more if the target is the outline of another section with m items.
  public mutating func moveItem(
    _ item: ItemID, afterItem anchor: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .after, anchor)
  }

  /// Moves an item with its descendants below an item of an outline, after its other children.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if either item does not exist, or the parent is in
  ///   a flat list, and ``SnapshotError/cyclicMove(_:)`` if the parent is the item itself or its
  ///   descendant.
  /// - Complexity: O(k + log n) for k descendants among n items, and O(m) more if the target is the
  ///   outline of another section with m items.
  public mutating func moveItem(
    _ item: ItemID, intoItem parent: ItemID
  ) throws(SnapshotError) {
    try moveItem(item, .into, parent)
  }

  /// Moves an item to the end of a section.
  ///
  /// In an outline it becomes the last root, and its descendants move with it. In a flat section, its
  /// descendants are deleted.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` or ``SnapshotError/unknownSection(_:)`` if one is
  ///   not there.
  /// - Complexity: The same as ``moveItem(_:afterItem:)``.
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
    // A move forgets no marks, other than a deletion.
    let marks = marks
    deleteItems([item])
    if outline != nil, let subtree {
      try setOutline(subtree, forSection: section)
    } else {
      try appendItems([item], toSection: section)
    }
    self.marks = marks
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
