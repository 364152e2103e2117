/// What an order tree knows about each of its subtrees, besides the number of elements.
///
/// Trees of sections use some of the properties, and trees of rows use the others; items have no
/// totals. The kernel of the elements makes the totals of a leaf. The totals of an inner node are
/// joined from its children. So a descent can skip what it does not search. Totals form a monoid:
/// joining is associative, and empty totals change nothing.
@usableFromInline package struct Totals: Hashable, Sendable {
  /// The items of sections, or the rows of an outline, that are visible.
  package var items = 0
  /// The sections that hold an outline.
  package var outlines = 0
  /// The rows of the sections' outlines that collapsed rows hide.
  package var hiddenRows = 0
  /// The lowest level of any row, to find the end of a subtree and the parent of a row.
  package var lowestLevel = Int32.max
  /// Whether any row waits for its children.
  package var isLoading = false

  package init() {}

  /// Joins the totals of the elements that follow.
  mutating func append(_ next: Totals) {
    items += next.items
    outlines += next.outlines
    hiddenRows += next.hiddenRows
    lowestLevel = min(lowestLevel, next.lowestLevel)
    if next.isLoading { isLoading = true }
  }

  /// Replaces the totals of one part, if that needs no look at the others.
  ///
  /// - Returns: Whether it did. Numbers can be subtracted, but the lowest level of the rest may be
  ///   unknown.
  mutating func exchange(_ old: Totals, for new: Totals) -> Bool {
    guard old.lowestLevel == new.lowestLevel, old.isLoading == new.isLoading else { return false }
    items += new.items - old.items
    outlines += new.outlines - old.outlines
    hiddenRows += new.hiddenRows - old.hiddenRows
    return true
  }
}
