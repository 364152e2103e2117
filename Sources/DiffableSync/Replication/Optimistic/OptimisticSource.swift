public import Diffable

/// The list of a ``ReplicatedSource`` with changes that are shown before the log has accepted them.
///
/// ```swift
/// let list = await source.optimistic()
/// let write = try await list.update { draft in             // renderers show it at once
///   try draft.moveItem(card, afterItem: other)
/// }
/// if case .failed(let error) = await write.outcome { … }  // it is no longer shown
/// ```
///
/// Use it for lists that a user edits. A change is shown at once, and changes are offered to the log in
/// the order of the calls. If other participants change the list meanwhile, the change is made again on
/// top of theirs, so a row never jumps back and forth. `UpdateBatch.unconfirmedItems` lists what is
/// not confirmed yet, and an item is reconfigured when it is confirmed.
///
/// What others reload, reconfigure and rename reaches its subscribers as it reaches those of the
/// ``ReplicatedSource``, with the presentation that others have chosen.
///
/// While the log does not answer, the changes stay visible and are offered again.
///
/// Undo is that of the ``ReplicatedSource``. Changes that belong together can be one step of it, see
/// ``ReplicatedSource/groupUndo(since:)``.
///
/// It has revisions and tokens of its own, which are valid in this process only. Clients over HTTP
/// follow the ``ReplicatedSource``.
public final class OptimisticSource<Batch: DeltaBatch>: WritableListSource {
  /// The source that shows confirmed changes only.
  public let confirmed: ReplicatedSource<Batch>
  /// Access to what the source has published.
  public let _access: _SourceAccess<Batch.SectionID, Batch.ItemID>

  init(
    _ confirmed: ReplicatedSource<Batch>, _ reader: RevisionReader<Batch.SectionID, Batch.ItemID>
  ) {
    self.confirmed = confirmed
    _access = SourceAccess(reader, confirmed._access.drops)
  }

  /// Shows an edit at once, and offers it to the log.
  ///
  /// The edit runs again whenever the list below it changes. So its result must depend only on the
  /// state that it gets, and it must have no side effects. If another participant has renamed an
  /// item meanwhile, the draft has the item under the name that it had when this was called, and
  /// the edit applies to it under its new name. If the edit sets a model under the old name, that
  /// must be a `RenamableModel`; otherwise the change fails. If the edit deletes a section in which
  /// others have put items since, the section stays, with those items.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for ``ReplicatedSource/undo(presentation:)``.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the draft.
  /// - Returns: The change, whose outcome can be awaited. It is offered even if the outcome is not
  ///   awaited, and if the task is cancelled.
  /// - Throws: What the edit throws, and `DataSourceError`. Nothing changes then.
  /// - Complexity: The cost of the edit, and O(c · log n) for c changes among n items, those that wait included.
  @discardableResult
  public func update(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: @escaping @Sendable (inout Batch.Draft) throws -> Void
  ) async throws -> OptimisticWrite<SectionID, ItemID> {
    try await confirmed.addOptimistic(named: name, presentation) { snapshot, given, names in
      try Batch._edit(&snapshot, &given, renamed: names.renames.inOrder, edit)
      return Contradictions()
    }.write
  }

  /// The list with all changes that are shown, and its number, which no other process knows.
  ///
  /// - Complexity: O(1).
  public var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    get async { await confirmed.optimisticState }
  }

  /// Shows a change at once, and offers it to the log.
  ///
  /// - Returns: The change as it is shown. Its `change` belongs to this list, so the ``confirmed`` one cannot
  ///   revert it. To learn what becomes of it, and to revert that, use ``update(named:presentation:_:)``.
  /// - Throws: `DataSourceError`; `failed` with why the confirmed source has stopped, and with other
  ///   errors that the edit has thrown. Nothing changes then.
  @discardableResult
  public func write(
    _ change: OrderChange<SectionID, ItemID>
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try await confirmed.writeOptimistic(change)
  }
}

