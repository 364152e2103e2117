public import Diffable

/// Loads a long list page by page, at both ends.
///
/// A loader is a writer like any other. It writes the rows of its pages into one section of a
/// `ModelSource`, and others may edit, move and delete them there, or add rows. A page affects
/// only the rows that it contains.
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
/// The loader guarantees:
///
/// - **Loads.** At most one load runs for each end, and none of them while a refresh runs. A
///   cancelled load changes nothing, whenever its answer arrives.
/// - **Rows.** A row is in the list once, however often the backend repeats it. It stays where it
///   is, and gets the newest model of the backend, unless others have changed it: then their model
///   stays. A row that others have deleted does not come back with a later page.
/// - **Contradictions.** If the backend has changed the same row since, that is a ``PageConflict``. If the
///   source has a `mergeHandler`, the row gets what it makes of both models instead.
/// - **Refresh.** ``refresh()`` reloads everything that is loaded, and merges: changes by the
///   backend are applied, and changes by others stay. It is one revision.
/// - **Memory.** With ``PageOptions/maximumCount``, pages far from what is shown are dropped. When
///   their rows are loaded again, changes by others are restored, except moves inside the section.
///   Rows that others have put between them are between them again.
///
/// Methods that change loads need `await`. ``states``, ``stateUpdates()`` and ``willShow(_:)`` do
/// not, and can be called from any thread.
///
/// The loader holds the source. When the loader is released, its loads end; the rows stay.
public actor PageLoader<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable, Cursor: Sendable
> where Model.ID: Sendable {
  /// Requests a page from the backend.
  ///
  /// It is called in a separate task, off every actor. The task is cancelled when the page is no
  /// longer needed.
  public typealias Backend =
    @Sendable (PageRequest<Cursor>) async throws -> Page<Model, Cursor>

  /// The source that the rows are in.
  public nonisolated let source: ModelSource<SectionID, Model>
  /// The section that the rows are in.
  package nonisolated let section: SectionID
  /// How pages are loaded.
  package nonisolated let options: PageOptions

  /// The executor of the source.
  ///
  /// A step of the loader and what it writes are one unit; nothing happens in between.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { source.unownedExecutor }

  let backend: Backend
  let writer: PageWriter<SectionID, Model, Cursor>
  let conflictHandler: (@Sendable ([PageConflict<Model>]) -> Void)?
  /// Buffers what renderers report.
  nonisolated let words: AsyncStream<[Model.ID]>.Continuation
  /// The list that was named last, until a step learns of it.
  ///
  /// It is not in the buffer: that drops old reports, and the list counts for later ones, too.
  nonisolated let named = Handover<ShownRows<Model.ID>>()

  /// Changed by steps only, which do not call each other.
  ///
  /// It compares and releases what the user's types are made of while access to it is exclusive. So
  /// nothing that user code can call then may read it.
  var machine: PageMachine<Model, Cursor>
  /// Whether a step is under way; user code may run inside it.
  var isStepping = false
  /// Events that were caused inside a step, and come after it.
  var events: [Event] = []
  /// The list that renderers show instead of the source, if there is one.
  var shownRows: ShownRows<Model.ID>?
  /// The task that looks what is near in it.
  var look: Task<Void, Never>?
  /// Whether something has changed since the task has looked.
  var isLookDue = false
  /// The items that a renderer reported last, and the revision at that time.
  var report: (items: [Model.ID], revision: Revision) = ([], .empty)
  /// The revision whose names the machine knows.
  var namedRevision = Revision.empty
  /// The loaded rows in the report that stand for items beyond the ends, by item.
  var standIns = IdentifierMap<Model.ID, Model.ID>()
  /// Keyed by the number of the load or timer.
  var tasks: [Int: Task<Void, Never>] = [:]
  /// The states that the status rows show; `nil` if they could not be shown.
  var statesInRows: PageLoadStates? = PageLoadStates()
  nonisolated let published = PublishedStates()
  /// Tasks that wait until a load is no longer running.
  var waiters: [(load: PageLoad, state: Promise<PageLoadState>)] = []

  /// Creates a loader, which loads nothing until ``refresh()`` is called.
  ///
  /// - Parameters:
  ///   - source: The source for the rows. Others may write to it too.
  ///   - section: The section for the rows. If it is missing, it is inserted after all others.
  ///   - options: How pages are loaded.
  ///   - origin: The place of the first page: ``PagePlace/first``, or a cursor to begin in the
  ///     middle.
  ///   - rows: Rows that show the states of the loads, and placeholders; by default there are none.
  ///   - conflictHandler: Receives what the backend and the list have changed in contradiction, each
  ///     time that a page or a refresh has some of it. It is called on the executor of the source, after
  ///     the page was written, and before a call returns that waits for the page.
  ///   - backend: Requests a page from the backend.
  public init(
    _ source: ModelSource<SectionID, Model>, section: SectionID,
    options: PageOptions = PageOptions(), origin: PagePlace<Cursor> = .first,
    rows: PageLoaderRows<SectionID, Model> = PageLoaderRows(),
    conflictHandler: (@Sendable ([PageConflict<Model>]) -> Void)? = nil,
    backend: @escaping Backend
  ) {
    (self.source, self.section, self.options) = (source, section, options)
    (self.conflictHandler, self.backend) = (conflictHandler, backend)
    writer = PageWriter(
      section: section, options: options, rows: rows, merging: source.entrance.merging)
    machine = PageMachine(
      options: options, origin: origin, hasPlaceholders: rows.placeholder != nil,
      source.reader.kernels.items)
    // Lists that report what they show cell by cell have reported a whole screen by then.
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
    look?.cancel()
    published.finish()
  }

  /// Reports what a renderer shows, or will show soon, so that the pages it needs are loaded.
  ///
  /// Call it with the visible items whenever they change, with the items that a view prefetches, or
  /// with each item whose cell is made. If pages are dropped, report all visible items at once:
  /// only the last reported items, and those within the prefetch distance of them, are never
  /// dropped. Unknown items are ignored.
  ///
  /// If the renderer shows a list that hides rows, such as a filtered one, say so: ``willShow(_:of:)``.
  ///
  /// An item of another section counts as the loaded row next to it, and so does a row of others that
  /// dropped pages have left at an end. As long as it is reported it counts as the same row, so it
  /// loads one page when it comes into view.
  ///
  /// It can be called from any thread and does not wait. If calls are faster than they are
  /// processed, the oldest are dropped.
  ///
  /// - Complexity: O(v) for v items, for the caller. The loader takes O(v · log n) for n rows. If dropped
  ///   pages have left k rows of others at an end, O((k + m) · log n) more for the m rows of the page there.
  public nonisolated func willShow(_ items: some Sequence<Model.ID>) {
    words.yield(Array(items))
  }
}

