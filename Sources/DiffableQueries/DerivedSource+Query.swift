public import Diffable

extension DerivedSource {
  /// Replaces the query.
  ///
  /// Subscribers receive one batch from the state that they show to the result of the new query; none if that shows
  /// the same.
  ///
  /// Operations at the beginning of the query are not computed again if they have the same `id`s as
  /// before. A query that is replaced while the one before it works is left out, and a search for a text that is still
  /// working when the query is replaced is given up.
  ///
  /// - Parameters:
  ///   - presentation: How to show the change.
  ///   - query: What to show, beginning with the whole list.
  /// - Throws: `DataSourceError.finished` if this source or the base has finished. Nothing
  ///   changes then.
  /// - Complexity: The cost of the operations of the query. If no subscriber waits for a batch,
  ///   they are computed when a batch is requested.
  public nonisolated(nonsending) func setQuery(
    presentation: Presentation = .animated,
    _ query: (ListQuery<Input, Input>) -> ListQuery<Input, Output>
  ) async throws(DataSourceError) {
    let turn = turns.next()
    turns.begin(turn)
    try await replace(by: query(ListQuery()), presentation, turn)
  }

  /// Replaces the query after a pause, unless it is replaced again until then.
  ///
  /// For a search field whose query is expensive: while the user types without a pause, nothing is computed.
  ///
  /// ```swift
  /// func textDidChange(to text: String) {
  ///   Task { try await found.setQuery(after: .milliseconds(80)) { $0.searched(for: text, in: \.title) } }
  /// }
  /// ```
  ///
  /// Otherwise like ``setQuery(presentation:_:)``, which does not wait, and takes the place of a query that does.
  ///
  /// - Parameters:
  ///   - pause: How long to wait, by the clock of the source: `SourceOptions.clock`. More than a hundred years means
  ///     a hundred, and less than no time means none.
  ///   - presentation: How to show the change.
  ///   - query: What to show, beginning with the whole list. It is called before the pause.
  /// - Returns: Whether the query was set; `false` if another one was given during the pause.
  /// - Throws: `DataSourceError.cancelled` if the task is cancelled during the pause, and
  ///   `DataSourceError.finished`. Nothing changes then.
  @discardableResult
  public nonisolated(nonsending) func setQuery(
    after pause: Duration, presentation: Presentation = .animated,
    _ query: (ListQuery<Input, Input>) -> ListQuery<Input, Output>
  ) async throws(DataSourceError) -> Bool {
    let turn = turns.next()
    let query = query(ListQuery())
    do {
      try await hub.clock.sleep(for: max(.zero, min(pause, .longest)))
    } catch {
      throw .cancelled
    }
    guard turns.isLast(turn) else { return false }
    turns.begin(turn)
    return try await replace(by: query, presentation, turn)
  }

  /// Replaces the query, unless a later one is here already.
  ///
  /// - Returns: Whether it did.
  @discardableResult private func replace(
    by query: ListQuery<Input, Output>, _ presentation: Presentation, _ turn: Int
  ) throws(DataSourceError) -> Bool {
    try checkIsOpen()
    guard turn > self.turn else { return false }
    self.turn = turn
    chain = query.chain().continuing(chain)
    findings = ExpansionFlags()
    (moves, loader) = (query.moves, query.loader)
    stale = stale.map { max($0, presentation) } ?? presentation
    // The next query will be here soon, and works out what this one has not.
    if isAsked, !turns.isSuperseded(turn) {
      evaluateIfStale { [turns] in turns.isSuperseded(turn) }
    }
    return true
  }
}
