extension ModelSource {
  /// The model that an item had at a revision.
  ///
  /// It is `nil` if the item did not exist or the history does not have the revision.
  ///
  /// - Complexity: The same as ``Snapshot/itemPath(for:)``.
  public nonisolated func model(for item: Model.ID, at revision: Revision) -> Model? {
    reader.snapshot(at: revision)?.model(of: item, as: Model.self)
  }

  /// Replays a writer's changes since a revision onto the live state.
  ///
  /// As ``EditableListSource/merge(_:basedOn:named:presentation:)``. If the writer and others
  /// changed the same model, the writer's model counts.
  ///
  /// - Parameters:
  ///   - snapshot: The order as the writer changed it.
  ///   - models: The models that the writer added or changed.
  ///   - base: The revision that the writer started from.
  ///   - name: The name of the change, for a menu.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made, with the conflicts.
  /// - Throws: ``DataSourceError`` as ``apply(_:models:presentation:ifRevision:)`` does, and
  ///   `unknownRevision` if the history does not have the base. Nothing changes then.
  /// - Complexity: O(c · log n) for c elements that either side changed.
  @discardableResult
  public func merge(
    _ snapshot: Snapshot<SectionID, Model.ID>, models: sending some Sequence<Model>,
    basedOn base: Revision, named name: String? = nil, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, Model.ID> {
    var given = GivenContent<SectionID, Model.ID>()
    for model in models { given.set(model, core.kernels) }
    return try core.merge(
      snapshot, given, basedOn: base, named: name, presentation: presentation)
  }
}
