public import Diffable

extension ListQuery {
  /// Makes a tree of the rows of each section from the parent of each row.
  ///
  /// A row is below the row that it names as its parent, if that row is in the same section.
  /// Siblings keep their order, so sort before. If rows name each other in a circle, the first of
  /// these rows is at the top.
  ///
  /// ``DerivedSource/expandItems(_:presentation:)`` and
  /// ``DerivedSource/collapseItems(_:presentation:)`` fold rows.
  ///
  /// Use it as the last operation: a later operation receives a flat list of the visible rows.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give each row the same parent; `nil` if it equals no other.
  ///   - parent: The identifier of the parent row for an element; `nil` for none.
  ///   - isExpanded: Whether rows are expanded when they are inserted.
  /// - Complexity: O(n) for n rows when the query is set, O(log² n) for each row that changes
  ///   afterwards. A row that moves counts with all its descendants. As long as there is a circle,
  ///   a change costs O(n).
  public func outlined(
    id: (any Hashable & Sendable)? = nil,
    by parent: @escaping @Sendable (Output.Element) -> Output.ItemID?, isExpanded: Bool = true
  ) -> ListQuery {
    var query = adding { rules in
      // The sections are those of the rows, each with a tree.
      rules.omitsEmptySections = false
      rules.tree = TreeRule(parents: RowParents(parent), isExpanded: isExpanded)
      rules.identity = .named(.outline(isExpanded: isExpanded), id)
    }
    // A later operation receives a flat list, in the order of the tree.
    query.traits.order = nil
    query.traits.isRanked = false
    query.traits.canSummarise = false
    return query
  }
}
