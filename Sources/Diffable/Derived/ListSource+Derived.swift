extension ListSource {
  /// A source that shows this one through a query.
  ///
  /// - Parameters:
  ///   - history: The number of revisions that are kept besides the live one, for subscribers that
  ///     want every revision or resume after one.
  ///   - clock: The clock of ``UpdatePolicy/coalesced(throttle:)``; a test can pass one that it moves
  ///     itself.
  ///   - observer: Is told what happens; without one, nothing is spent on it.
  ///   - query: What to show, beginning with the whole list.
  /// - Complexity: O(1). The query is worked out when somebody asks for it.
  public nonisolated func derived<Output>(
    history: Int = 64, clock: any Clock<Duration> = ContinuousClock(),
    observer: DataSourceObserver? = nil,
    _ query: (ListQuery<Batch, Batch>) -> ListQuery<Batch, Output>
  ) -> DerivedSource<Batch, Output> {
    DerivedSource(
      [SourceFeed(self)], OneSource(reader.kernels), query(ListQuery()), history: history,
      clock: clock, observer: observer)
  }

  /// A source that shows the list of this one and that of another as one list.
  ///
  /// Sections of this source come first. A section that both have is one section, with the rows of this
  /// source before those of the other. A row that both have is where this source has it, and shows
  /// what that says. Merge more sources one after the other, and derive from the result.
  ///
  /// - Parameters:
  ///   - other: The other source.
  ///   - history: As in ``derived(history:clock:observer:_:)``.
  ///   - clock: As in ``derived(history:clock:observer:_:)``.
  ///   - observer: As in ``derived(history:clock:observer:_:)``.
  /// - Complexity: O(1). The lists are merged when somebody asks: O(n · log n) for n rows, and
  ///   O(c · log² n) for c rows that change afterwards.
  public nonisolated func merged<Other: ListSource>(
    with other: Other, history: Int = 64, clock: any Clock<Duration> = ContinuousClock(),
    observer: DataSourceObserver? = nil
  ) -> DerivedSource<Batch, Batch>
  where Other.Batch == Batch, Other.SectionID == SectionID, Other.ItemID == ItemID {
    DerivedSource(
      [SourceFeed(self), SourceFeed(other)],
      SourceMerge(element: Element.self, reader.kernels), ListQuery(), history: history,
      clock: clock, observer: observer)
  }
}
