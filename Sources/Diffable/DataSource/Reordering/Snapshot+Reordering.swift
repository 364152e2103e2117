extension Snapshot {
  /// Moves items, one after another, to where a drag proposes.
  ///
  /// In an outline, their descendants move with them.
  ///
  /// - Complexity: O(k · log n) for k of n items; with outlines, the cost of moving each item.
  package mutating func reorder(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>
  ) throws(SnapshotError) {
    guard outlineIndices.isEmpty else { return try reorderInOutlines(items, to: destination) }
    deleteItems(items)
    switch destination {
    case .before(let anchor): try insertItems(items, beforeItem: anchor)
    case .after(let anchor): try insertItems(items, afterItem: anchor)
    case .into(let parent): throw .unknownItem([AnyItemID(parent)])
    case .end(of: let section): try appendItems(items, toSection: section)
    }
  }

  private mutating func reorderInOutlines(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>
  ) throws(SnapshotError) {
    var previous: ItemID?
    for item in items {
      if let previous {
        try moveItem(item, afterItem: previous)
      } else {
        switch destination {
        case .before(let anchor): try moveItem(item, beforeItem: anchor)
        case .after(let anchor): try moveItem(item, afterItem: anchor)
        case .into(let parent): try moveItem(item, intoItem: parent)
        case .end(of: let section): try moveItem(item, toSection: section)
        }
      }
      previous = item
    }
  }

  /// Whether an item is one of some items or, in an outline, a descendant of one.
  func carries(_ items: [ItemID], _ item: ItemID) -> Bool {
    guard !items.contains(item) else { return true }
    guard let outline = sectionIdentifier(containingItem: item).flatMap(outline(ofSection:)),
      var position = outline.position(of: item)
    else { return false }
    while let parent = outline.parentPosition(ofRowAt: position) {
      if items.contains(outline.rows[parent].id) { return true }
      position = parent
    }
    return false
  }
}