extension PageLoader {
  /// Loads the first page, or reloads everything that is loaded, and waits for it.
  ///
  /// Loads at the ends are cancelled. The loader requests as many rows as it had been sent, repeated ones included,
  /// in several pages if the backend returns fewer. When all have arrived, they are merged in one revision:
  /// what the backend has inserted, moved, changed or deleted since the last request changes in the
  /// list, and what others have changed in the list stays. If both changed the same model, the
  /// model of the others stays, or the `mergeHandler` of the source makes one of both. If one side deleted
  /// a row, it is deleted. What is decided against a side is a ``PageConflict``. Rows that are shown stay
  /// as long as the backend has them. If they are no longer within the requested rows, because many
  /// rows were inserted before them, more rows are loaded: up to twice as many and four pages. Rows
  /// after that are no longer loaded.
  ///
  /// While a refresh is running, this starts no other, but waits for the running one.
  ///
  /// - Returns: The state of the refresh afterwards: ``PageLoadState/idle``, or the error, in which
  ///   case nothing has changed. If the waiting task is cancelled, it stops waiting but the refresh
  ///   continues.
  /// - Complexity: O(n · log n) for n rows, on the executor of the source.
  @discardableResult public nonisolated(nonsending) func refresh() async -> PageLoadState {
    await settled(.refresh) { $0.refresh(shown: $1) }
  }

  /// Loads the page beyond an end and waits for it, wherever a renderer is: for a button.
  ///
  /// A failed load is tried again. Nothing is loaded if the end is reached, or before the first page.
  /// During a refresh, the page is loaded after it; a refresh that begins during the load lets it begin
  /// again afterwards.
  ///
  /// - Parameter end: The end.
  /// - Returns: The state of the end after the load has ended. If the waiting task is cancelled, it
  ///   stops waiting but the load continues.
  /// - Complexity: O(m · log n) for m rows of the page, among n.
  @discardableResult public nonisolated(nonsending) func load(
    _ end: PageEnd
  ) async -> PageLoadState {
    await settled(PageLoad(end)) { machine, _ in machine.load(end) }
  }

  /// Retries what has failed: the refresh, or else the ends.
  ///
  /// Does not wait.
  public func retry() {
    step { [shown] in $0.retry(shown: shown) }
  }

  /// Cancels all loads, including automatic retries.
  ///
  /// After that nothing is loaded until a renderer reports what it shows, or a load is requested.
  /// Failed loads stay failed.
  public func cancel() {
    step { $0.cancel() }
  }

  /// Cancels all loads for good: the loader loads nothing more, and its streams of states end.
  ///
  /// The rows stay. If its source has finished, a loader finishes as soon as it has something to
  /// write.
  public func finish() {
    step { $0.finish() }
  }

  /// The current states of the loads.
  public nonisolated var states: PageLoadStates { published.states }

  /// A stream of the states of the loads: the current ones, then every change.
  ///
  /// The stream ends when the loader finishes or is released, and when the waiting task is
  /// cancelled. A slow consumer receives the newest states.
  public nonisolated func stateUpdates() -> AsyncStream<PageLoadStates> { published.stream() }

  /// Starts a load, and waits until it is no longer running.
  ///
  /// The task waits off the executor of the source, so it can go on while the page is recorded.
  ///
  /// - Returns: The state of the load then, or its present state if the waiting task is cancelled.
  private nonisolated(nonsending) func settled(
    _ load: PageLoad, _ event: @escaping @Sendable (inout Machine, [Model.ID]) -> Machine.Actions
  ) async -> PageLoadState {
    let state = await begin(load, event)
    return await withTaskCancellationHandler {
      await state.promised.value
    } onCancel: {
      state.fulfil(states[load])
      // While a backend does not answer, those that gave up must not pile up.
      Task.detached { await self.forget(state) }
    }
  }

  private func forget(_ state: Promise<PageLoadState>) { waiters.removeAll { $0.state === state } }

  /// Starts a load, and returns what tells its state when it is no longer running.
  private func begin(
    _ load: PageLoad, _ event: @escaping @Sendable (inout Machine, [Model.ID]) -> Machine.Actions
  ) -> Promise<PageLoadState> {
    step { [shown] in event(&$0, shown) }
    let state = Promise(otherwise: PageLoadState.idle)
    if machine.states[load].isLoading || load.end.map(machine.wanted.contains) ?? false {
      waiters.append((load, state))
    } else {
      state.fulfil(machine.states[load])
    }
    return state
  }
}
