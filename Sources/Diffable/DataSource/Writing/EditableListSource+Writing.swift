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
  /// - Returns: The revision that holds the state: a new one, or the live one if nothing changed.
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
  ) throws(DataSourceError) -> Revision {
    let snapshot = snapshot
    return try core.replace(presentation: presentation, ifRevision: expected) { _ in
      (snapshot, GivenContent())
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
  /// - Returns: What the edit returns.
  /// - Throws: What the edit throws, or ``DataSourceError`` as
  ///   ``apply(_:presentation:ifRevision:)`` does.
  /// - Complexity: The cost of the edit and of finding the difference to the live state.
  @discardableResult
  public func update<Result>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) throws -> sending Result
  ) throws -> sending Result {
    try core.update(named: name, presentation: presentation) { snapshot, given in
      try Batch._edit(&snapshot, &given, edit)
    }
  }

  /// Edits the live state in one step that no other write can interrupt, and returns its revision.
  ///
  /// - Parameters:
  ///   - name: The name of the change, for undo.
  ///   - presentation: How to show the change.
  ///   - edit: Changes the draft. Calling `apply` or `update` from inside it throws.
  /// - Returns: The revision that holds the edited state: a new one, or the live one if nothing
  ///   changed.
  /// - Throws: What the edit throws, or ``DataSourceError`` as
  ///   ``apply(_:presentation:ifRevision:)`` does. Nothing changes then.
  /// - Complexity: The cost of the edit and of finding the difference to the live state.
  @discardableResult
  public func update(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) throws -> Void
  ) throws -> Revision {
    try core.update(named: name, presentation: presentation) { snapshot, given in
      try Batch._edit(&snapshot, &given) { draft in try edit(&draft) }
    }
    return revision
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
  @discardableResult public func update<Result>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) async throws -> sending Result
  ) async throws -> Revision {
    throw DataSourceError.cancelled
  }
}
