public import Diffable

extension ListSource {
  /// Returns a source that shows several rows for each element: a recording with its takes, an order with its lines.
  ///
  /// ```swift
  /// let lines = orders.flatMapped { $0.lines }
  /// ```
  ///
  /// A row is identified by the element and by the value that it shows: it stays when the element changes, and
  /// when the element gets another identifier. An element without values has no rows, and of values with equal
  /// identifiers the first is shown. The list has the sections of this source.
  ///
  /// A query keeps identifiers, so this is a source, and queries can follow it. A row is a part of what can be
  /// dragged, so drags are refused: `ReorderRefusal.readOnly`.
  ///
  /// - Parameters:
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  ///   - values: The values to show for an element, in their order.
  /// - Complexity: O(1). Rows are made when a subscriber requests a batch: O(n) for n rows, and O(k · log n) for
  ///   the k rows of each element that changes afterwards.
  @inlinable
  public nonisolated func flatMapped<Value: Identifiable & Equatable & Sendable>(
    options: SourceOptions? = nil, _ values: @escaping @Sendable (Element) -> [Value]
  ) -> DerivedSource<
    ModelBatch<SectionID, PartRow<ItemID, Value>>, ModelBatch<SectionID, PartRow<ItemID, Value>>
  > {
    flatMapped(
      Snapshot<SectionID, PartID<ItemID, Value.ID>>.makeKernels(
        models: ElementKernel(models: PartRow<ItemID, Value>.self)),
      { lend($0, to: values) }, options)
  }

  @usableFromInline nonisolated func flatMapped<Value>(
    _ kernels: SnapshotKernels, _ values: @escaping @Sendable (UnsafeRawPointer) -> [Value],
    _ options: SourceOptions?
  ) -> DerivedSource<
    ModelBatch<SectionID, PartRow<ItemID, Value>>, ModelBatch<SectionID, PartRow<ItemID, Value>>
  > {
    DerivedSource(
      [SourceFeed(self)], SourceParts<SectionID, ItemID, Value>(values, kernels), kernels,
      ListQuery(), options)
  }
}

extension ListSource where Element: Identifiable & Equatable, Element.ID == ItemID {
  /// Returns a source that shows the first rows of each section, and a row that says how many there are more.
  ///
  /// ```swift
  /// let days = orders.derived { $0.grouped(by: \.day).sectionsSorted(by: .count, reverse: true) }
  /// let short = days.abridged(to: 3)  // three rows of each day, and "17 more"
  /// ```
  ///
  /// A section with no more rows than that has no such row. The row is identified by its section: it stays when the
  /// number changes. For a query that follows, it is a row like any other, of no element. Sections and their models
  /// are those of this source, so totals are of all rows.
  ///
  /// A query keeps identifiers, so this is a source, and queries can follow it. To give the number to the model of
  /// the section instead, see ``ListQuery/prefix(id:ofEachSection:_:)``. Drags are refused:
  /// `ReorderRefusal.readOnly`.
  ///
  /// - Parameters:
  ///   - count: The number of rows to show of each section; none if it is negative.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  /// - Complexity: O(1). Rows are made when a subscriber requests a batch: O(s) for s sections and the rows that are
  ///   shown, and O(log n) for each row that changes afterwards, or that is shown now, or no longer.
  @inlinable
  public nonisolated func abridged(
    to count: Int, options: SourceOptions? = nil
  ) -> DerivedSource<
    ModelBatch<SectionID, AbridgedRow<SectionID, Element>>,
    ModelBatch<SectionID, AbridgedRow<SectionID, Element>>
  > {
    abridged(
      to: count,
      Snapshot<SectionID, AbridgedID<SectionID, ItemID>>.makeKernels(
        models: ElementKernel(models: AbridgedRow<SectionID, Element>.self)), options)
  }

  @usableFromInline nonisolated func abridged(
    to count: Int, _ kernels: SnapshotKernels, _ options: SourceOptions?
  ) -> DerivedSource<
    ModelBatch<SectionID, AbridgedRow<SectionID, Element>>,
    ModelBatch<SectionID, AbridgedRow<SectionID, Element>>
  > {
    DerivedSource(
      [SourceFeed(self)],
      SourceAbridgement<SectionID, Element>(length: Swift.max(0, count), kernels), kernels,
      ListQuery(), options)
  }
}
