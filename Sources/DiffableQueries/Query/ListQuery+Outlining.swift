public import Diffable

extension ListQuery {
  /// Makes a tree of the rows of each section from the parent of each row.
  ///
  /// A row is below the row that it names as its parent, if that row is in the same section. Otherwise
  /// it is at the top: also if a filter has left out its parent, so such a filter should leave out what
  /// is below that as well. Siblings keep their order, so sort before. If rows name each other in a
  /// circle, the first of these rows is at the top.
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
    outlined(id, TreeRule(parent, isExpanded: isExpanded))
  }

  /// Makes a tree whose rows get their children when they are expanded.
  ///
  /// ```swift
  /// folders.derived { query in
  ///   query.outlined(by: \.parent, unloaded: { !$0.isLoaded }) { folder in
  ///     let children = try await server.children(of: folder.id)
  ///     try await folders.update { draft in
  ///       try draft.appendItems(children)
  ///       try draft.update(folder.id) { $0.isLoaded = true }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The disclosure of a row whose children are not loaded says so, and such a row is collapsed. When
  /// it is expanded, `load` is called. It writes the children to the source, and a model of the row by
  /// which they are loaded. If it throws, the row is collapsed, and
  /// ``DerivedSource/setExpanded(_:of:named:)`` throws the reason, unless others have loaded the children
  /// meanwhile. If an expanded row gets a model by which its children are no longer loaded, `load` is called
  /// again. That includes an undo of what `load` has written. So give that change no name, and undo in the
  /// scope `UndoScope.named`.
  ///
  /// Otherwise like ``outlined(id:by:isExpanded:)``.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give each row the same parent; `nil` if it equals no other.
  ///   - parent: The identifier of the parent row for an element; `nil` for none.
  ///   - isExpanded: Whether rows are expanded when they are inserted or their children are loaded.
  ///   - unloaded: Whether an element has children that are not loaded.
  ///   - load: Loads the children of an element. It is called off the main actor, and once for a row until
  ///     its children are loaded or it is collapsed.
  public func outlined(
    id: (any Hashable & Sendable)? = nil,
    by parent: @escaping @Sendable (Output.Element) -> Output.ItemID?, isExpanded: Bool = true,
    unloaded: @escaping @Sendable (Output.Element) -> Bool,
    load: @escaping @Sendable (Output.Element) async throws -> Void
  ) -> ListQuery {
    var query = outlined(
      id, TreeRule(parent, isExpanded: isExpanded, unloaded: RowTest(unloaded)))
    query.loader = { chain, snapshot, item in
      guard let element = chain.treeElement(of: item, in: snapshot, as: Output.Element.self)
      else { return nil }
      return { try await load(element) }
    }
    return query
  }

  private func outlined(
    _ id: (any Hashable & Sendable)?, _ rule: TreeRule<ItemID>
  ) -> ListQuery {
    let kind = StepIdentity.Kind.outline(
      isExpanded: rule.isExpanded, isLoaded: rule.unloaded == nil)
    var query = adding(.named(kind, id)) { rules in
      // The sections are those of the rows, each with a tree.
      rules.omitsEmptySections = false
      rules.tree = rule
    }
    query.traits.becomeTree()
    return query
  }

  /// Shows a model for each row of a tree that knows how many rows are below it, and an aggregate of them.
  ///
  /// ```swift
  /// folders.derived { query in
  ///   query.outlined(by: \.parent).aggregatingDescendants(.sum(of: \.size)) { folder, count, size in
  ///     FolderRow(id: folder.id, text: "\(folder.name): \(count) files, \(size) bytes")
  ///   }
  /// }
  /// ```
  ///
  /// It reads the trees that ``outlined(id:by:isExpanded:)`` makes, and the outlines of the source if
  /// it is the first operation. If those are to fold and unfold, write `searched` before it. All descendants
  /// count, hidden ones too. A row without descendants has the count 0 and what no rows come to.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that do the same; `nil` if it equals no other.
  ///   - aggregate: What the descendants of a row come to, see ``Aggregate``.
  ///   - transform: The model to show for an element, with the number of its descendants and what they
  ///     come to. Its `id` should be the row's.
  /// - Complexity: O(n · log n) for n rows when the query is set. Afterwards O(d · log n) for a row
  ///   that changes at depth d, and `transform` is called for its ancestors. A row that is inserted,
  ///   deleted or moved counts with all its descendants, and a section that is inserted with its rows.
  @inlinable
  public func aggregatingDescendants<Value, Model: Identifiable & Equatable & Sendable>(
    id: (any Hashable & Sendable)? = nil, _ aggregate: Aggregate<Output.Element, Value>,
    _ transform:
      @escaping @Sendable (_ element: Output.Element, _ count: Int, _ value: Value) -> Model
  ) -> ListQuery<Input, ModelBatch<Output.SectionID, Model>> where Model.ID == Output.ItemID {
    totalled(
      id: id, aggregate, transform,
      Snapshot<Output.SectionID, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  /// Shows a model for each row of a tree that knows how many rows are below it.
  ///
  /// Otherwise like ``aggregatingDescendants(id:_:_:)``.
  @inlinable public func countingDescendants<Model: Identifiable & Equatable & Sendable>(
    id: (any Hashable & Sendable)? = nil,
    _ transform: @escaping @Sendable (_ element: Output.Element, _ count: Int) -> Model
  ) -> ListQuery<Input, ModelBatch<Output.SectionID, Model>> where Model.ID == Output.ItemID {
    aggregatingDescendants(id: id, .count) { element, count, _ in transform(element, count) }
  }

  @usableFromInline func totalled<Totalled: ListBatch, Value, Model>(
    id: (any Hashable & Sendable)?, _ aggregate: Aggregate<Output.Element, Value>,
    _ transform: @escaping @Sendable (Output.Element, Int, Value) -> Model,
    _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Totalled>
  where Totalled.ItemID == Output.ItemID, Totalled.SectionID == Output.SectionID {
    let identity = StepIdentity.named(.totals(ObjectIdentifier(Model.self)), id)
    let before = closed
    var query = ListQuery<Input, Totalled> { [makeChain = before.makeChain] _, _ in
      Self.sequence(
        makeChain(nil, false),
        TreeTotals<SectionID, ItemID, Output.Element, Value, Model>(aggregate, transform, kernels),
        identity)
    }
    (query.moveChange, query.loader) = (moveChange, loader)
    query.traits = before.traits
    query.traits.becomeTree()
    return query
  }

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
  /// So `searched(if: false)` shows the outlines of a source as trees. A row is folded as in the source until
  /// it is folded or unfolded here; from then on, independently of it.
  ///
  /// In a section that is no tree, the rows that satisfy the condition are kept. Sections in which
  /// nothing is found stay, unless the list was grouped or ``omittingEmptySections()`` was called. A
  /// later operation receives a flat list of the visible rows.
  ///
  /// - Parameters:
  ///   - isActive: Whether to search; otherwise all rows are kept.
  ///   - keepsUnloaded: Whether to keep rows whose children are not loaded, too. There may be
  ///     something below them; their disclosure says so, and expanding one loads its children. If the source
  ///     loads them, the row is collapsed until it does so, and again if an undo there takes them back.
  ///   - isIncluded: Whether to keep the row of an element.
  /// - Complexity: O(n) calls of the condition for n rows when the query is set. Afterwards
  ///   O(d · log² n) for a row that changes at depth d; a row that is inserted, deleted or moved counts
  ///   with all its descendants. A section that is inserted, or that changes and is no tree, costs
  ///   O(r · log n) for its r rows.
  public func searched(
    if isActive: Bool = true, keepsUnloaded: Bool = false,
    _ isIncluded: @escaping @Sendable (Output.Element) -> Bool
  ) -> ListQuery {
    let test = isActive ? RowTest(isIncluded) : nil
    var query = closed
    let (omits, loadsChildren) = (traits.omitsEmptySections, loader != nil)
    query.makeChain = { [makeChain = query.makeChain] _, _ in
      Self.sequence(
        makeChain(nil, false),
        TreeSearch<SectionID, ItemID>(
          test, keepsUnloaded: keepsUnloaded, loadsChildren: loadsChildren,
          omitsEmptySections: omits, element: Output.Element.self), .named(.search, nil))
    }
    query.traits.becomeTree()
    return query
  }
}
