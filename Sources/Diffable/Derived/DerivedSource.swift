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
///   base cost nothing. It keeps the state that it showed last, to go on from there. A subscriber that
///   is slow gets one batch for all that it has missed.
/// - A change of the base costs O(c · log² n) for c changed rows of n; a section that moves counts with
///   its rows where rows are grouped. Another query costs O(n), less for operations that are declared
///   to do the same as before, see ``ListQuery``.
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
  /// What is followed: one source, or two that are merged or joined.
  var feeds: [any Feed]
  /// Makes one list of them.
  var front: any SourceFront<Input.SectionID, Input.ItemID>
  /// Waits until rows expire, while somebody follows.
  var alarm: Task<Void, Never>?
  /// What of the trees that steps make is expanded.
  var expansion = ExpansionFlags<ItemID>()
  /// How to show what steps make that have to be worked out before the state is asked for; `nil` if
  /// there are none.
  var stale: Presentation?
  /// Whether a change could not be made, and the steps no longer fit together.
  var isBroken = false
  /// The revisions of what is followed of each revision of this source, oldest first.
  var origins: [(revision: Revision, bases: [Revision])] = []
  /// How many revisions are kept besides the live one.
  let history: Int

  init(
    _ feeds: sending [any Feed], _ front: sending any SourceFront<Input.SectionID, Input.ItemID>,
    _ query: ListQuery<Input, Output>, history: Int, clock: any Clock<Duration>,
    observer: DataSourceObserver?
  ) {
    let upstream = Upstream()
    let core = SourceCore<Output.SectionID, Output.ItemID>(
      duplicates: .reject, history: history, epoch: Epoch(), clock: clock, observer: observer,
      kernels: query.kernels ?? front.kernels, children: nil, upstream: upstream)
    self.core = core
    self.feeds = feeds
    self.front = front
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
    alarm?.cancel()
  }
}
