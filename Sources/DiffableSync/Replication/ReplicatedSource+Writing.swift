public import Diffable

extension ReplicatedSource {
  /// Edits the list in one step, once the log has accepted it.
  ///
  /// The edit runs again if another participant was faster. So it must do the same each time it is
  /// given the same state, and nothing else. In a list of identifiers the draft is a `Snapshot`,
  /// in a list of models a `ModelDraft`. If another participant has renamed an item meanwhile, the draft
  /// has the item under the name that it had when this was called, and the edit applies to it under
  /// its new name. If the edit sets a model under the old name, that must be a `RenamableModel`;
  /// otherwise the change is rejected. If the edit deletes a section in which others have put items
  /// meanwhile, the section stays, with those items.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for ``undo(presentation:)``.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the draft.
  /// - Returns: What the edit returned when it was accepted, its revision, and the change if there is one.
  /// - Throws: What the edit throws. `DataSourceError`: `invalidSnapshot`, `finished`, and
  ///   `cancelled` if the task was cancelled before the log was asked. ``ReplicationError``:
  ///   `contention`, `rejected`, `unknownFate`, and why the source has stopped. What the encoder of the
  ///   source throws. Nothing changes then, except that the fate of a change may be unknown.
  /// - Complexity: For each try the cost of the edit, O(c · log n) for c changes among n items, and an
  ///   answer of the log. Writes of one participant wait for each other.
  @discardableResult
  public nonisolated func update<Result: Sendable>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: @escaping @Sendable (inout Batch.Draft) throws -> Result
  ) async throws -> WriteResult<Result> {
    // A subscriber at the base: the history keeps what others rename while this waits for its turn.
    let (cursor, base) = CursorToken.atNewest(of: reader.hub)
    defer { cursor.drop(releasing: .here) }
    return try await write(presentation, named: name) { core in
      try core.edit(Batch.self, since: base, edit)
    }
  }

  /// Replaces the whole order; the last writer wins.
  ///
  /// In a list of models the items keep their models.
  ///
  /// - Parameters:
  ///   - snapshot: The new order.
  ///   - presentation: How to show the change.
  ///   - expected: The revision that the writer has seen. If another one is live when the log accepts
  ///     the change, nothing changes.
  /// - Returns: The revision that has the state, and the change if there is one.
  /// - Throws: As ``update(named:presentation:_:)``, and `DataSourceError` with `conflict`.
  @discardableResult
  public nonisolated func apply(
    _ snapshot: Snapshot<SectionID, ItemID>, presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) async throws -> WriteResult<Void> {
    try await change(presentation, ifRevision: expected) { core throws(SnapshotError) in
      try core.live.apply(snapshot, duplicates: .reject)
    }
  }

  /// Changes the live state by a function of this module, once the log has accepted it.
  nonisolated func change(
    _ presentation: Presentation, ifRevision expected: Revision? = nil,
    _ change: @escaping @Sendable (Core) throws(SnapshotError) -> Core.Live.Commit?
  ) async throws -> WriteResult<Void> {
    try await write(presentation, ifRevision: expected) { core in
      try checked { () throws(SnapshotError) in (try change(core), ()) }
    }
  }

  /// Replays a writer's changes since a revision onto the newest state.
  ///
  /// The rules are those of `Snapshot.merging(_:basedOn:)`. If another participant was faster, the
  /// changes are merged again, and the conflicts are those of the merge that was accepted.
  ///
  /// - Parameters:
  ///   - snapshot: The base as the writer changed it.
  ///   - base: The revision that the writer started from.
  ///   - name: The name of the change, for ``undo(presentation:)``.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made, with the conflicts.
  /// - Throws: As ``update(named:presentation:_:)``, and `DataSourceError` with
  ///   `unknownRevision` if the history does not have the base.
  /// - Complexity: For each try the cost of `Snapshot.merging(_:basedOn:)`.
  @discardableResult
  public nonisolated func merge(
    _ snapshot: Snapshot<SectionID, ItemID>, basedOn base: Revision, named name: String? = nil,
    presentation: Presentation = .animated
  ) async throws -> Transaction<SectionID, ItemID> {
    try await merge(snapshot, GivenContent(), basedOn: base, named: name, presentation)
  }

  nonisolated func merge(
    _ snapshot: Snapshot<SectionID, ItemID>, _ given: GivenContent<SectionID, ItemID>,
    basedOn base: Revision, named name: String?, _ presentation: Presentation
  ) async throws -> Transaction<SectionID, ItemID> {
    // A subscriber at the base: the history keeps what others rename while this waits for its turn.
    let cursor = CursorToken(hub: reader.hub, policy: .coalesced, after: base)
    defer { cursor.drop(releasing: .here) }
    guard let old = reader.snapshot(at: base) else { throw DataSourceError.unknownRevision(base) }
    let changed = given.changes(since: old)
    return try await merge(presentation, named: name) { core in
      try checked { () throws(SnapshotError) in
        try core.live.merge(
          snapshot, changed, basedOn: old, others: core.rowNotes(since: base),
          duplicates: .reject)
      }
    }
  }

  /// Makes a change that others may contradict, and says what it did.
  private nonisolated func merge(
    _ presentation: Presentation, named name: String?,
    _ make: @escaping @Sendable (Core) throws -> Core.Live.Merged
  ) async throws -> Transaction<SectionID, ItemID> {
    let written = try await write(presentation, named: name) { core in
      let initial = core.latest
      let merged = try make(core)
      return (merged.commit, (merged: merged, initial: initial))
    }
    return Transaction(
      written.value.merged, at: written.revision, written.change, from: written.value.initial,
      named: name)
  }

  /// Reverts the newest named change of this participant that has not been reverted.
  ///
  /// As `EditableListSource.undo(_:presentation:)` in the scope `named`: changes of other
  /// participants stay. Writes that were begun before are made first, so several calls at once revert
  /// several changes.
  ///
  /// - Returns: The change that was made; `nil` if there is nothing to undo.
  /// - Throws: As ``update(named:presentation:_:)``.
  @discardableResult
  public nonisolated func undo(
    presentation: Presentation = .animated
  ) async throws -> Transaction<SectionID, ItemID>? {
    try await reverse(.undo, presentation) { $0.hub.reversible(.undo, .named) }
  }

  /// Reverts a change, whichever participant has made it.
  ///
  /// As `EditableListSource.revert(_:presentation:)`.
  ///
  /// - Parameters:
  ///   - change: What a write returned as its change, or ``change(of:)`` for a change of another writer. If
  ///     it is `nil`, the write changed nothing, and nothing is reverted.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made. If nothing was left to revert, its `change` is `nil`.
  /// - Throws: As ``update(named:presentation:_:)``, and `DataSourceError` with
  ///   `unknownRevision` if the history does not have its revision and the one before it, or if it is a
  ///   change of another source, such as the ``OptimisticSource``.
  @discardableResult
  public nonisolated func revert(
    _ change: UndoableChange?, presentation: Presentation = .animated
  ) async throws -> Transaction<SectionID, ItemID> {
    try await revertAll([change], presentation: presentation)
  }

  /// The change that made a revision, whichever participant has made it.
  ///
  /// As `EditableListSource.change(of:)`.
  ///
  /// - Complexity: O(1).
  public nonisolated func change(of revision: Revision) -> UndoableChange? {
    reader.hub.change(of: revision)
  }

  /// Reverts several changes as one change, whichever participants have made them.
  ///
  /// As `EditableListSource.revertAll(_:presentation:)`.
  ///
  /// - Returns: The change that was made. If nothing was left to revert, its `change` is `nil`.
  /// - Throws: As ``revert(_:presentation:)``.
  @discardableResult
  public nonisolated func revertAll(
    _ changes: [UndoableChange?], presentation: Presentation = .animated
  ) async throws -> Transaction<SectionID, ItemID> {
    let reverted = try await reverse(.undo, presentation) { try $0.reversal(of: changes) }
    if let reverted { return reverted }
    return try await merge(presentation, named: nil) { _ in (nil, Contradictions()) }
  }

  /// Makes one step of undo of all named changes of this participant since a revision.
  ///
  /// As `EditableListSource.groupUndo(since:)`. Wait until the changes are made: those that the log has not
  /// accepted yet do not count. What other participants have changed in between stays. The log does not
  /// know of steps: a source that is opened again has the changes one by one.
  ///
  /// - Parameter revision: The revision before the first of the changes.
  public nonisolated func groupUndo(since revision: Revision) {
    reader.hub.groupUndo(since: revision)
  }

  /// Reverts the newest undo of this participant.
  ///
  /// - Returns: The change that was made; `nil` if there is nothing to redo.
  /// - Throws: As ``update(named:presentation:_:)``.
  @discardableResult
  public nonisolated func redo(
    presentation: Presentation = .animated
  ) async throws -> Transaction<SectionID, ItemID>? {
    try await reverse(.redo, presentation) { $0.hub.reversible(.redo, .named) }
  }

  /// The change that ``undo(presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// An undo reverts exactly this change unless another write of this participant happens in between.
  ///
  /// - Complexity: O(k) for k changes that are reverted together.
  public nonisolated func nextUndo() -> UndoableChange? {
    reader.hub.nextChange(.undo, .named)
  }

  /// The undo that ``redo(presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// It has the name of the change that is made again.
  ///
  /// - Complexity: O(1).
  public nonisolated func nextRedo() -> UndoableChange? {
    reader.hub.nextChange(.redo, .named)
  }

  private nonisolated func reverse(
    _ direction: UndoDirection, _ presentation: Presentation,
    _ find: @escaping @Sendable (Core) throws -> Hub.Reversible?
  ) async throws -> Transaction<SectionID, ItemID>? {
    typealias Reversal = (
      merged: Core.Live.Merged, initial: Snapshot<SectionID, ItemID>, change: UndoableChange
    )
    let (revision, isChange, reversal) = try await write(presentation, sharing: .nothing) {
      core -> (Core.Live.Commit?, RevisionKind, Reversal?) in
      // Looked up in its turn: the write before it may have been the one to revert.
      guard let found = try find(core) else {
        return (nil, .change(name: nil), nil)
      }
      let initial = core.latest
      let merged = try core.revert(found, direction)
      return (merged.commit, found.kind(direction), (merged, initial, core.hub.change(found)))
    }
    guard let reversal else { return nil }
    let name = reversal.change.name
    return Transaction(
      reversal.merged, at: revision, isChange ? reader.hub.change(revision, named: name) : nil,
      from: reversal.initial, named: name, reversing: reversal.change)
  }

  /// Makes a change once the log has accepted it.
  ///
  /// - Throws: `DataSourceError`; `failed` with a ``ReplicationError``, `contention`, `rejected`,
  ///   `unknownFate` or why the source has stopped, and with other errors that the edit or the encoder
  ///   has thrown. Nothing changes then, except that the fate of a change may be unknown.
  @discardableResult
  public nonisolated func write(
    _ change: OrderChange<SectionID, ItemID>
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    do {
      return try await merge(change.presentation, named: change.name) { try $0.make(change) }
    } catch {
      throw .of(error)
    }
  }
}

extension SourceCore {
  /// Runs an edit of the user on the live state.
  ///
  /// - Parameter base: The revision that the user saw; `nil` if it is the live one.
  func edit<Batch: ListBatch<SectionID, ItemID>, Result>(
    _ batch: Batch.Type, since base: Revision? = nil, _ edit: (inout Batch.Draft) throws -> Result
  ) throws -> (commit: Live.Commit?, result: Result) {
    var result: Result?
    let renames = base.map(renames(since:)) ?? .init()
    let reader = RevisionReader<SectionID, ItemID>(hub: hub)
    let seen = base.flatMap { $0 == latestPlace.revision ? nil : reader.snapshot(at: $0) }
    let commit = try live.update(duplicates: duplicates) { snapshot, given in
      // A second holder of the state would make the edit copy what it touches.
      let state = seen == nil ? nil : snapshot.detached
      result = try Batch._edit(&snapshot, &given, renamed: renames.inOrder, edit)
      guard let seen, let state else { return }
      _ = try snapshot.keepUnseenItems(of: state, basedOn: seen, nil, renamedByOthers: renames)
    }
    guard let result else {
      preconditionFailure("The engine ended an update without calling the edit or throwing")
    }
    return (commit, result)
  }
}
