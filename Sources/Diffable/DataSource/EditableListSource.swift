/// A source that decides by itself what changes, in the order of the calls.
///
/// It declares what ``DataSourceActor`` and ``ModelSource`` have in common. Both are actors, so no
/// other write comes between the beginning and the end of an update.
public protocol EditableListSource<SectionID, ItemID>: Actor, UndoableListSource {
  /// What an edit changes: the snapshot, or a draft of order and models.
  associatedtype Draft = Batch.Draft where Draft == Batch.Draft

  /// The live state and everything that changes it.
  ///
  /// Public, as every requirement of a public protocol; only this package uses it.
  var _core: _SourceCore<SectionID, ItemID> { get }
  /// What can be used without waiting for the actor.
  ///
  /// Public, as every requirement of a public protocol; only this package uses it.
  nonisolated var _entrance: _SourceEntrance<SectionID, ItemID> { get }
}

extension EditableListSource {
  package var core: SourceCore<SectionID, ItemID> { _core }
  package nonisolated var entrance: SourceEntrance<SectionID, ItemID> { _entrance }

  /// The live state and its revision, read together.
  ///
  /// - Complexity: O(1).
  public var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    (snapshot, revision)
  }

  /// The live state.
  ///
  /// Inside an update, where `assumeIsolated` can read it, it is the state before the update.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { core.snapshot }

  /// The number of the live state.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { core.revision }

  /// Ends the source: changes throw from now on, and streams end.
  ///
  /// Writes that were enqueued before are applied; later ones are rejected. A subscriber that has
  /// not yet received the last state receives it before its stream ends. If this is called from
  /// inside an update, the source ends after the update. A second call does nothing.
  public func finish() {
    core.finish()
  }
}

package typealias SourceEntrance = _SourceEntrance

/// What writers can use of a source without waiting for its actor.
///
/// Public, since `_entrance` is a requirement of a public protocol; only this package uses it.
public struct _SourceEntrance<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable
{
  /// Holds lists that were handed over until they are applied.
  let queue: WriteQueue<SectionID, ItemID>
  /// What the source knows of its identifiers and models.
  let kernels: SnapshotKernels
  let duplicates: DuplicatePolicy
  /// How two versions of a model are merged, if the source can.
  package let merging: ModelMerging?

  init(_ core: SourceCore<SectionID, ItemID>) {
    (queue, kernels, duplicates) = (core.queue, core.kernels, core.duplicates)
    merging = core.live.handlers.merging
  }
}

extension EditableListSource {
  /// Replaces the whole state.
  ///
  /// The last apply wins. Marks of the snapshot apply to this change only. A snapshot that equals
  /// the live one and has no marks changes nothing: subscribers receive nothing, and no revision is
  /// made. In a ``ModelSource`` the items keep their models; an item that has none yet needs
  /// ``ModelSource/apply(_:models:presentation:ifRevision:)``.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - presentation: How to show the change.
  ///   - expected: The revision that the writer has seen. If it is no longer live, nothing changes.
  /// - Returns: The revision that holds the state, and the change if there is one.
  /// - Throws: ``DataSourceError``: `reentrant` from inside another change, `finished` after
  ///   ``finish()``, `cancelled` if the task was cancelled before the change began, `conflict` if
  ///   the live revision is not the expected one, `invalidSnapshot` for duplicate identifiers under
  ///   the policy to reject them, or for an item without a model. In each case nothing changes. A
  ///   task that is cancelled later still makes its change.
  /// - Complexity: The cost of finding the difference to the live state; for k subscribers that
  ///   wait, O(k) more to wake them.
  @discardableResult
  public func apply(
    _ snapshot: consuming Snapshot<SectionID, ItemID>, presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> WriteResult<Void> {
    let snapshot = snapshot
    return try core.change(presentation: presentation, ifRevision: expected) {
      live throws(SnapshotError) in try live.apply(snapshot, duplicates: core.duplicates)
    }
  }

  /// Edits the live state in one step; no other write can happen in between.
  ///
  /// In a ``DataSourceActor`` the draft is its ``Snapshot``, in a ``ModelSource`` a ``ModelDraft``.
  /// No change is lost, however many writers there are. The edit cannot suspend. If it throws, or
  /// if the draft is not valid afterwards, nothing changes.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the draft. Calling `apply` or `update` from inside it throws.
  /// - Returns: What the edit returned, the revision that holds the edited state, and the change if there
  ///   is one.
  /// - Throws: What the edit throws, or ``DataSourceError`` as
  ///   ``apply(_:presentation:ifRevision:)`` does. Nothing changes then.
  /// - Complexity: The cost of the edit and of finding the difference to the live state.
  @discardableResult
  public func update<Result: Sendable>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) throws -> Result
  ) throws -> WriteResult<Result> {
    try core.update(named: name, presentation: presentation) { snapshot, given in
      try Batch._edit(&snapshot, &given, renamed: [], edit)
    }
  }

  /// Makes a change, and returns when it is published.
  ///
  /// - Returns: The change that was made.
  /// - Throws: ``DataSourceError``: `invalidSnapshot` if the edit has thrown a ``SnapshotError`` or
  ///   has left an invalid order, `failed` for other errors of the edit, and `finished`, `cancelled`
  ///   and `reentrant`. Nothing changes then.
  @discardableResult
  public func write(
    _ change: OrderChange<SectionID, ItemID>
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try core.write(change)
  }
}

