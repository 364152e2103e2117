/// What an order tree knows about each of its subtrees, besides the number of elements.
///
/// Trees of sections fill in some of it and trees of rows the rest; items have no totals. Those of a
/// leaf are made by the kernel of its elements, those of an inner node are joined from its children.
/// So a descent can skip what it does not look for. Totals form a monoid: joining is associative, and
/// empty totals change nothing.
struct Totals: Hashable, Sendable {
  /// The items of sections, or the rows of an outline, that are visible.
  var items = 0
  /// The sections that hold an outline.
  var outlines = 0
  /// The rows of the sections' outlines that a collapsed row hides.
  var hiddenRows = 0
  /// The lowest level of any row: what ends a subtree, and where a parent is.
  var lowestLevel = Int32.max
  /// Whether any row waits for its children.
  var isLoading = false

  /// Joins the totals of what follows.
  mutating func append(_ next: Totals) {
    items += next.items
    outlines += next.outlines
    hiddenRows += next.hiddenRows
    lowestLevel = min(lowestLevel, next.lowestLevel)
    if next.isLoading { isLoading = true }
  }

  /// Puts other totals in the place of those of one part, where that needs no look at the others.
  ///
  /// - Returns: Whether it did: numbers can be taken off, but who knows the lowest level of the rest?
  mutating func exchange(_ old: Totals, for new: Totals) -> Bool {
    guard old.lowestLevel == new.lowestLevel, old.isLoading == new.isLoading else { return false }
    items += new.items - old.items
    outlines += new.outlines - old.outlines
    hiddenRows += new.hiddenRows - old.hiddenRows
    return true
  }
}
