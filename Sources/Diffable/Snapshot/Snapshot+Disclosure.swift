extension Snapshot {
  /// How the row of an item is drawn; `nil` for an unknown item and in a flat list.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? {
    sectionIdentifier(containingItem: item)
      .flatMap { outline(ofSection: $0)?.disclosure(of: item) }
  }

  /// How the row at a path is drawn; `nil` if there is none, and in a flat list.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(ofItemAt path: ItemPath) -> Disclosure? {
    guard let outline = outline(ofSectionAt: path.section) else { return nil }
    return itemIdentifier(for: path).flatMap { outline.disclosure(of: $0) }
  }
}
