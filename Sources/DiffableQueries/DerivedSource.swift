public import Diffable

/// A read-only source that shows another source through a query.
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
/// It is a source like any other: every renderer can follow it, and other sources can be derived
/// from it. It cannot be written to. To change a row, write to the source that it follows.
///
/// The source guarantees:
///
/// - Each of its states is the result of the query for a state of the base, see
///   ``baseRevision(of:)``; if two sources are merged or joined, for one state of each, see
///   <doc:RowsOfSeveralSources>.
/// - It works only on request. Without subscribers, the base does not know about it, and changes of
///   the base cost nothing. It keeps the last state that it showed, and continues from there. A
///   slow subscriber receives one batch for everything that it has missed.
/// - A change of the base costs O(c · log² n) for c changed rows of n; if rows are grouped, a
///   section that moves counts with its rows, and in a window with those that enter or leave it. A
///   search for a text also compares the leaves of the list, O(n / 32). A new query costs O(n), and
///   less if some operations are declared to do the same as before, see ``ListQuery``.
/// - Batches are minimal. A row that only changes its place is moved. If its group changes, it
///   moves to another section. If it shows something else, it is reconfigured.
///
/// It holds the source that it follows, and its streams hold it: `notes.derived { … }.updates()`
/// needs no variable for the source. A stream ends when the followed source finishes, when
/// ``finish()`` is called, or when the task that reads it is cancelled. Batches have revisions of
/// the derived source.
public actor DerivedSource<Input: ListBatch, Output: ListBatch>: ListSource
where Input.ItemID == Output.ItemID {
  /// The batches that subscribers receive: what the query shows.
  public typealias Batch = Output

  /// Access to what the source has published.
  ///
  /// A stream holds this source, so a program need not.
  public nonisolated var _access: _SourceAccess<Output.SectionID, Output.ItemID> {
    SourceAccess(RevisionReader(hub: hub, heldBySubscribers: self))
  }
  nonisolated let hub: Hub
  let core: SourceCore<Output.SectionID, Output.ItemID>
  /// What subscribers can see of the sources that this one follows.
  let upstream: Upstream
  var chain: any QueryChain<Input.SectionID, Output.SectionID, Output.ItemID>
  /// The followed sources: one, or two that are merged or joined.
  var feeds: [any Feed]
  /// Begins drags in the followed source, if there is one.
  var dragged: (any DraggedSource<ItemID>)?
  /// What a drag in this list means in that source.
  var moves: RowMoves<Output.SectionID, ItemID>
  /// Combines them into one list.
  var front: any SourceFront<Input.SectionID, Input.ItemID>
  /// What that has cost.
  var frontWork = StepWork()
  /// Numbers the queries.
  nonisolated let turns = QueryTurns()
  /// The number of the query.
  var turn = 0
  /// Waits until rows expire, while the source has a subscriber.
  var alarm: Task<Void, Never>?
  /// The unconfirmed items that are shown as such.
  var shownUnconfirmed: Set<ItemID> = []
  /// The renamed rows of the followed sources, which no revision has reported yet.
  var baseRenames = ItemRenames<ItemID>()
  /// The expanded rows of the trees that steps make.
  var expansion = ExpansionFlags<ItemID>()
  /// The same, in what the present search has found.
  ///
  /// It is apart, so that a search forgets nothing of how the trees were folded.
  var findings = ExpansionFlags<ItemID>()
  /// Loads the children of rows.
  var loader: ListQuery<Input, Output>.Loader?
  /// The rows for which it does, or did for those that are still shown as loading.
  ///
  /// A load that nobody holds is cancelled, so all of them end with this source.
  var loads = IdentifierMap<ItemID, ChildrenLoad>()
  var lastLoad = 0
  /// Tasks that wait for the end of a load.
  let loadWaiters = WaitingTasks()
  /// The presentation for steps that are out of date; `nil` if there are none.
  var stale: Presentation?
  /// Whether a change failed, so that the steps no longer match each other.
  var isBroken = false
  /// The revisions of the followed sources for each revision of this source, oldest first.
  var origins: [(revision: Revision, bases: [Revision])] = []

  /// - Parameter options: `nil` for the history and the clock of the first source.
  init(
    _ feeds: sending [any Feed], _ front: sending any SourceFront<Input.SectionID, Input.ItemID>,
    _ kernels: SnapshotKernels, _ query: ListQuery<Input, Output>, _ options: SourceOptions?,
    dragged: (any DraggedSource<Output.ItemID>)? = nil
  ) {
    let upstream = Upstream()
    let options = options ?? SourceOptions(following: feeds[0].hub)
    let chain = query.chain()
    let core = SourceCore<Output.SectionID, Output.ItemID>(
      options.showing(), kernels: chain.kernels(from: kernels), children: nil, upstream: upstream)
    self.core = core
    self.feeds = feeds
    self.front = front
    self.chain = chain
    (moves, loader) = (query.moves, query.loader)
    self.dragged = dragged
    hub = core.hub
    self.upstream = upstream
    upstream.begin(following: feeds.map { $0.hub }) {
      [weak self] in
      await self?.catchUp()
    } follow: {
      [weak self] in
      await self?.follow()
    } rest: { [weak self] in
      guard let self else { return }
      // Detached: the subscriber that goes away last must not pass on anything of its task.
      Task.detached { await self.rest() }
    }
  }

  deinit {
    alarm?.cancel()
    upstream.end()
  }
}

