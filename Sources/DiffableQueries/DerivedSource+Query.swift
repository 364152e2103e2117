public import Diffable

extension DerivedSource {
  /// The current state: the query applied to the current state of the base.
  ///
  /// - Complexity: O(1) while this source has a subscriber and nothing has changed, otherwise that
  ///   of following the base.
  public var snapshot: Snapshot<SectionID, ItemID> {
    get async {
      await catchUp()
      rest()
      return core.snapshot
    }
  }

  /// The revision of the current state, which shows everything that was written to the base before.
  ///
  /// - Complexity: As that of ``snapshot``.
  public var revision: Revision {
    get async {
      await catchUp()
      rest()
      return core.revision
    }
  }

  /// The latest revision of the base that a revision of this source shows.
  ///
  /// If two sources are merged or joined, it is the revision of the first.
  ///
  /// - Returns: `nil` for a revision that is not in the history.
  /// - Complexity: O(log h) for a history of h revisions.
  public func baseRevision(of revision: Revision) -> Revision? {
    baseRevisions(of: revision)?.first
  }

  /// The revisions of all followed sources that a revision of this source shows.
  ///
  /// There are two if this source merges or joins two.
  ///
  /// - Returns: `nil` for a revision that is not in the history.
  /// - Complexity: O(log h) for a history of h revisions.
  public func baseRevisions(of revision: Revision) -> [Revision]? {
    let index = origins.partitioningIndex { $0.revision >= revision }
    guard index < origins.count, origins[index].revision == revision,
      core.hub.withMachine({ $0.history.contains(revision) })
    else { return nil }
    return origins[index].bases
  }

  /// Replaces the query.
  ///
  /// Subscribers receive one batch from the state that they show to the result of the new query.
  ///
  /// Operations at the beginning of the query are not computed again if they have the same `id`s as
  /// before.
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
    try await replace(by: query(ListQuery()), presentation)
  }

  private func replace(
    by query: ListQuery<Input, Output>, _ presentation: Presentation
  ) throws(DataSourceError) {
    try checkIsOpen()
    chain = query.chain().continuing(chain)
    findings = ExpansionFlags()
    (moves, loader) = (query.moves, query.loader)
    stale = stale.map { max($0, presentation) } ?? presentation
    if isAsked { evaluateIfStale() }
  }

  /// Follows another source from now on, with the same query.
  ///
  /// Subscribers receive one batch from the state that they show to the result of the query for the
  /// new source. The source replaces everything that was followed, even two sources that were
  /// merged or joined.
  ///
  /// - Parameter source: The source to follow.
  /// - Throws: `DataSourceError.finished` if this source or everything that it follows has
  ///   finished, `DataSourceError.followsItself` if the new base is this source or follows it,
  ///   also through other sources. Nothing changes then.
  /// - Complexity: The cost of the query's operations, when a subscriber requests a batch.
  public func setBase<Source: ListSource>(
    _ source: Source
  ) throws(DataSourceError)
  where Source.Batch == Input, Source.SectionID == Input.SectionID, Source.ItemID == Input.ItemID {
    try checkIsOpen()
    let feed = SourceFeed(source)
    guard upstream.follow([feed.hub], for: core.hub) else { throw core.refusing(.followsItself) }
    for former in feeds {
      former.stop()
      feed.generation = Swift.max(feed.generation, former.generation)
      // Tasks that wait do so for the first state of the new base.
      former.waiters.move(to: feed.waiters, for: .empty)
    }
    feeds = [feed]
    dragged = BaseSource(source)
    (unconfirmed, baseRenames) = ([:], ItemRenames())
    front = OneSource(source.reader.kernels)
    if isAsked || !feed.waiters.isEmpty { start(0) }
  }

  /// Throws if this source has ended, or if nothing can come from the followed sources any more.
  func checkIsOpen() throws(DataSourceError) {
    guard !core.isFinished, !core.hub.hasEnded else { throw core.refusing(.finished) }
  }

  /// Ends the source: streams end.
  ///
  /// A second call does nothing.
  public func finish() {
    core.finish()
    alarm?.cancel()
    for feed in feeds {
      feed.stop()
      feed.waiters.wake()
    }
  }
}
