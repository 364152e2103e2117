extension ListQuery {
  /// Makes a tree of the rows of each section, by what is above each row.
  ///
  /// A row is below the row that it names as its parent, if that is in its section. Rows below the same
  /// one keep their order, so sort before. Of rows that name each other in a circle, the first is at the
  /// top.
  ///
  /// ``DerivedSource/expandItems(_:presentation:)`` and
  /// ``DerivedSource/collapseItems(_:presentation:)`` fold rows.
  ///
  /// Write it last: an operation after it sees a list of the rows that are visible.
  ///
  /// - Parameters:
  ///   - id: Equal in two queries that give each row the same parent; `nil` if no other does.
  ///   - parent: The identifier of the row that the row of an element is below; `nil` for none.
  ///   - isExpanded: Whether rows are expanded when they come.
  /// - Complexity: O(n) for n rows when the query is set, O(log² n) for each row that changes
  ///   afterwards. A row that moves counts with all that is below it. As long as there is a circle,
  ///   a change costs O(n).
  @inlinable public func outlined(
    id: (any Hashable & Sendable)? = nil,
    by parent: @escaping @Sendable (Output.Element) -> Output.ItemID?, isExpanded: Bool = true
  ) -> ListQuery {
    outlined(RowParents(Output.Element.self, parent), isExpanded: isExpanded, id: id)
  }

  @usableFromInline func outlined(
    _ parents: RowParents<ItemID>, isExpanded: Bool, id: (any Hashable & Sendable)?
  ) -> ListQuery {
    var query = adding { rules in
      // The sections are those of the rows, each with a tree.
      rules.omitsEmptySections = false
      rules.tree = TreeRule(parents: parents, isExpanded: isExpanded)
      rules.identity = .named(.outline(isExpanded: isExpanded), id)
    }
    // What comes after it sees a list, in the order of the tree.
    query.traits.order = nil
    query.traits.canSummarise = false
    return query
  }
}
