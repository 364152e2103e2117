extension DerivedSource {
  /// The present state: what the query makes of the present state of the base.
  ///
  /// - Complexity: O(1) while somebody follows this source and nothing has changed, else that of
  ///   following the base.
  public var snapshot: Snapshot<SectionID, ItemID> {
    get async {
      await catchUp()
      rest()
      return core.snapshot
    }
  }

  /// The number of the state that was worked out last.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { core.revision }

  /// The revision of the base that a revision of this source shows; the latest, if there are several.
  ///
  /// Where two sources are merged or joined, that of the first.
  ///
  /// - Returns: `nil` for a revision that is not in the history.
  /// - Complexity: O(log h) for a history of h revisions.
  public func baseRevision(of revision: Revision) -> Revision? {
    baseRevisions(of: revision)?.first
  }

  /// The revisions of all sources that a revision of this source shows: of two where they are merged or joined.
  ///
  /// - Returns: `nil` for a revision that is not in the history.
  /// - Complexity: O(log h) for a history of h revisions.
  public func baseRevisions(of revision: Revision) -> [Revision]? {
    let index = origins.partitioningIndex { $0.revision >= revision }
    guard index < origins.count, origins[index].revision == revision else { return nil }
    return origins[index].bases
  }

  /// Replaces the query.
  ///
  /// Those who follow get one batch from what they show to what the new query shows.
  ///
  /// Operations at the beginning of the query that have equal values of `id` as before are not worked
  /// out again.
  ///
  /// - Parameters:
  ///   - presentation: How the change is to be shown.
  ///   - query: What to show, beginning with the whole list.
  /// - Throws: ``DataSourceError/finished`` if this source or the base has finished. Nothing has changed
  ///   then.
  /// - Complexity: That of the operations of the query. If nobody waits for a batch, they are worked out
  ///   when somebody asks.
  public nonisolated(nonsending) func setQuery(
    presentation: Presentation = .animated,
    _ query: (ListQuery<Input, Input>) -> ListQuery<Input, Output>
  ) async throws(DataSourceError) {
    try await replace(by: query(ListQuery()), presentation)
  }

  private func replace(
    by query: ListQuery<Input, Output>, _ presentation: Presentation
  ) throws(DataSourceError) {
    guard !core.isFinished else { throw core.refusing(.finished) }
    chain = query.chain().continuing(chain)
    stale = stale.map { max($0, presentation) } ?? presentation
    if upstream.isAsked { evaluateIfStale() }
  }

  /// Follows another source from now on, through the same query.
  ///
  /// Those who follow get one batch from what they show to what the query shows of it. The source takes the
  /// place of all that was followed, also where that was two sources that were merged or joined.
  ///
  /// - Parameter source: The source to follow.
  /// - Throws: ``DataSourceError/finished`` if this source or the base has finished. Nothing has changed
  ///   then.
  /// - Complexity: That of the operations of the query, when somebody asks.
  public func setBase<Source: ListSource>(
    _ source: Source
  ) throws(DataSourceError)
  where Source.Batch == Input, Source.SectionID == Input.SectionID, Source.ItemID == Input.ItemID {
    guard !core.isFinished else { throw core.refusing(.finished) }
    let feed = SourceFeed(source)
    for former in feeds {
      former.stop()
      feed.generation = Swift.max(feed.generation, former.generation)
      // Whoever waits does so for the first state of the new base.
      feed.waiters += former.waiters.map { (.empty, $0.continuation) }
    }
    feeds = [feed]
    front = OneSource(source.reader.kernels)
    if upstream.isAsked || !feed.waiters.isEmpty { start(0) }
  }

  /// Ends the source: streams end.
  ///
  /// A second call does nothing.
  public func finish() {
    core.finish()
    alarm?.cancel()
    for feed in feeds {
      feed.stop()
      resumeWaiters(of: feed, upTo: nil)
    }
  }
}
