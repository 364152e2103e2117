extension EditableListSource {
  /// Replaces the whole state.
  ///
  /// The last apply wins. Marks of the snapshot travel with this change and are gone afterwards.
  /// A snapshot that equals the live one and has no marks changes nothing: subscribers hear nothing
  /// and no revision is used up. In a ``ModelSource`` the items keep their models; one that has none
  /// yet needs ``ModelSource/apply(_:models:presentation:ifRevision:)``.
  ///
  /// - Parameters:
  ///   - snapshot: The new state.
  ///   - presentation: How the change is to be shown.
  ///   - expected: The revision that the writer has seen. If somebody else was faster, nothing
  ///     changes.
  /// - Returns: The revision that holds the state: a new one, or the live one if nothing changed.
  /// - Throws: ``DataSourceError``: `reentrant` from inside another change, `finished` after
  ///   ``finish()``, `cancelled` if the task was cancelled before the change began, `conflict` if
  ///   the live revision is not the expected one, `invalidSnapshot` for duplicate identifiers under
  ///   the policy to reject them, or for an item without a model. In each case nothing has changed.
  ///   A task that is cancelled later has its change made.
  /// - Complexity: That of finding the difference to the live state; for k subscribers that wait,
  ///   O(k) more to wake them.
  @discardableResult
  public func apply(
    _ snapshot: consuming Snapshot<SectionID, ItemID>, presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> Revision {
    let snapshot = snapshot
    return try core.replace(presentation: presentation, ifRevision: expected) { _ in
      (snapshot, GivenContent())
    }
  }

  /// Edits the live state in one step that no other writer can enter.
  ///
  /// A ``DataSourceActor`` lets you edit its ``Snapshot``, a ``ModelSource`` a ``ModelDraft``.
  /// Nothing is lost however many writers there are. The edit cannot suspend. If it throws, or if
  /// what it makes of the draft is not valid, nothing has changed.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - presentation: How the change is to be shown.
  ///   - edit: Changes the draft. Apply or update from inside it throws.
  /// - Returns: What the edit returns.
  /// - Throws: What the edit throws, or ``DataSourceError`` as
  ///   ``apply(_:presentation:ifRevision:)`` does.
  /// - Complexity: That of the edit and of finding the difference to the live state.
  @discardableResult
  public func update<Result>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) throws -> sending Result
  ) throws -> sending Result {
    try core.update(named: name, presentation: presentation) { snapshot, given in
      try Self.edit(&snapshot, &given, edit)
    }
  }

  /// Edits the live state in one step that no other writer can enter, and answers its revision.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - presentation: How the change is to be shown.
  ///   - edit: Changes the draft. Apply or update from inside it throws.
  /// - Returns: The revision that holds the edited state: a new one, or the live one if nothing
  ///   changed.
  /// - Throws: What the edit throws, or ``DataSourceError`` as
  ///   ``apply(_:presentation:ifRevision:)`` does. Nothing has changed then.
  /// - Complexity: That of the edit and of finding the difference to the live state.
  @discardableResult
  public func update(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) throws -> Void
  ) throws -> Revision {
    try core.update(named: name, presentation: presentation) { snapshot, given in
      try Self.edit(&snapshot, &given) { draft in try edit(&draft) }
    }
    return revision
  }

  /// Edits the order in one step that no other writer can enter, whatever kind of source it is.
  ///
  /// For code that works with `any EditableListSource`. Otherwise it is
  /// ``update(named:presentation:_:)->Revision``; models are kept.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - presentation: How the change is to be shown.
  ///   - edit: Changes the snapshot. Apply or update from inside it throws.
  /// - Returns: The revision that holds the edited state: a new one, or the live one if nothing
  ///   changed.
  /// - Throws: What the edit throws, or ``DataSourceError`` as
  ///   ``apply(_:presentation:ifRevision:)`` does. Nothing has changed then.
  /// - Complexity: That of the edit and of finding the difference to the live state.
  @discardableResult
  public func updateOrder(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Snapshot<SectionID, ItemID>) throws -> Void
  ) throws -> Revision {
    try core.update(named: name, presentation: presentation) { snapshot, _ in try edit(&snapshot) }
    return revision
  }
}
