/// The selected items, by identifier.
struct ItemSelection<ItemID: Hashable & Sendable> {
  var items: Set<ItemID> = []

  /// What selecting exactly these items changes, or `nil` for nothing.
  func change(
    to new: Set<ItemID>, by cause: SelectionChange<ItemID>.Cause
  ) -> SelectionChange<ItemID>? {
    guard new != items else { return nil }
    return SelectionChange(
      selected: new.subtracting(items), deselected: items.subtracting(new), cause: cause)
  }
}
