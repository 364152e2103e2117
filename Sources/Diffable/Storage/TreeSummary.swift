/// What an order tree knows about each of its subtrees, besides the number of elements.
///
/// A summary is computed from the elements of a leaf, and from the summaries of the children of an
/// inner node. So a descent can skip what it does not look for. Summaries form a monoid: joining is
/// associative, and the empty summary changes nothing.
@usableFromInline protocol TreeSummary: Hashable, Sendable {
  associatedtype Element: Hashable & Sendable

  /// The summary of no elements.
  init()

  /// The summary of some neighbouring elements.
  init(of elements: ContiguousArray<Element>)

  /// Joins the summary of what follows.
  mutating func append(_ next: Self)
}

/// No summary, which takes no room and no time: for items.
@usableFromInline struct NoSummary<Element: Hashable & Sendable>: TreeSummary {
  @inlinable init() {}
  @inlinable init(of elements: ContiguousArray<Element>) {}
  @inlinable func append(_ next: NoSummary) {}
}

/// An order of items.
@usableFromInline typealias ItemTree<ItemID: Hashable & Sendable> = OrderTree<NoSummary<ItemID>>
