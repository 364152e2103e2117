/// The selected items, by identifier.
struct ItemSelection<ItemID: Hashable & Sendable> {
  private(set) var items: Set<ItemID> = []

  /// Selects exactly these items; returns what that changes, or `nil` for nothing.
  mutating func change(
    to new: Set<ItemID>, by cause: SelectionChange<ItemID>.Cause
  ) -> SelectionChange<ItemID>? {
    guard new != items else { return nil }
    defer { items = new }
    return SelectionChange(
      selected: new.subtracting(items), deselected: items.subtracting(new), cause: cause)
  }
}
