/// A list that shows another source through a query, and follows it.
///
/// ```swift
/// let open = notes.derived {                        // notes: ModelSource<Folder, Note>
///   $0.filter { !$0.isDone }
///     .sorted { $0.date > $1.date }
///     .grouped(by: \.day, order: >)
/// }
/// for await batch in open.updates() { show(batch) }  // or any renderer
/// try await open.setQuery { $0.filter { $0.title.contains(text) }.grouped(by: \.day, order: >) }
/// ```
///
/// It is a source like any other: every renderer follows it, and other sources can be derived from it.
/// Nobody writes to it. To change a row, write to the source that it follows.
///
/// What it guarantees:
///
/// - Each of its states is what the query makes of a state of the base, see ``baseRevision(of:)``.
/// - It works when it is asked. If nobody follows it, the base does not know it, and changes of the
///   base cost nothing. A subscriber that is slow gets one batch for all that it has missed.
/// - A change of the base costs O(c · log² n) for c changed rows of n. Another query costs O(n), less
///   for operations that are declared to do the same as before, see ``ListQuery``.
/// - Batches are minimal. A row that only changes its place is a move, one whose group changes moves to
///   another section, and one that shows something else is reconfigured.
///
/// It holds the source that it follows, and finishes when that does. Its own batches have revisions of
/// its own.
public actor DerivedSource<Input: ListBatch, Output: ListBatch>: ListSource
where Input.ItemID == Output.ItemID {
  /// What identifies sections.
  public typealias SectionID = Output.SectionID
  /// What identifies items: the same as in the base.
  public typealias ItemID = Output.ItemID
  /// Hands out batches of what the query shows.
  public typealias Batch = Output

  /// The way to what the source has published; for this package alone.
  public nonisolated let reader: RevisionReader<Output.SectionID, Output.ItemID>
  let core: SourceCore<Output.SectionID, Output.ItemID>
  /// What those who follow know of this source.
  let upstream: Upstream
  var chain: any QueryChain<Input.SectionID, Output.SectionID, Output.ItemID>
  /// What is followed: one source, or two that are merged.
  var feeds: [Feed]
  /// Makes one list of two.
  let merge: SourceMerge<Input.SectionID, Input.ItemID>?
  /// How to show what stages make that have to be worked out before the state is asked for; `nil` if
  /// there are none.
  var stale: Presentation?
  /// Whether a change could not be made, and the stages no longer fit together.
  var isBroken = false
  /// The revisions of what is followed of each revision of this source, oldest first.
  var origins: [(revision: Revision, bases: [Revision])] = []
  /// How many revisions are kept besides the live one.
  let history: Int

  /// A source that is followed.
  struct Feed {
    /// Held, so that it does not end.
    let source: any AnyObject & Sendable
    let reader: RevisionReader<Input.SectionID, Input.ItemID>
    /// The state that the stages rest on, once there is one.
    var state: (snapshot: Snapshot<Input.SectionID, Input.ItemID>, revision: Revision)?
    /// Its batches, while somebody follows.
    var batches: AsyncStream<UpdateBatch<Input.SectionID, Input.ItemID>>?
    /// Whether no batch of them has been taken yet.
    var isSubscriptionNew = false
    /// Takes batches, while somebody waits.
    var pump: Task<Void, Never>?
    /// Tells the batches of one subscription from those of another.
    var generation = 0
    var isOver = false
    /// Those who wait for a revision.
    var waiters: [(revision: Revision, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ source: some ListSource<Input.SectionID, Input.ItemID>) {
      (self.source, reader) = (source, source.reader)
    }
  }

  init(
    _ feeds: [Feed], _ query: ListQuery<Input, Output>, history: Int, clock: any Clock<Duration>,
    observer: DataSourceObserver?
  ) {
    let upstream = Upstream()
    let core = SourceCore<Output.SectionID, Output.ItemID>(
      duplicates: .reject, history: history, epoch: Epoch(), clock: clock, observer: observer,
      kernels: query.kernels ?? feeds[0].reader.kernels, children: nil, upstream: upstream)
    self.core = core
    self.feeds = feeds
    merge = feeds.count > 1 ? SourceMerge() : nil
    self.history = Swift.max(0, history)
    chain = query.chain()
    reader = RevisionReader(hub: core.hub)
    self.upstream = upstream
    upstream.begin {
      [weak self] in
      await self?.catchUp()
    } rest: { [weak self] in
      guard let self else { return }
      Task { await self.rest() }
    }
  }

  deinit {
    for feed in feeds { feed.pump?.cancel() }
  }
}

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
      [.init(self)], query(ListQuery()), history: history, clock: clock, observer: observer)
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
      [.init(self), .init(other)], ListQuery(), history: history, clock: clock,
      observer: observer)
  }
}

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
  /// Where two sources are merged, that of the first.
  ///
  /// - Returns: `nil` for a revision that is not in the history.
  /// - Complexity: O(log h) for a history of h revisions.
  public func baseRevision(of revision: Revision) -> Revision? {
    baseRevisions(of: revision)?.first
  }

  /// The revisions of all sources that a revision of this source shows: of two where they are merged.
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
  /// Those who follow get one batch from what they show to what the query shows of it. Where two sources
  /// are merged, the other one takes the place of the first.
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
    var feed = Feed(source)
    stop(0)
    feed.generation = feeds[0].generation
    // Whoever waits does so for the first state of the new base.
    feed.waiters = feeds[0].waiters.map { (.empty, $0.continuation) }
    feeds[0] = feed
    if upstream.isAsked || !feed.waiters.isEmpty { start(0) }
  }

  /// Ends the source: streams end.
  ///
  /// A second call does nothing.
  public func finish() {
    core.finish()
    for index in feeds.indices {
      stop(index)
      resumeWaiters(of: index, upTo: nil)
    }
  }
}
