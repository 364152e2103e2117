extension EditableListSource {
  /// Takes back the newest change that has not been taken back.
  ///
  /// Only what that change did is taken back, and by merging: what others have changed since stays,
  /// and contradictions are listed as conflicts. If nobody has changed anything since, the state is
  /// what it was before the change. Models are taken back with the order; one that was changed again
  /// since becomes what it was before the change that is taken back.
  ///
  /// Each call takes back one change, the one that ``nextUndo(_:)`` names. If nothing is left of it,
  /// because others have deleted its items for example, the live state stays as it is: there is no
  /// new revision, the difference is empty, and the next call takes back the change before it. An
  /// app that would rather pass over such a change calls again.
  ///
  /// Undo is a change like any other: it makes a revision, subscribers see it as a batch, and it can
  /// be taken back by ``redo(_:presentation:)``, until a new change comes. Items that the change
  /// reloaded or reconfigured are reloaded or reconfigured again. In the scope of everything, taking
  /// back a named change that is not the newest one counts as a new change.
  ///
  /// Undo goes back as far as the history. Since every undo takes up a revision itself, half as many
  /// changes in a row can be undone as there are revisions in it.
  ///
  /// - Parameters:
  ///   - scope: Which changes count: all, or those that have a name.
  ///   - presentation: How the change is to be shown.
  /// - Returns: The change that was made, with the one that it takes back; `nil` if there is nothing
  ///   to undo.
  /// - Throws: ``DataSourceError``: `reentrant`, `finished` or `cancelled`. Nothing has changed then.
  /// - Complexity: That of merging what the change did into the live state.
  @discardableResult
  public func undo(
    _ scope: UndoScope = .everything, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try core.reverse(.undo, scope, presentation: presentation)
  }

  /// Takes back the newest undo that has not been taken back.
  ///
  /// Each call takes back one undo, that of the change that ``nextRedo(_:)`` names, even if nothing
  /// is left of it to make again. A new change in the scope makes an end of it: then there is nothing
  /// to redo.
  ///
  /// - Parameters:
  ///   - scope: Which changes count: all, or those that have a name.
  ///   - presentation: How the change is to be shown.
  /// - Returns: The change that was made, with the undo that it takes back; `nil` if there is nothing
  ///   to redo.
  /// - Throws: ``DataSourceError``: `reentrant`, `finished` or `cancelled`. Nothing has changed then.
  /// - Complexity: That of merging what was undone into the live state.
  @discardableResult
  public func redo(
    _ scope: UndoScope = .everything, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try core.reverse(.redo, scope, presentation: presentation)
  }

  /// The change that ``undo(_:presentation:)`` takes back, for a menu; `nil` if there is none.
  ///
  /// It is that one for certain, unless something is written in between.
  ///
  /// - Complexity: O(1).
  public nonisolated func nextUndo(_ scope: UndoScope = .everything) -> UndoableChange? {
    reader.hub.withMachine { $0.reversible(.undo, scope)?.change }
  }

  /// The undo that ``redo(_:presentation:)`` takes back, for a menu; `nil` if there is none.
  ///
  /// It has the name of the change that is made again. It is that one for certain, unless something is
  /// written in between.
  ///
  /// - Complexity: O(1).
  public nonisolated func nextRedo(_ scope: UndoScope = .everything) -> UndoableChange? {
    reader.hub.withMachine { $0.reversible(.redo, scope)?.change }
  }

  /// Replays what a writer changed since a revision onto the live state.
  ///
  /// This is for writers that work on a copy for a while, and do not want to lose what others have
  /// changed meanwhile: take a snapshot and its revision, edit the copy, merge it. The rules are
  /// those of ``Snapshot/merging(_:basedOn:)``. Merging into the revision that the writer started
  /// from equals applying.
  ///
  /// - Parameters:
  ///   - snapshot: What the writer made of the base.
  ///   - base: The revision that the writer started from.
  ///   - name: The name of the change, for undo.
  ///   - presentation: How the change is to be shown.
  /// - Returns: The change that was made, with the conflicts.
  /// - Throws: ``DataSourceError`` as ``apply(_:presentation:ifRevision:)`` does, and
  ///   `unknownRevision` if the history does not have the base. Nothing has changed then.
  /// - Complexity: That of ``Snapshot/merging(_:basedOn:)``.
  @discardableResult
  public func merge(
    _ snapshot: Snapshot<SectionID, ItemID>, basedOn base: Revision, named name: String? = nil,
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try core.merge(
      snapshot, basedOn: base, named: name, presentation: presentation)
  }
}
