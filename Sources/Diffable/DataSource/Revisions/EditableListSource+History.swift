extension EditableListSource {
  /// Reverts the newest change that has not been reverted.
  ///
  /// Only that change is reverted, by merging. Later changes by others stay, and contradictions
  /// are listed as conflicts. If there are no later changes, the state becomes what it was before
  /// the change. Models are reverted with the order, as far as they are still what the change wrote. One
  /// that was changed again later stays, which is a conflict `changedTwice`; or the `mergeHandler` of the
  /// source receives what the change wrote, the version before it and the live one, and returns the result.
  ///
  /// Each call reverts one change, which ``nextUndo(_:)`` names, or one step of
  /// ``UndoableListSource/groupUndo(since:)``. If nothing is left of it, for
  /// example because others have deleted its items, the live state stays as it is: there is no new
  /// revision, the difference is empty, and the next call reverts the change before it.
  ///
  /// Undo is a change like any other: it makes a revision, and subscribers receive it as a batch.
  /// ``redo(_:presentation:)`` can revert it until there is a new change. Items that the change
  /// reloaded or reconfigured are reloaded or reconfigured again. In the scope `everything`,
  /// reverting a named change that is not the newest one counts as a new change.
  ///
  /// Undo reaches as far back as the history. Each undo takes up a revision itself, so the number
  /// of changes in a row that can be undone is about half the number of revisions in the history.
  ///
  /// - Parameters:
  ///   - scope: Which changes count: all, or those that have a name.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made, with the one that it reverts; `nil` if there is nothing
  ///   to undo.
  /// - Throws: ``DataSourceError``: `reentrant`, `finished` or `cancelled`. Nothing changes then.
  /// - Complexity: The cost of merging what the change did into the live state.
  @discardableResult
  public func undo(
    _ scope: UndoScope, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try core.reverse(.undo, scope, presentation: presentation)
  }

  /// Reverts the newest change that has not been reverted, whether it has a name or not.
  ///
  /// The same as ``undo(_:presentation:)`` in the scope ``UndoScope/everything``.
  @discardableResult
  public func undo(
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try undo(.everything, presentation: presentation)
  }

  /// Reverts the newest undo that has not been reverted.
  ///
  /// Each call reverts one undo: the undo of the change that ``nextRedo(_:)`` names, even if
  /// nothing of it is left to redo. After a new change in the scope, there is nothing to redo.
  ///
  /// - Parameters:
  ///   - scope: Which changes count: all, or those that have a name.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made, with the undo that it reverts; `nil` if there is nothing
  ///   to redo.
  /// - Throws: ``DataSourceError``: `reentrant`, `finished` or `cancelled`. Nothing changes then.
  /// - Complexity: The cost of merging what was undone into the live state.
  @discardableResult
  public func redo(
    _ scope: UndoScope, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try core.reverse(.redo, scope, presentation: presentation)
  }

  /// Reverts the newest undo that has not been reverted, whether its change has a name or not.
  ///
  /// The same as ``redo(_:presentation:)`` in the scope ``UndoScope/everything``.
  @discardableResult
  public func redo(
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try redo(.everything, presentation: presentation)
  }

  /// Reverts a change, wherever it is in the history.
  ///
  /// ``undo(_:presentation:)`` does the same with the newest change. Use this one to take back a
  /// change that a server has refused. If it is the change that undo would revert next,
  /// ``nextUndo(_:)`` no longer names it.
  ///
  /// It reverts what still shows of the change. A row that others have moved since stays where it
  /// is, and a model that they have changed stays, unless the source has a `mergeHandler`. Both are
  /// conflicts. Reverting a change twice changes nothing the second time, unless the same change
  /// was made again.
  ///
  /// - Parameters:
  ///   - change: What a write returned as ``WriteResult/change`` or ``Transaction/change``, or
  ///     ``change(of:)`` for a change of another writer. If it is `nil`, the write changed nothing, and
  ///     nothing is reverted.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made. If nothing was left to revert, its ``Transaction/change`` is
  ///   `nil`.
  /// - Throws: ``DataSourceError``: `unknownRevision` if the history does not have its revision, or
  ///   not the one before it, or if it is a change of another source; `reentrant`, `finished` or
  ///   `cancelled`. Nothing changes then.
  /// - Complexity: The cost of merging what the change did into the live state.
  @discardableResult
  public func revert(
    _ change: UndoableChange?, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try revertAll([change], presentation: presentation)
  }

  /// The change that made a revision; `nil` if the history no longer has it and the revision before it.
  ///
  /// Use it to revert what another writer did. For your own writes, use the change that they return: their
  /// revision may be another writer's.
  ///
  /// - Complexity: O(1).
  public nonisolated func change(of revision: Revision) -> UndoableChange? {
    reader.hub.change(of: revision)
  }

  /// Reverts several changes as one change.
  ///
  /// As ``revert(_:presentation:)`` does with one. The newest is reverted first, and what others
  /// have changed in between stays.
  ///
  /// - Parameters:
  ///   - changes: The changes, in any order. Writes that changed nothing do not count.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made. Its ``Transaction/change`` is `nil` if nothing was left to revert.
  /// - Throws: As ``revert(_:presentation:)``, with the first of the revisions that is unknown.
  /// - Complexity: The cost of merging each of the changes into the live state.
  @discardableResult
  public func revertAll(
    _ changes: [UndoableChange?], presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try core.reverse(changes, presentation: presentation)
  }

  /// Makes one step of undo of all changes since a revision.
  ///
  /// Use it for changes that belong together, such as the letters of a word, or the moves of a drag:
  ///
  /// ```swift
  /// let start = await source.revision
  /// for item in selection { try await source.update(named: "Move") { … } }
  /// source.groupUndo(since: start)
  /// ```
  ///
  /// From then on ``undo(_:presentation:)`` reverts all of them, in one revision, and
  /// ``redo(_:presentation:)`` makes all of them again. In the scope ``UndoScope/named`` these are the changes
  /// that have a name; others' changes in between stay. The step has the name of its newest change that has
  /// one. It can be extended: changes since the same revision can be grouped again. A step is reverted as a
  /// whole, so it can be reverted as long as the history has all of its changes.
  ///
  /// - Parameter revision: The revision before the first of the changes.
  /// - Complexity: O(1).
  public nonisolated func groupUndo(since revision: Revision) {
    reader.hub.groupUndo(since: revision)
  }

  /// The change that ``undo(_:presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// An undo reverts exactly this change unless another write happens in between.
  ///
  /// - Complexity: O(k) for k changes that are reverted together.
  public nonisolated func nextUndo(_ scope: UndoScope) -> UndoableChange? {
    reader.hub.nextChange(.undo, scope)
  }

  /// The change that ``undo(presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// - Complexity: O(k) for k changes that are reverted together.
  public nonisolated func nextUndo() -> UndoableChange? { nextUndo(.everything) }

  /// The undo that ``redo(_:presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// It has the name of the change that is made again. A redo reverts exactly this undo unless
  /// another write happens in between.
  ///
  /// - Complexity: O(1).
  public nonisolated func nextRedo(_ scope: UndoScope) -> UndoableChange? {
    reader.hub.nextChange(.redo, scope)
  }

  /// The undo that ``redo(presentation:)`` reverts, for a menu; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  public nonisolated func nextRedo() -> UndoableChange? { nextRedo(.everything) }

  /// Replays a writer's changes since a revision onto the live state.
  ///
  /// Use it for a writer that works on a copy for a while and must not lose what others change
  /// meanwhile: take a snapshot and its revision, edit the copy, merge it. The rules are the same
  /// as in ``Snapshot/merging(_:basedOn:)``. If the base is still the live revision, the result is the
  /// writer's snapshot, also where that makes a list of an outline, which applying does not.
  ///
  /// - Parameters:
  ///   - snapshot: The base as the writer changed it.
  ///   - base: The revision that the writer started from.
  ///   - name: The name of the change, for undo.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made, with the conflicts.
  /// - Throws: ``DataSourceError`` as ``apply(_:presentation:ifRevision:)`` does, and
  ///   `unknownRevision` if the history does not have the base. Nothing changes then.
  /// - Complexity: The same as ``Snapshot/merging(_:basedOn:)``.
  @discardableResult
  public func merge(
    _ snapshot: Snapshot<SectionID, ItemID>, basedOn base: Revision, named name: String? = nil,
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try core.merge(
      snapshot, basedOn: base, named: name, presentation: presentation)
  }
}