extension DerivedSource {
  /// The current state, the query applied to that of the base, and its revision.
  ///
  /// It shows everything that was written to the base before.
  ///
  /// - Complexity: O(1) while this source has a subscriber and nothing has changed, otherwise that
  ///   of following the base.
  public var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    get async {
      await catchUp()
      rest()
      return (core.snapshot, core.revision)
    }
  }

  /// The latest revision of the base that a revision of this source shows.
  ///
  /// If two sources are merged or joined, it is the revision of the first.
  ///
  /// - Returns: `nil` for a revision that is not in the history, or that shows what was followed before
  ///   ``setBase(_:)``.
  /// - Complexity: O(log h) for a history of h revisions.
  public func baseRevision(of revision: Revision) -> Revision? {
    baseRevisions(of: revision)?.first
  }

  /// The revisions of all followed sources that a revision of this source shows.
  ///
  /// There are two if this source merges or joins two.
  ///
  /// - Returns: `nil` for a revision that is not in the history, or that shows what was followed before
  ///   ``setBase(_:)``.
  /// - Complexity: O(log h) for a history of h revisions.
  public func baseRevisions(of revision: Revision) -> [Revision]? {
    let index = origins.partitioningIndex { $0.revision >= revision }
    guard index < origins.count, origins[index].revision == revision,
      core.hub.state(at: revision) != nil
    else { return nil }
    return origins[index].bases
  }

  /// Follows another source from now on, with the same query.
  ///
  /// Subscribers receive one batch from the state that they show to the result of the query for the
  /// new source. The source replaces everything that was followed, even two sources that were
  /// merged or joined. Loads of children are cancelled, and begin again for rows of the new source.
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
    baseRenames = ItemRenames()
    cancelLoads()
    (front, frontWork) = (OneSource(), StepWork())
    // Their numbers are those of another source.
    origins = []
    if isAsked || !feed.waiters.isEmpty { start(0) }
  }

  /// Throws if this source has ended, or if nothing can come from the followed sources any more.
  func checkIsOpen() throws(DataSourceError) {
    guard !core.isFinished, !core.hub.hasEnded else { throw core.refusing(.finished) }
  }

  /// Ends the source: streams end, and loads of children are cancelled.
  ///
  /// A second call does nothing.
  public func finish() {
    core.finish()
    alarm?.cancel()
    cancelLoads()
    for feed in feeds {
      feed.stop()
      feed.waiters.wake()
    }
  }
}
