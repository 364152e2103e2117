public import Diffable
import Synchronization

/// One list that several servers write and follow through a shared log.
///
/// ```swift
/// let source = try await ReplicatedSource<ModelBatch<String, Note>>(log) {
///   try Array(JSONEncoder().encode($0))
/// } decode: {
///   try JSONDecoder().decode(ModelDelta.self, from: Data($0))
/// }
/// try await source.update { draft in
///   try draft.appendItems([note], toSection: "Inbox")
/// }
/// for await batch in source.updates() { show(batch) }
/// ```
///
/// Each server has a source of its own over the same ``RevisionLog``. It is a source like any other:
/// renderers and derived sources follow it, and so do clients over HTTP. Reading never waits for the
/// network.
///
/// The source guarantees:
///
/// - All participants go through the same revisions, in the same order. A `ResumeToken` of one of
///   them is good for all, so a client can resume at another server.
/// - A write returns after the log has accepted it. If another participant was faster, the write is
///   made again on the new state: an edit runs again, and a merge is computed again.
/// - A write is never made twice, even if answers of the log are lost. If its fate is unknown, the
///   error says so.
/// - A participant that was cut off keeps its state and catches up later.
///
/// If an edit changes nothing or throws, the log is not asked. The state that this participant knows
/// decides that.
///
/// An interactive list can show changes before the log has accepted them: see ``optimistic()``.
public actor ReplicatedSource<Batch: DeltaBatch>: UndoableListSource {
  /// Access to what the source has published.
  public nonisolated let _access: _SourceAccess<Batch.SectionID, Batch.ItemID>
  let log: any RevisionLog
  let options: ReplicationOptions
  nonisolated var clock: any Clock<Duration> { options.source.clock }
  let list: ReplicatedList<Batch>
  /// Why the source cannot follow the log at present; `nil` while it follows.
  ///
  /// The source still shows its list, and changes throw. The failure was reported once to
  /// ``ReplicationOptions/failure``. The source continues by itself when the log can be read again.
  public internal(set) var failure: ReplicationError?
  /// The last error of the log that was reported, until something was read again.
  var reported: RevisionLogError?
  /// Tasks that wait for another confirmed state, or for the end.
  let waiting = WaitingTasks()
  /// The writes that wait for the log.
  var writes = SharedWrites<WaitingWrite>()
  let lastWrite = Atomic<UInt64>(0)
  /// Whether a task makes them.
  var isOffering = false
  /// The number of writes in the last append, and of those that waited when it ended.
  var lastWriteCount = 0
  private var following: Task<Void, Never>?
  private var checking: Task<Void, Never>?
  /// What ends writes whose time is over, while there are any that have a limit.
  var watching: Task<Void, Never>?
  /// The call whose time it waits for.
  var watched: WriteCall?
  /// The question where the log ends that is under way.
  var askingForEnd: Task<Revision?, Never>?
  /// The request to append entries that is under way, or the pause before it.
  var asking: Task<Offer.Answer, Never>?
  /// Whether the log was asked to append entries, and has not answered.
  var isAsking = false
  /// Whether the log has not taken the last append, and may take the next one.
  var isLogClosed = false
  /// Whether it is a pause that ends when other participants have written.
  var isAwaitingTurn = false
  /// The time that the log took to answer to the last entries.
  var answerTime = Duration.zero
  /// The stored states that could not be read, and were reported.
  var unreadableStates: Set<Revision> = []
  /// The list with unconfirmed changes; `nil` until it is requested.
  var overlay: Shown?

  /// Opens a list that is shared through a log.
  ///
  /// - Parameters:
  ///   - log: The log. An empty one is an empty list.
  ///   - options: How often a write is tried, how often the state is stored, how large the list may
  ///     be, what is called with failures, and the options of all kinds of sources.
  ///   - reordering: The app's handlers for reordering by the user.
  ///   - encode: Writes a delta as JSON.
  ///   - decode: Reads what `encode` has written.
  /// - Throws: ``ReplicationError/log(_:)`` if the log cannot be opened, and
  ///   ``ReplicationError/unreadableState(_:_:)`` if no stored state can be read, and the entries before
  ///   them were dropped.
  /// - Complexity: O(n) for a stored state of n items, and the cost of the entries after it. If the log
  ///   cannot say where it ends, a task of the source reads those later.
  public init<Section, Item>(
    _ log: any RevisionLog, options: ReplicationOptions = ReplicationOptions(),
    reordering: ReorderingHandlers<Section, Item> = ReorderingHandlers(),
    encode: @escaping @Sendable (Batch.Delta) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Batch.Delta
  ) async throws(ReplicationError) where Batch == UpdateBatch<Section, Item> {
    try await self.init(
      log, options, DropRules(reordering), DeltaCoder(encode: encode, decode: decode),
      Snapshot<Section, Item>.makeKernels())
  }

  /// Opens a list of models that is shared through a log.
  ///
  /// Parameters and errors are those of a list of identifiers. In addition, a `dropHandler` changes the
  /// model of an item that the user drops in a section, and a `mergeHandler` merges two versions of a
  /// model, as in a `ModelSource`. They may run several times, if other participants are faster.
  public init<Section, Model>(
    _ log: any RevisionLog, options: ReplicationOptions = ReplicationOptions(),
    reordering: ReorderingHandlers<Section, Model.ID> = ReorderingHandlers(),
    dropHandler: (@Sendable (inout Model, Section) -> Void)? = nil,
    mergeHandler: (@Sendable (_ base: Model, _ theirs: Model, _ mine: Model) -> Model)? = nil,
    encode: @escaping @Sendable (Batch.Delta) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Batch.Delta
  ) async throws(ReplicationError) where Batch == ModelBatch<Section, Model> {
    let kernels = Snapshot<Section, Model.ID>.makeKernels(models: ElementKernel(models: Model.self))
    let handlers = ModelHandlers(drop: dropHandler, merge: mergeHandler)
    try await self.init(
      log, options, DropRules(reordering, handlers), DeltaCoder(encode: encode, decode: decode),
      kernels, handlers)
  }

  private init(
    _ log: any RevisionLog, _ options: ReplicationOptions,
    _ drops: DropRules<SectionID, ItemID>, _ coder: DeltaCoder<Batch.Delta>,
    _ kernels: SnapshotKernels, _ handlers: ModelHandlers<Batch.SectionID> = ModelHandlers()
  ) async throws(ReplicationError) {
    let epoch = try await Self.ask { () throws(RevisionLogError) in try await log.epoch() }
    let core = SourceCore<SectionID, ItemID>(
      options.source.showing(epoch: epoch, outlivesSource: true), kernels: kernels, children: nil,
      handlers: handlers)
    _access = SourceAccess(RevisionReader(hub: core.hub), drops)
    (self.log, self.options) = (log, options)
    let list = ReplicatedList<Batch>(
      core, limits: options.limits, coder: coder, author: options.author,
      longestPause: options.longestPause)
    self.list = list
    let unreadable = try await begin()
    for error in unreadable {
      if case .unreadableState(let revision, _) = error { unreadableStates.insert(revision) }
      report(error)
    }
    reportWarnings()
    following = follow()
    checking = check()
  }

  static func ask<Answer>(
    _ ask: () async throws(RevisionLogError) -> Answer
  ) async throws(ReplicationError) -> Answer {
    do throws(RevisionLogError) {
      return try await ask()
    } catch {
      throw .log(error)
    }
  }

  deinit {
    following?.cancel()
    checking?.cancel()
    watching?.cancel()
  }

  /// Ends the source: streams end, and changes throw.
  ///
  /// The log and the other participants continue, and so do clients that follow over ``DeltaEvents``: they
  /// connect again, to another server or to the next one here. A write that is waiting for the log still gets its
  /// answer; other writes throw. A second call does nothing.
  public func finish() {
    following?.cancel()
    checking?.cancel()
    list.core.finish()
    overlay?.core.finish()
    wake()
    // What waits for its next offer gets none.
    if !isAsking { asking?.cancel() }
  }

  /// Whether the source does not follow the log, now or for good.
  var isOver: Bool { list.core.isFinished || failure != nil }

  /// Keeps the revision that it has until it can follow the log again.
  func pauseFollowing(_ error: ReplicationError) {
    failure = error
    switch error {
    case .log(let error):
      // It asks again and again.
      guard reported != error else { return }
      reported = error
    case .unreadableState(let revision, _):
      guard unreadableStates.insert(revision).inserted else { return }
    default: break
    }
    report(error)
  }

  nonisolated func reportWarnings() {
    for warning in log.takeWarnings() { report(warning) }
  }

  nonisolated func report(_ error: any Error) {
    options.failure(error)
  }
}

