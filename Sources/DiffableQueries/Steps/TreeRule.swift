import Diffable

/// How the rows of a section become a tree.
struct TreeRule<ItemID: Hashable & Sendable>: Sendable {
  /// The identifier that the element of a row names as its parent.
  private let parent: @Sendable (UnsafeRawPointer) -> ItemID?
  /// Whether rows are expanded when they are inserted.
  let isExpanded: Bool
  /// Whether a row has children that are not loaded; `nil` if all rows are there.
  let unloaded: RowTest?

  init<Element>(
    _ parent: @escaping @Sendable (Element) -> ItemID?, isExpanded: Bool, unloaded: RowTest? = nil
  ) {
    self.parent = { lend($0, to: parent) }
    (self.isExpanded, self.unloaded) = (isExpanded, unloaded)
  }

  /// The row of a tree, expanded or collapsed as users have left it.
  func row(
    _ place: RowPlace, level: Int32 = 0, _ expansion: ExpansionFlags<ItemID>
  ) -> OutlineRow<ItemID> {
    let item: ItemID = place.item()
    let hasUnloadedChildren = unloaded?.keeps(place) ?? false
    return OutlineRow(
      id: item, level: level, isExpanded: expansion[item] ?? (isExpanded && !hasUnloadedChildren),
      hasUnloadedChildren: hasUnloadedChildren)
  }

  /// The identifier that a row names as its parent; no row is its own parent.
  func parent(of row: RowPlace) -> ItemID? {
    guard let parent = parent(row.element), parent != row.item() else { return nil }
    return parent
  }
}
