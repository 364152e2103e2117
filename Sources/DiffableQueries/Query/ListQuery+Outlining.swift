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
    outlined(id, TreeRule(parents: RowParents(parent), isExpanded: isExpanded))
  }

  /// Makes a tree whose rows get their children when they are expanded.
  ///
  /// ```swift
  /// folders.derived { query in
  ///   query.outlined(by: \.parent, unloaded: { !$0.isLoaded }) { folder in
  ///     let children = try await server.children(of: folder.id)
  ///     try await folders.update { draft in
  ///       try draft.appendItems(children, toSection: SingleSection())
  ///       try draft.update(folder.id) { $0.isLoaded = true }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The disclosure of a row whose children are not loaded says so, and such a row is collapsed. When
  /// the user expands it, `load` is called. It writes the children to the source, and a model of the row
  /// by which they are loaded. If it throws, the row is collapsed, and
  /// ``DerivedSource/setExpanded(_:of:named:)`` throws the reason.
  ///
  /// Otherwise like ``outlined(id:by:isExpanded:)``.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give each row the same parent; `nil` if it equals no other.
  ///   - parent: The identifier of the parent row for an element; `nil` for none.
  ///   - isExpanded: Whether rows are expanded when they are inserted or their children are loaded.
  ///   - unloaded: Whether an element has children that are not loaded.
  ///   - load: Loads the children of an element. It is called off the main actor, and not again while
  ///     it works for the row.
  public func outlined(
    id: (any Hashable & Sendable)? = nil,
    by parent: @escaping @Sendable (Output.Element) -> Output.ItemID?, isExpanded: Bool = true,
    unloaded: @escaping @Sendable (Output.Element) -> Bool,
    load: @escaping @Sendable (Output.Element) async throws -> Void
  ) -> ListQuery {
    var rule = TreeRule<ItemID>(parents: RowParents(parent), isExpanded: isExpanded)
    rule.unloaded = RowTest(unloaded)
    var query = outlined(id, rule)
    query.loader = { snapshot, item in
      guard let element = Output.element(for: item, in: snapshot) else {
        throw CancellationError()
      }
      try await load(element)
    }
    return query
  }

  private func outlined(
    _ id: (any Hashable & Sendable)?, _ rule: TreeRule<ItemID>
  ) -> ListQuery {
    var query = adding { rules in
      // The sections are those of the rows, each with a tree.
      rules.omitsEmptySections = false
      rules.tree = rule
      rules.identity = .named(
        .outline(isExpanded: rule.isExpanded, isLoaded: rule.unloaded == nil), id)
    }
    // A later operation receives a flat list, in the order of the tree.
    query.traits.order = nil
    query.traits.isRanked = false
    query.traits.canSummarise = false
    query.traits.isTree = true
    return query
  }
}
