/// What every editable source is inside: the live state, who may change it, its revisions and its end.
///
/// An actor owns one and is its only user. The core is not `Sendable`, so the compiler proves that it
/// stays inside the actor that made it; it needs no isolation of its own, and no lock. What other
/// tasks need of a source, the hub, is `Sendable` and held by the actor besides.
///
/// It is a class, although nobody shares it: code of the user runs inside a change, and may read the
/// state before the change by way of `assumeIsolated`. A struct would be accessed exclusively as a
/// whole; here only `live` is.
///
/// Every write takes the same way: `begin(ifRevision:)` performs what is queued and checks, the
/// live state makes a commit or throws, `end(_:_:kind:named:duration:)` publishes the
/// commit, or else `abandon(_:)` says why there is none. Between the two nothing suspends.
public final class SourceCore<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Live = LiveState<SectionID, ItemID>
  typealias Reader = RevisionReader<SectionID, ItemID>

  /// The live state, as it was before the change that is under way.
  var snapshot: Snapshot<SectionID, ItemID> { state.snapshot }
  /// The same as the history has it.
  private var state: TypedRevisionState<SectionID, ItemID>
  /// The number of the live state.
  private(set) var revision: Revision

  /// The same state, with what it takes to replace it.
  ///
  /// Accessed exclusively while it changes, so nothing that code of the user can reach in the
  /// meantime may read it.
  var live: Live
  /// A change is under way, and code of the user may run inside it.
  var isWriting = false
  var isFinished = false
  /// The end has come; nothing is published any longer.
  private var isClosed = false
  let duplicates: DuplicatePolicy
  let queue = WriteQueue<QueuedWrite<SectionID, ItemID>>()
  let hub: Hub
  /// What the source knows of its identifiers.
  let kernels: SnapshotKernels
  /// What loads children of outlines, where there is a provider.
  let children: ChildrenLoading<SectionID, ItemID>?

  /// Creates an empty source.
  ///
  /// - Parameters:
  ///   - duplicates: What to do with an identifier that stands twice in a snapshot.
  ///   - history: The number of revisions that are kept besides the live one.
  ///   - epoch: What its revisions are of.
  ///   - clock: What throttles and metrics go by.
  ///   - observer: Is told what happens.
  ///   - kernels: What the source knows of its identifiers and models.
  ///   - children: What loads children of outlines.
  ///   - upstream: What it follows, if it follows another source.
  init(
    duplicates: DuplicatePolicy, history: Int, epoch: Epoch, clock: any Clock<Duration>,
    observer: DataSourceObserver?, kernels: SnapshotKernels,
    children: ChildrenLoading<SectionID, ItemID>?, upstream: Upstream? = nil
  ) {
    self.kernels = kernels
    self.children = children
    self.duplicates = duplicates
    live = Live(kernels)
    let empty = TypedRevisionState<SectionID, ItemID>.empty(kernels)
    state = empty
    revision = .empty
    hub = Hub(
      historyLength: history, epoch: epoch, empty: empty, clock: clock, observer: observer,
      upstream: upstream)
  }

  /// Makes a state the first one of an empty source; if it is not empty, it is revision 1.
  func begin(with initial: Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    guard let commit = try live.apply(initial, duplicates: duplicates) else { return }
    // Not the live snapshot itself: its lookup table is edited in place and must have one holder.
    state = commit.state
    revision = revision.next
    hub.publish(
      commit.state, notes: commit.notes, presentation: .reset, kind: .change(name: nil),
      duration: .zero)
  }

  deinit {
    // Whoever drops the source may be the main actor: what is large is released by a task.
    // Nothing can be queued: the task that drains the queue holds the source.
    hub.perform(hub.withMachine { $0.close() }, releasing: .elsewhere)
    live.table.withdraw()
    let remains = Handover((live, state))
    let weight = state.weight
    live = Live(kernels)
    state = .empty(kernels)
    bury(remains, weight: weight)
  }

  // MARK: Opening and closing a change

  /// Opens a change, if one may be made, after what was enqueued before it.
  ///
  /// - Parameters:
  ///   - expected: The revision that the live one has to be.
  ///   - isCancellable: Whether the change is that of the task which asks for it.
  func begin(
    ifRevision expected: Revision?, isCancellable: Bool = true
  ) throws(DataSourceError) {
    guard !isWriting else { throw refusing(.reentrant) }
    performQueued()
    guard !isFinished else { throw refusing(.finished) }
    guard !isCancellable || !Task.isCancelled else { throw refusing(.cancelled) }
    if let expected, expected != revision {
      throw refusing(.conflict(expected: expected, actual: revision))
    }
    isWriting = true
  }

  /// Closes a change and makes it known, once nothing is accessed exclusively any longer.
  ///
  /// - Parameters:
  ///   - commit: What changed; `nil` if nothing did.
  ///   - name: The name of the change, or of the one that it takes back.
  /// - Returns: The live revision.
  @discardableResult
  func end(
    _ commit: Live.Commit?, _ presentation: Presentation, kind: RevisionKind, named name: String?,
    duration: Duration
  ) -> Revision {
    isWriting = false
    let reached = commit == nil ? revision : revision.next
    if let commit {
      // The history still holds the state that goes, so that nothing is released in between.
      state = commit.state
      revision = reached
      hub.publish(
        commit.state, notes: commit.notes, presentation: presentation, kind: kind,
        duration: duration)
      hub.observer?(
        .changed(
          revision: reached, name: name, changeCount: commit.difference.changeCount,
          duration: duration))
    } else {
      hub.observe(.unchanged(revision: revision))
    }
    if isFinished { finish() }
    return reached
  }

  /// Closes a change that was not made.
  func abandon(_ error: DataSourceError?) {
    isWriting = false
    if let error { _ = refusing(error) }
    if isFinished { finish() }
  }

  func refusing(_ error: DataSourceError) -> DataSourceError {
    hub.observe(.rejected(error))
    return error
  }

  /// Ends the source: changes throw from now on, and streams end.
  ///
  /// What was enqueued before is applied. Asked for from inside a change, the end comes after it.
  func finish() {
    isFinished = true
    guard !isWriting, !isClosed else { return }
    isClosed = true
    if let write = queue.close() { perform(write) }
    hub.perform(hub.withMachine { $0.finish() }, releasing: .elsewhere)
    hub.observe(.finished)
  }
}
