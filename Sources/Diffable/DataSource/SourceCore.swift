package typealias SourceCore = _SourceCore

/// The inside of every editable source: the live state, writes, revisions and the end.
///
/// Each core is owned and used by one actor. The core is not `Sendable`, so the compiler proves
/// that it stays inside the actor that made it. It needs no isolation and no lock of its own. What
/// other tasks need is the hub. The hub is `Sendable`, and the actor holds it as well.
///
/// It is a class although it is not shared: user code runs inside a change, and may read the state
/// before the change through `assumeIsolated`. Access to a struct would be exclusive as a whole;
/// here only access to `live` is.
///
/// Every write takes the same steps. `begin(ifRevision:)` performs what is queued and checks the
/// revision. Then `transact(_:_:)` lets the live state make a commit, and publishes it or records why
/// there is none. Nothing suspends in between.
///
/// Public, since `_core` is a requirement of a public protocol; only this package uses it.
public final class _SourceCore<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  package typealias Live = LiveState<SectionID, ItemID>
  typealias Reader = RevisionReader<SectionID, ItemID>
  /// What says which row is which, and who has placed it.
  package typealias RowNotes = Snapshot<SectionID, ItemID>.Marks

  /// The live state; during a change, the state before it.
  package var snapshot: Snapshot<SectionID, ItemID> { Snapshot(state.snapshot) }
  /// The same state in the form that the history keeps.
  private var state: RevisionState
  /// The number of the live state.
  package private(set) var revision: Revision
  /// The last revision that has renamed or placed items.
  private(set) var lastRowNote = Revision.empty
  /// The place of the live state in a shared log.
  package var place: HistoryPlace { HistoryPlace(revision: revision, digest: state.digest) }

  /// The same state, with what is needed to replace it.
  ///
  /// Access is exclusive during a change, so nothing that user code can reach at that time may read
  /// it.
  package var live: Live
  /// The changes of the live state that are not published yet, in their order.
  ///
  /// Only a source whose changes others decide on has any.
  package var unpublished: [UnpublishedChange] = []

  /// The state on which the next change is made, and its place.
  package var latest: Snapshot<SectionID, ItemID> {
    Snapshot((unpublished.last?.state ?? state).snapshot)
  }
  package var latestPlace: HistoryPlace { unpublished.last?.place ?? place }

  /// Whether a change is under way; user code may run inside it.
  package var isWriting = false
  package internal(set) var isFinished = false
  /// Whether the end has been published; nothing is published after it.
  package private(set) var isClosed = false
  package let duplicates: DuplicatePolicy
  /// The answers to the last proposals of followers.
  package let answers: AnsweredProposals
  let queue = WriteQueue<SectionID, ItemID>()
  package let hub: Hub
  /// What the source knows of its identifiers.
  package let kernels: SnapshotKernels
  /// Loads children of outlines, if there is a provider.
  let children: ChildrenLoading<SectionID, ItemID>?

  /// Creates an empty source.
  ///
  /// - Parameters:
  ///   - options: What the program has chosen.
  ///   - kernels: What the source knows of its identifiers and models.
  ///   - children: Loads children of outlines.
  ///   - upstream: The source that this one follows, if any.
  ///   - handlers: What the app does with models.
  package init(
    _ options: SourceOptions, kernels: SnapshotKernels,
    children: ChildrenLoading<SectionID, ItemID>?, upstream: Upstream? = nil,
    handlers: ModelHandlers<SectionID> = .init()
  ) {
    self.kernels = kernels
    self.children = children
    duplicates = options.duplicates
    live = Live(kernels, handlers)
    answers = AnsweredProposals(atLeast: options.history)
    let empty = RevisionState.empty(kernels)
    state = empty
    revision = .empty
    hub = Hub(
      historyLength: options.history, historyBytes: options.historyBytes, empty: empty,
      epoch: options.epoch, clock: options.clock, observer: options.observer, upstream: upstream,
      outlivesSource: options.outlivesSource)
  }

  /// Sets the first state of an empty source; if it is not empty, it becomes revision 1.
  func begin(with initial: Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    guard let commit = try live.apply(initial, duplicates: duplicates) else { return }
    // Not the live snapshot itself: its lookup table is edited in place and must have a single
    // holder.
    state = commit.state
    revision = revision.next
    children?.follow(commit.snapshot)
    hub.publish(
      commit.state, notes: commit.notes, presentation: .reset,
      // A list is not undone to what was there before it.
      kind: .nothing, duration: .zero)
  }

  /// Begins with empty sections, each of them once.
  func begin(withSections sections: [SectionID]) {
    guard !sections.isEmpty else { return }
    var known = IdentifierSet<SectionID>()
    var initial = Snapshot<SectionID, ItemID>(kernels)
    initial.appendSections(sections.filter { known.insert($0) })
    // There are no duplicates, and no items that could lack a model.
    try? begin(with: initial)
  }

  deinit {
    // The main actor may release the source, so large values are released by a task. The queue is
    // empty here: the task that drains it holds the source.
    hub.close()
    live.table.withdraw()
    let remains = Handover((live, state))
    let weight = state.weight
    live = Live(kernels)
    state = .empty(kernels)
    releaseInTask(remains, weight: weight)
  }

  // MARK: Opening and closing a change

  /// Opens a change if one is allowed, after performing what was enqueued before it.
  ///
  /// - Parameters:
  ///   - expected: The revision that must be live.
  ///   - isCancellable: Whether the change belongs to the calling task.
  package func begin(
    ifRevision expected: Revision?, isCancellable: Bool = true
  ) throws(DataSourceError) {
    guard !isWriting else { throw refusing(.reentrant) }
    if let waiting = queue.take() { perform(waiting) }
    guard !isFinished else { throw refusing(.finished) }
    guard !isCancellable || !Task.isCancelled else { throw refusing(.cancelled) }
    if let expected, expected != latestPlace.revision {
      throw refusing(.conflict(expected: expected, actual: latestPlace.revision))
    }
    isWriting = true
  }

  /// Makes a change that was opened, and closes it.
  ///
  /// - Parameters:
  ///   - place: The place of the change in a shared log; if it is `nil`, the change makes the next
  ///     revision.
  ///   - make: Changes the live state; returns `nil` if nothing changed. If it throws, the change is
  ///     abandoned.
  /// - Returns: The live revision.
  @discardableResult
  package func transact<Failure: Error>(
    _ presentation: Presentation, kind: RevisionKind = .change(name: nil),
    as place: HistoryPlace? = nil, _ make: () throws(Failure) -> Live.Commit?
  ) throws(Failure) -> Revision {
    let elapsed = hub.startTimer()
    let commit: Live.Commit?
    do throws(Failure) {
      commit = try make()
    } catch {
      abandon(error as? DataSourceError)
      throw error
    }
    return end(commit, presentation, kind: kind, duration: elapsed(), as: place)
  }

  /// Closes a change and publishes it, after all exclusive accesses have ended.
  ///
  /// - Parameters:
  ///   - commit: What changed; `nil` if nothing did.
  ///   - place: The place of the change in a shared log; if it is `nil`, the change makes the next
  ///     revision.
  /// - Returns: The live revision.
  @discardableResult
  package func end(
    _ commit: Live.Commit?, _ presentation: Presentation, kind: RevisionKind, duration: Duration,
    as place: HistoryPlace? = nil
  ) -> Revision {
    if let commit {
      children?.follow(
        commit.snapshot, commit.notes?.marks.renames ?? ItemRenames(),
        since: Snapshot(state.snapshot))
    }
    isWriting = false
    let reached = commit == nil ? revision : place?.revision ?? revision.next
    if let commit {
      let name = hub.observer == nil ? nil : hub.name(of: kind)
      let replacedBytes = hub.historyBytes != nil ? state.bytes(replacedBy: commit.difference) : 0
      // It may be another revision of the same state, for what it says besides. Mostly the order says at
      // once that it is not.
      let isSameState =
        commit.state.snapshot.order.isIdentical(to: state.snapshot.order)
        && commit.state.difference?.isEmpty != false
      let kind = isSameState ? kind.withoutChange : kind
      // The history still holds the replaced state, so nothing is released here.
      state = place.map { commit.state.at($0.digest) } ?? commit.state
      revision = reached
      if commit.notes?.marks.hasRowNotes == true { lastRowNote = reached }
      if let accepted = commit.notes?.proposals, !accepted.isEmpty {
        answers.record(accepted, in: ResumeToken(epoch: hub.epoch, place: self.place))
      }
      hub.publish(
        state, notes: commit.notes, presentation: presentation, kind: kind,
        replacedBytes: replacedBytes, duration: duration, as: place?.revision)
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
  package func abandon(_ error: DataSourceError?) {
    isWriting = false
    if let error { _ = refusing(error) }
    if isFinished { finish() }
  }

  package func refusing(_ error: DataSourceError) -> DataSourceError {
    hub.observe(.rejected(error))
    return error
  }

  /// Ends the source: changes throw from now on, and streams end.
  ///
  /// Writes that were enqueued before are applied. Called from inside a change, it takes effect
  /// after it.
  package func finish() {
    isFinished = true
    guard !isWriting, !isClosed else { return }
    isClosed = true
    if let waiting = queue.close() { perform(waiting) }
    children?.cancelAll()
    hub.finish()
    hub.observe(.finished)
  }
}

/// A change that may never be published.
///
/// It has no type parameters, so the code for it is compiled once.
package struct UnpublishedChange: Sendable {
  /// The name of the write; it is the name of the entry in the log.
  package let id: WriteID
  package let state: RevisionState
  package let notes: (any RevisionNotes)?
  /// The place in a shared log that it asks for.
  package let place: HistoryPlace
  package let presentation: Presentation
  package let kind: RevisionKind
  /// The time that the change took.
  package let duration: Duration

  package init(
    id: WriteID, state: RevisionState, notes: (any RevisionNotes)?, place: HistoryPlace,
    presentation: Presentation, kind: RevisionKind, duration: Duration
  ) {
    (self.id, self.state, self.notes, self.place) = (id, state, notes, place)
    (self.presentation, self.kind, self.duration) = (presentation, kind, duration)
  }
}

extension LiveState.Commit {
  package init(_ change: UnpublishedChange) {
    self.init(state: change.state, notes: change.notes.map { .of($0) })
  }
}
