/// The selected items, by identifier.
struct ItemSelection<ItemID: Hashable & Sendable> {
  /// Rows that were selected together, from one row to another.
  struct Span {
    /// The item that the range begins with, which was selected alone.
    var anchor: ItemID
    /// The item that the range was extended to.
    var lead: ItemID
    /// The items that only the range has selected.
    var added: Set<ItemID> = []

    init(of item: ItemID) { (anchor, lead) = (item, item) }

    /// The same range, if items have received other identifiers.
    func mapped(_ name: (ItemID) -> ItemID) -> Span {
      var span = Span(of: name(anchor))
      span.lead = name(lead)
      span.added = Set(added.map(name))
      return span
    }
  }

  var items: Set<ItemID> = []
  /// The range that can be extended; its only item if that was selected alone.
  var span: Span?

  /// What selecting exactly these items changes, or `nil` for nothing.
  func change(
    to new: Set<ItemID>, by cause: SelectionChange<ItemID>.Cause
  ) -> SelectionChange<ItemID>? {
    guard new != items else { return nil }
    return SelectionChange(
      selected: new.subtracting(items), deselected: items.subtracting(new), cause: cause)
  }

  /// The selection after the range was extended.
  ///
  /// - Parameters:
  ///   - lead: The item that it is extended to.
  ///   - range: The items from the anchor to it.
  func extended(to lead: ItemID, selecting range: Set<ItemID>) -> ItemSelection {
    var new = self
    let others = items.subtracting(span?.added ?? [])
    new.items = others.union(range)
    new.span?.lead = lead
    new.span?.added = range.subtracting(others)
    return new
  }
}