/// How often a ``ReplicatedSource`` tries to write, how often it stores the state, and what it reports.
public struct ReplicationOptions: Sendable {
  /// The options that every source has.
  public var source = SourceOptions()
  /// How large an entry and the list may be.
  public var limits = DeltaLimits()
  /// Receives what goes wrong while the log is read and states are stored.
  ///
  /// That is a ``RevisionLogError`` before the source tries again, a ``ReplicationError`` if it cannot read the log,
  /// an entry or a state, and a ``RevisionLogWarning`` if something is wrong with the log although it works. It
  /// should be quick.
  public var failure: @Sendable (any Error) -> Void = { _ in }

  /// The name by which undo recognizes the changes of this participant when the list is opened again.
  ///
  /// Give each participant a name of its own, such as that of its server or its user. Its entries in
  /// the log have the name. A source that is opened with the name can undo the named changes that it
  /// reads in the log, as far back as the newest stored state and its history reach. Without a name
  /// (the default), undo reverts the changes since the source was opened.
  public var author: String?

  /// The maximum number of tries of a write while other participants are faster.
  public var tries = 200
  /// The time after which a write ends, with what is known of it.
  ///
  /// It counts from the call, whatever the priority of its task. The changes of an ``OptimisticSource`` have no limit.
  public var timeLimit = Duration.seconds(30)
  /// The maximum number of times that an entry is offered if the log does not answer.
  ///
  /// With the default pauses, ten offers take 10 seconds or more. Meanwhile a cluster that has lost a
  /// server elects another leader.
  public var offers = 10
  /// The number of revisions between two stored states.
  public var revisionsPerState = 500
  /// The number of revisions before a stored state whose entries stay in the log.
  ///
  /// A participant that lags by more jumps to the stored state. If it was waiting for an answer to a
  /// write, it cannot know the fate of that write any more. So this number should be larger than the
  /// number of writes that all participants make while servers fail and recover.
  public var revisionsKept = 10_000
  /// The first pause before the log is asked again after it did not answer; each failure doubles
  /// it.
  public var pause = Duration.milliseconds(100)
  /// The longest such pause, and the longest one after an entry in which a write lets others go first.
  public var longestPause = Duration.seconds(5)
  /// The time between two checks whether new participants could start.
  ///
  /// If they could not, since an operator has deleted entries or the stored state, the source stores its
  /// state. A source that opens the list meanwhile waits for that, up to ``longestPause`` longer than this
  /// interval, and then shows the state that is stored.
  public var checkInterval = Duration.seconds(30)

  /// The default options.
  public init() {}
}

extension ReplicatedSource {
  /// The list, as far as this participant knows the log, and its revision, read together.
  ///
  /// - Complexity: O(1).
  public var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    (snapshot, revision)
  }

  /// The list, as far as this participant knows the log.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { list.core.snapshot }

  /// The revision of ``snapshot``, the same number for all participants.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { list.revision }

  /// Waits until this participant shows a revision, or a later one.
  ///
  /// Use it to read what another participant has written: let that one pass on the revision that its
  /// write returned.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, `DataSourceError.finished`, and the
  ///   ``ReplicationError`` that has stopped the source.
  public func reached(_ revision: Revision) async throws {
    await waitWhile { $0.list.revision < revision && !$0.isOver }
    guard list.revision < revision else { return }
    try Task.checkCancellation()
    throw failure ?? DataSourceError.finished as any Error
  }
}
