extension ModelSource {
  /// Takes back the newest change that has not been taken back, models included.
  ///
  /// As ``DataSourceActor/undo(_:presentation:)``: what others changed since stays. A model that was
  /// changed again since becomes what it was before the change that is taken back.
  ///
  /// - Parameters:
  ///   - scope: Which changes to look at.
  ///   - presentation: How the change is to be shown.
  /// - Returns: What was changed, and what was taken back; `nil` if the history has nothing to take
  ///   back.
  /// - Throws: ``DataSourceError``: `reentrant`, `finished` or `cancelled`. Nothing has changed then.
  /// - Complexity: O(c · log n) for c elements that either side changed.
  @discardableResult
  public func undo(
    _ scope: UndoScope = .everything, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, Model.ID>? {
    try core.reverse(.undo, scope, presentation: presentation)
  }

  /// Makes the change again that was taken back last, models included.
  ///
  /// As ``DataSourceActor/redo(_:presentation:)``.
  ///
  /// - Parameters:
  ///   - scope: Which changes to look at.
  ///   - presentation: How the change is to be shown.
  /// - Returns: What was changed, and what was taken back; `nil` if there is nothing to make again.
  /// - Throws: ``DataSourceError``: `reentrant`, `finished` or `cancelled`. Nothing has changed then.
  /// - Complexity: O(c · log n) for c elements that either side changed.
  @discardableResult
  public func redo(
    _ scope: UndoScope = .everything, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, Model.ID>? {
    try core.reverse(.redo, scope, presentation: presentation)
  }

  /// The change that ``undo(_:presentation:)`` takes back, unless something is written in between.
  ///
  /// - Complexity: That of ``DataSourceActor/nextUndo(_:)``.
  public nonisolated func nextUndo(_ scope: UndoScope = .everything) -> UndoableChange? {
    hub.next(.undo, scope)
  }

  /// The undo that ``redo(_:presentation:)`` takes back, unless something is written in between.
  ///
  /// - Complexity: That of ``DataSourceActor/nextRedo(_:)``.
  public nonisolated func nextRedo(_ scope: UndoScope = .everything) -> UndoableChange? {
    hub.next(.redo, scope)
  }

  /// The order that a revision was, or `nil` if the history does not have it.
  ///
  /// - Complexity: O(1).
  public nonisolated func snapshot(at revision: Revision) -> Snapshot<SectionID, Model.ID>? {
    reader.snapshot(at: revision)
  }

  /// The model that an item had at a revision, or `nil` if it was not there or the history does not
  /// have the revision.
  ///
  /// - Complexity: That of ``Snapshot/itemPath(for:)``.
  public nonisolated func model(for item: Model.ID, at revision: Revision) -> Model? {
    reader.snapshot(at: revision)?.model(of: item, as: Model.self)
  }

  /// Replays what a writer changed since a revision, onto what others have made of the list.
  ///
  /// As ``DataSourceActor/merge(_:basedOn:named:presentation:)``. Where the writer and others changed
  /// the same model, that of the writer counts.
  ///
  /// - Parameters:
  ///   - snapshot: What the writer made of the order.
  ///   - models: The models that the writer added or changed.
  ///   - base: The revision that the writer started from.
  ///   - name: The name of the change, for a menu.
  ///   - presentation: How the change is to be shown.
  /// - Returns: What was changed, and what both sides say differently.
  /// - Throws: ``DataSourceError`` as ``apply(_:models:presentation:ifRevision:)`` does, and
  ///   `unknownRevision` if the history does not have the base. Nothing has changed then.
  /// - Complexity: O(c · log n) for c elements that either side changed.
  @discardableResult
  public func merge(
    _ snapshot: Snapshot<SectionID, Model.ID>, models: sending some Sequence<Model>,
    basedOn base: Revision, named name: String? = nil, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, Model.ID> {
    var given = GivenContent<SectionID, Model.ID>()
    for model in models { given.set(model, kernels) }
    return try core.merge(
      snapshot, given, basedOn: base, named: name, presentation: presentation)
  }
}