/// A change of an ``OptimisticSource`` that the log has not accepted yet.
public struct OptimisticWrite<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// What became of the change.
  public enum Outcome: Sendable {
    /// The log has accepted it, as a revision of the ``ReplicatedSource``.
    ///
    /// The transaction has the conflicts with what others had changed before.
    case accepted(Transaction<SectionID, ItemID>)
    /// It was not made, and is no longer shown.
    case failed(any Error)
  }

  let promised: Promised<Outcome>

  /// The outcome; waits until it is known.
  ///
  /// Cancellation does not end the wait, which lasts as long as the log does not answer. Nor does it help to release
  /// the source, which changes that wait keep alive: ``ReplicatedSource/finish()`` ends the wait, and the change
  /// has failed.
  public var outcome: Outcome {
    get async { await promised.value }
  }
}

extension ReplicatedSource {
  typealias Shown = Overlay<Batch, OptimisticWrite<SectionID, ItemID>.Outcome>

  /// The same list for a user who edits it: changes are shown before the log has accepted them.
  ///
  /// All calls return the same list. It ends with this source.
  ///
  /// - Complexity: O(n) for n items at the first call, then O(1).
  public func optimistic() -> OptimisticSource<Batch> {
    OptimisticSource(self, RevisionReader(hub: shownList().core.hub))
  }

  /// The list with the changes that are shown, which is made when it is first needed.
  private func shownList() -> Shown {
    if let overlay { return overlay }
    let hub = list.core.hub
    let core = Core(
      SourceOptions(clock: hub.clock, observer: hub.observer).showing(outlivesSource: true),
      kernels: list.core.kernels, children: nil, handlers: list.core.live.handlers)
    let made = Shown(core, on: list.core, released: .failed(DataSourceError.finished))
    // The observer may request it while it is filled.
    overlay = made
    made.rebase(.reset)
    if list.core.isFinished { core.finish() }
    return made
  }

  var optimisticState: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    let core = shownList().core
    return (core.snapshot, core.revision)
  }

  /// Shows an edit, and offers it to the log.
  ///
  /// - Returns: The write, and what it contradicts now.
  func addOptimistic(
    named name: String?, _ presentation: Presentation, _ edit: @escaping Shown.Edit
  ) throws -> (
    write: OptimisticWrite<SectionID, ItemID>, contradictions: Contradictions<SectionID, ItemID>
  ) {
    if let failure { throw failure }
    let added = try shownList().add(edit, named: name, presentation)
    offer(added.edit)
    return (OptimisticWrite(promised: added.edit.promise.promised), added.contradictions)
  }

  /// Shows a change at once; it is made again whenever the list below it changes.
  func writeOptimistic(
    _ change: OrderChange<SectionID, ItemID>
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try shownList().write(change) {
      try addOptimistic(named: change.name, change.presentation, $0).contradictions
    }
  }

  /// Lets a change that is shown wait for the log.
  private func offer(_ shown: Shown.Pending) {
    let (name, hub) = (shown.name, list.core.hub)
    var (merged, initial) = (Core.Live.Merged?.none, list.core.latest)
    let write = WaitingWrite(shown: shown.id) { [list] in
      try list.propose(list.makeWriteID(), ifRevision: nil, shown.presentation) { core in
        initial = core.latest
        merged = try shown.make(on: &core.live)
        return (merged?.commit, .change(name: name), ())
      }.entry
    } end: { outcome in
      switch outcome {
      case .success(let revision):
        shown.promise.fulfil(
          .accepted(
            Transaction(
              merged ?? (nil, Contradictions()), at: revision,
              merged?.commit.map { _ in hub.change(revision, named: name) }, from: initial,
              named: name)))
      case .failure(let error): shown.promise.fulfil(.failed(error))
      }
    }
    add(shown: write)
  }

  /// Shows a change no longer that was decided on; the log has it, or it was not made.
  func hide(_ shown: WriteID) {
    // It is gone already if the log has accepted it.
    if let overlay, let edit = overlay.drop(shown) { overlay.rebase(edit.presentation) }
  }

  /// Puts the pending changes on top of another confirmed state.
  func rebaseOverlay() {
    guard let overlay else { return }
    var own: [Revision] = []
    if let first = writes.first, list.decision(on: first) == .next {
      for member in writes.offered {
        guard let shown = member.write.change.shown, overlay.remove(shown) != nil else {
          continue
        }
        if member.entry != nil, case .success(let revision) = member.write.change.outcome {
          own.append(revision)
        }
      }
    }
    overlay.rebase(showing: own)
  }
}
