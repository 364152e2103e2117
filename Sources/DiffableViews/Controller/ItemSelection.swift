import Diffable

/// The selected items of a list.
struct ItemSelection<ItemID: Hashable & Sendable> {
  /// Rows that were selected together, from one row to another.
  struct Span {
    /// The item that the range begins with, which was selected alone.
    var anchor: ItemID
    /// The item that the range was extended to.
    var lead: ItemID
    /// The rows that only the range has selected.
    var added = SelectedRows<ItemID>()

    init(of item: ItemID) { (anchor, lead) = (item, item) }

    /// Follows the two items if they have received other identifiers.
    mutating func rename(_ name: (ItemID) -> ItemID) {
      (anchor, lead) = (name(anchor), name(lead))
    }
  }

  var rows = SelectedRows<ItemID>()
  /// The range that can be extended; its only item if that was selected alone.
  var span: Span?
  /// Whether some absent items may be gone for good.
  var isUncertain = false

  /// The selection after the range was extended.
  ///
  /// - Parameters:
  ///   - lead: The item that it is extended to.
  ///   - range: The rows from the anchor to it.
  func extended(to lead: ItemID, selecting range: ItemPathSet) -> ItemSelection {
    var new = self
    let range = SelectedRows<ItemID>(paths: range)
    let others = rows.subtracting(span?.added ?? SelectedRows())
    new.rows = others.union(range)
    new.span?.lead = lead
    new.span?.added = range.subtracting(others)
    return new
  }
}
