public import Diffable

extension ListQuery {
  /// Keeps the rows of trees that satisfy a condition, with all their ancestors.
  ///
  /// ```swift
  /// folders.derived { $0.outlined(by: \.parent).searched { $0.name.contains(text) } }
  /// ```
  ///
  /// It searches the trees that ``outlined(id:by:isExpanded:)`` makes, and the outlines of the source
  /// if it is the first operation. Rows below collapsed ones are searched too. What is found is shown:
  /// its ancestors are expanded, until the user folds them. When the query is replaced by one without
  /// the search, or with another one, the trees are folded as they were before.
  ///
  /// While nothing is searched, all rows are kept and the trees are shown as they are folded. So a
  /// search field needs one query:
  ///
  /// ```swift
  /// try await found.setQuery { $0.searched(if: !text.isEmpty) { $0.name.contains(text) } }
  /// ```
  ///
  /// So `searched(if: false)` shows the outlines of a source as trees, folded independently of it.
  ///
  /// In a section that is no tree, the rows that satisfy the condition are kept. A later operation
  /// receives a flat list of the visible rows.
  ///
  /// - Parameters:
  ///   - isActive: Whether to search; otherwise all rows are kept.
  ///   - keepsUnloaded: Whether to keep rows whose children are not loaded, too. There may be
  ///     something below them; their disclosure says so, and expanding one loads its children.
  ///   - isIncluded: Whether to keep the row of an element.
  /// - Complexity: O(n) calls of the condition for n rows when the query is set. Afterwards
  ///   O(d · log n) for a row that changes at depth d; a row that is inserted, deleted or moved counts
  ///   with all its descendants. A change of sections costs O(n).
  public func searched(
    if isActive: Bool = true, keepsUnloaded: Bool = false,
    _ isIncluded: @escaping @Sendable (Output.Element) -> Bool
  ) -> ListQuery {
    let rule = SearchRule(
      test: isActive ? RowTest(isIncluded) : nil, keepsUnloaded: keepsUnloaded)
    let before = closed
    var query = ListQuery { [makeChain = before.makeChain] _, _ in
      let search = TreeSearch<SectionID, ItemID>(rule, element: Output.Element.self)
      if let chain = makeChain(nil, false) { return QuerySequence(chain, search) }
      // Before the first step, sections are those of the input.
      return search as? any QueryChain<Input.SectionID, SectionID, ItemID>
    }
    (query.kernels, query.moveChange, query.loader) = (kernels, moveChange, loader)
    query.traits = before.traits
    (query.traits.order, query.traits.isRanked) = (nil, false)
    (query.traits.canSummarise, query.traits.isTree) = (false, true)
    return query
  }
}
