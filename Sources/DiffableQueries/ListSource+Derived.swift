public import Diffable

extension ListSource {
  /// Returns a source that shows this one through a query.
  ///
  /// - Parameters:
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  ///   - query: What to show, beginning with the whole list.
  /// - Complexity: O(1). The query is computed when a subscriber requests the result.
  public nonisolated func derived<Output>(
    options: SourceOptions? = nil,
    _ query: (ListQuery<Batch, Batch>) -> ListQuery<Batch, Output>
  ) -> DerivedSource<Batch, Output> {
    DerivedSource(
      [SourceFeed(self)], OneSource(), reader.kernels, query(ListQuery()), options,
      dragged: BaseSource(self))
  }

  /// Returns a source that shows this list and another one as a single list.
  ///
  /// Sections of this source are first. A section that both have is one section, with the rows of
  /// this source before the rows of the other, and with the model that this source has for it, even if
  /// that is none. A row that both have is placed where this source has it, and shows the element of
  /// this source. To merge more sources, merge them one after another
  /// and derive from the result.
  ///
  /// - Parameters:
  ///   - other: The other source.
  ///   - options: What all kinds of sources let a program choose; if it is `nil`, the history and the clock
  ///     of this source.
  /// - Complexity: O(1). The lists are merged when a subscriber requests a batch: O(n · log n) for
  ///   n rows, and O(c · log² n) for c rows that change afterwards.
  public nonisolated func merged<Other: ListSource>(
    with other: Other, options: SourceOptions? = nil
  ) -> DerivedSource<Batch, Batch>
  where Other.Batch == Batch, Other.SectionID == SectionID, Other.ItemID == ItemID {
    DerivedSource(
      [SourceFeed(self), SourceFeed(other)], SourceMerge(element: Element.self), reader.kernels,
      ListQuery(), options)
  }
}