// A call that looks right and is not. It exists for the compiler's message alone.
extension EditableListSource {
  /// Not available: an edit cannot wait.
  @available(
    *, unavailable,
    message: "an edit cannot wait, since no other write may come in between; await first, then edit"
  )
  @discardableResult public func update<Result: Sendable>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) async throws -> Result
  ) async throws -> WriteResult<Result> {
    throw DataSourceError.cancelled
  }
}

extension EditableListSource {
  /// Enqueues a snapshot without waiting; the source applies snapshots in the order of these calls.
  ///
  /// The order is fixed at the moment of the call, on any thread. A newer snapshot replaces one
  /// that has not started, so at most one waits, however fast writers are, and the last one counts.
  /// It takes over what the older one asks for besides its state: its marks and renames, whether to
  /// show the list from scratch, and models that were enqueued with a snapshot, for items that have
  /// none in the newer one.
  /// Updates are never replaced. Every other write performs what is in the queue first: code that
  /// enqueues and then applies ends with the state that it applied.
  ///
  /// A large snapshot that is replaced is released by a task. If many already wait for that, the
  /// caller releases it, which slows down a caller that floods the queue.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - presentation: How to show the change.
  /// - Returns: A ticket for the outcome of the snapshot. It is `.rejected` for the reasons for
  ///   which ``apply(_:presentation:ifRevision:)`` throws, except that the queue does not know
  ///   about cancelled tasks.
  /// - Complexity: O(1), without a lock that writers share; O(m) if it takes over m marks.
  @discardableResult
  public nonisolated func enqueue(
    _ snapshot: consuming Snapshot<SectionID, ItemID>, presentation: Presentation = .animated
  ) -> Ticket {
    let snapshot = snapshot
    return enqueue(
      weight: snapshot.weight, marks: snapshot.marks, presentation: presentation
    ) { _ in .init(snapshot) }
  }

  /// Enqueues a write that is made when its turn has come.
  nonisolated func enqueue(
    weight: Int, marks: Snapshot<SectionID, ItemID>.Marks = .init(),
    models: QueuedWrite<SectionID, ItemID>.Models = .none, presentation: Presentation,
    _ make:
      @escaping @Sendable (DuplicatePolicy) throws(SnapshotError) ->
      QueuedWrite<SectionID, ItemID>.Input
  ) -> Ticket {
    let write = QueuedWrite<SectionID, ItemID>(
      weight: weight, presentation: presentation, marks: marks, models: models, make)
    return entrance.queue.enqueue(write, hub: reader.hub) { await self.drain() }
  }

  private func drain() async {
    // Other calls to the actor get their turn in between.
    while core.drainOnce() { await Task.yield() }
  }

  /// Applies the snapshots of a sequence, one after another, until it ends.
  ///
  /// Each snapshot goes through the queue of ``enqueue(_:presentation:)``, so a newer one that is
  /// enqueued elsewhere replaces it. The next element is requested when the previous one has been
  /// applied or replaced, so the sequence is never more than one element ahead. The sequence
  /// decides what to do with elements that arrive too fast. For example, an `AsyncStream` that
  /// buffers the newest one skips what the source has no time for.
  ///
  /// The sequence is iterated in the caller's isolation, so it may belong to the main actor.
  /// Snapshots are compared on the source.
  ///
  /// - Parameters:
  ///   - snapshots: The sequence.
  ///   - presentation: How to show the changes.
  /// - Throws: What the sequence throws, ``DataSourceError`` if a snapshot is rejected, or
  ///   `CancellationError` if the task is cancelled. What was applied before stays.
  nonisolated(nonsending) public func follow<Snapshots: AsyncSequence>(
    _ snapshots: Snapshots, presentation: Presentation = .animated
  ) async throws where Snapshots.Element == Snapshot<SectionID, ItemID> {
    try await enqueueEach(of: snapshots) { enqueue($0, presentation: presentation) }
  }
}

/// What a write has done: the revision that has it, the change that it made, and what its edit returned.
///
/// Most writers ignore it. To revert exactly this write later, keep its ``change``:
///
/// ```swift
/// let write = try await list.update(named: "Like") { try $0.update(id) { $0.isLiked = true } }
/// …
/// try await list.revert(write.change)      // does nothing if the row was liked already
/// ```
public struct WriteResult<Value: Sendable>: Sendable {
  /// The revision that holds the state: a new one, or the live one if nothing changed.
  ///
  /// Use it to wait until the state is shown. The live one may be another writer's change.
  public let revision: Revision
  /// The change that the write made; `nil` if it changed nothing.
  public let change: UndoableChange?
  /// What the edit returned.
  public let value: Value

  package init(_ value: Value, at revision: Revision, _ change: UndoableChange?) {
    (self.value, self.revision, self.change) = (value, revision, change)
  }
}
