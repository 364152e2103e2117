/// Loads a list that is too long to be loaded at once, page by page, at both ends.
///
/// A loader is a writer like any other: it writes the rows of its pages into one section of a
/// ``ModelSource``, and others may edit, move and delete them there, or add rows. A page
/// does not touch what it does not bring.
///
/// ```swift
/// let loader = PageLoader<String, Note, Token>(source, section: "Notes") { request in
///   let answer = try await server.notes(request.place, limit: request.size)
///   return Page(answer.notes, next: answer.nextToken)
/// }
/// await loader.refresh()
/// controller.prefetchHandler = { loader.willShow($0) }
/// ```
///
/// What it guarantees:
///
/// - **Loads.** At most one load runs for each end, and none of them while a refresh runs. A load that
///   was cancelled changes nothing, whenever its answer comes.
/// - **Rows.** A row is in the list once, however often the backend repeats it. It stays where it is,
///   and gets the model that the backend says last, unless others have changed that: then theirs
///   stays. A row that others have deleted does not come back with a later page.
/// - **Refresh.** ``refresh()`` loads again what is loaded, and merges: what the backend has changed
///   since is changed, and what others have changed stays. It is one revision.
/// - **Memory.** With ``PageOptions/maximumCount``, pages far from what is shown are dropped. What
///   others have made of their rows, moves aside, is there again when the rows are.
///
/// The loader holds the source. A loader that is not held by anything any longer ends its loads; the
/// rows stay.
public actor PageLoader<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable, Cursor: Sendable
> where Model.ID: Sendable {
  /// Asks the backend for a page.
  ///
  /// It is called in a task of its own, away from every actor. The task is cancelled when the page
  /// is no longer wanted.
  public typealias Backend =
    @Sendable (PageRequest<Cursor>) async throws -> Page<Model, Cursor>

  /// The source that the rows are in.
  public nonisolated let source: ModelSource<SectionID, Model>
  /// The section that the rows are in.
  public nonisolated let section: SectionID
  /// How pages are loaded.
  public nonisolated let options: PageOptions

  /// The executor of the source: a step of the loader and what it writes are one, and nothing comes in
  /// between.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { source.unownedExecutor }

  let backend: Backend
  let clock: any Clock<Duration>
  let writer: PageWriter<SectionID, Model, Cursor>
  /// Where the words of renderers wait.
  private nonisolated let words: AsyncStream<[Model.ID]>.Continuation

  var machine: PageMachine<Model, Cursor>
  /// What a renderer has said last that it shows.
  var shown: [Model.ID] = []
  /// By the number of the load or timer.
  var tasks: [Int: Task<Void, Never>] = [:]
  /// The states that the status rows show.
  var statesInRows = PageLoadStates()
  var publishedStates = PageLoadStates()
  var observers: [Int: AsyncStream<PageLoadStates>.Continuation] = [:]
  var lastObserver = 0

  /// Creates a loader, which loads nothing until ``refresh()`` is called.
  ///
  /// - Parameters:
  ///   - source: The source that the rows go into. Others may write to it as well.
  ///   - section: The section that the rows go into. Where it is missing it is made, after all
  ///     others.
  ///   - options: How pages are loaded.
  ///   - origin: Where the first page is: ``PagePlace/first``, or a cursor to begin in the middle.
  ///   - statusRows: Rows that show how far the loads are; none if you leave it out.
  ///   - placeholder: Makes the placeholder of a row that is not loaded yet, by its index in the
  ///     whole list of the backend, from 0. Its identifier must follow from the index alone and be
  ///     that of no other row. It is called while the source is updated, so it should be quick. There
  ///     are placeholders where pages say ``Page/countBefore`` or ``Page/countAfter``.
  ///   - clock: The clock of ``PageOptions/retryDelays``; a test can pass one that it moves itself.
  ///   - backend: Asks the backend for a page.
  public init(
    _ source: ModelSource<SectionID, Model>, section: SectionID,
    options: PageOptions = PageOptions(), origin: PagePlace<Cursor> = .first,
    statusRows: PageStatusRows<SectionID, Model>? = nil,
    placeholder: (@Sendable (Int) -> Model)? = nil,
    clock: any Clock<Duration> = ContinuousClock(), backend: @escaping Backend
  ) {
    (self.source, self.section, self.options) = (source, section, options)
    (self.clock, self.backend) = (clock, backend)
    writer = PageWriter(
      section: section, options: options, statusRows: statusRows, placeholder: placeholder)
    machine = PageMachine(options: options, origin: origin, hasPlaceholders: placeholder != nil)
    // Lists that say what they show cell by cell have said a screen by then.
    let (stream, words) = AsyncStream.makeStream(
      of: [Model.ID].self, bufferingPolicy: .bufferingNewest(64))
    self.words = words
    Task.detached { [weak self] in
      for await items in stream { await self?.show(items) }
    }
  }

  deinit {
    words.finish()
    for task in tasks.values { task.cancel() }
    for observer in observers.values { observer.finish() }
  }

  /// Says what a renderer shows, or will show soon, so that the pages it needs are loaded.
  ///
  /// Call it with the visible items whenever they change, with the items that a view prefetches, or
  /// with each item whose cell is made. Say all visible items at once where pages are dropped: only
  /// what was said last, and what is within the prefetch distance of it, is safe from that. An item of
  /// another section counts as one beyond the end on its side, and unknown items are ignored.
  ///
  /// It can be called from any thread and does not wait. If calls come faster than they are looked
  /// at, the oldest are forgotten.
  ///
  /// - Complexity: O(v) for v items, for the caller. The loader takes O(v · log n) for n rows.
  public nonisolated func willShow(_ items: some Sequence<Model.ID>) {
    words.yield(Array(items))
  }
}
