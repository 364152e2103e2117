public import Diffable

extension ListQuery {
  /// Shows a model for each row of a tree that knows how many rows are below it, and a sum over them.
  ///
  /// ```swift
  /// folders.derived { query in
  ///   query.outlined(by: \.parent).summingDescendants(\.size) { folder, count, size in
  ///     FolderRow(id: folder.id, text: "\(folder.name): \(count) files, \(size) bytes")
  ///   }
  /// }
  /// ```
  ///
  /// It reads the trees that ``outlined(id:by:isExpanded:)`` makes, and the outlines of the source if
  /// it is the first operation; to let the user fold these, search them before. All descendants count, hidden ones too. A row without descendants has
  /// the count 0 and the sum zero.
  ///
  /// The totals are updated row by row: see `sectionModels(id:summing:_:)` for what that means for
  /// floating-point numbers.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that do the same; `nil` if it equals no other.
  ///   - value: What a row adds to the sums of its ancestors.
  ///   - transform: The model to show for an element, with the number of its descendants and the sum of
  ///     their values. Its `id` should be the row's.
  /// - Complexity: O(n) for n rows when the query is set. Afterwards O(d · log n) for a row that
  ///   changes at depth d, and `transform` is called for its ancestors. A row that is inserted,
  ///   deleted or moved counts with all its descendants. A change of sections costs O(n).
  @inlinable
  public func summingDescendants<
    Sum: AdditiveArithmetic & Sendable, Model: Identifiable & Equatable & Sendable
  >(
    id: (any Hashable & Sendable)? = nil,
    _ value: @escaping @Sendable (Output.Element) -> Sum,
    _ transform: @escaping @Sendable (_ element: Output.Element, _ count: Int, _ sum: Sum) -> Model
  ) -> ListQuery<Input, ModelBatch<Output.SectionID, Model>> where Model.ID == Output.ItemID {
    totalled(
      id: id, model: Model.self,
      Snapshot<Output.SectionID, Model.ID>.makeKernels(models: ElementKernel(models: Model.self))
    ) { SubtreeSums<Output.Element, Sum, Model>(value, transform) }
  }

  /// Shows a model for each row of a tree that knows how many rows are below it.
  ///
  /// Otherwise like ``summingDescendants(id:_:_:)``.
  @inlinable public func countingDescendants<Model: Identifiable & Equatable & Sendable>(
    id: (any Hashable & Sendable)? = nil,
    _ transform: @escaping @Sendable (_ element: Output.Element, _ count: Int) -> Model
  ) -> ListQuery<Input, ModelBatch<Output.SectionID, Model>> where Model.ID == Output.ItemID {
    summingDescendants(id: id, { _ in 0 }) { element, count, _ in transform(element, count) }
  }

  @usableFromInline func totalled<Totalled: ListBatch, Model>(
    id: (any Hashable & Sendable)?, model: Model.Type, _ kernels: SnapshotKernels,
    _ makeTotals: @escaping @Sendable () -> SubtreeTotals
  ) -> ListQuery<Input, Totalled>
  where Totalled.ItemID == Output.ItemID, Totalled.SectionID == Output.SectionID {
    let rule = TotalsRule(
      makeTotals: makeTotals, kernels: kernels,
      identity: .named(.totals(ObjectIdentifier(Model.self)), id))
    let before = closed
    var query = ListQuery<Input, Totalled> { [makeChain = before.makeChain] _, _ in
      let totals = TreeTotals<SectionID, ItemID>(rule, element: Output.Element.self)
      if let chain = makeChain(nil, false) { return QuerySequence(chain, totals) }
      // Before the first step, sections are those of the input.
      return totals as? any QueryChain<Input.SectionID, SectionID, ItemID>
    }
    (query.kernels, query.moveChange) = (kernels, moveChange)
    query.traits = before.traits
    (query.traits.order, query.traits.isRanked) = (nil, false)
    (query.traits.canSummarise, query.traits.isTree) = (false, true)
    return query
  }
}
