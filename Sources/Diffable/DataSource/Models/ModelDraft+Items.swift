extension ModelDraft {
  /// Changes the model of an item in place.
  ///
  /// ```swift
  /// try await source.update { draft in
  ///   try draft.update(note.id) { $0.title = title }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - change: Changes the model, but not its identifier.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item is not there, or if the model has another
  ///   identifier afterwards, and what the change throws. The model is the same as before then.
  /// - Complexity: O(log n) for n items, given a good hash.
  public mutating func update(_ item: Model.ID, _ change: (inout Model) throws -> Void) throws {
    guard snapshot.containsItem(item), var model = model(for: item) else {
      throw SnapshotError.unknownItem([AnyItemID(item)])
    }
    try change(&model)
    guard model.id == item else { throw SnapshotError.unknownItem([AnyItemID(model.id)]) }
    setModel(model)
  }

  /// Gives items models where they are, and adds those that are not there behind the last item of a
  /// section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that is not there.
  /// - Complexity: O(m · log n) for m models and n items.
  public mutating func upsertItems(
    _ models: some Sequence<Model>, toSection section: SectionID
  ) throws(SnapshotError) {
    let models = Array(models)
    var new: [Model.ID] = []
    var known = IdentifierSet<Model.ID>()
    for model in models where !snapshot.containsItem(model.id) && known.insert(model.id) {
      new.append(model.id)
    }
    try snapshot.appendItems(new, toSection: section)
    setModels(models)
  }

  /// Puts a model with another identifier in the place of an item, as ``Snapshot/replaceItem(_:with:)``.
  ///
  /// ```swift
  /// try await source.update { draft in
  ///   try draft.replaceItem(sending.id, with: message)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: The identifier that the item has.
  ///   - model: What it shows from now on, with its new identifier.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item is not there, and
  ///   ``SnapshotError/duplicateItems(_:)`` if another item has the identifier of the model. Nothing has
  ///   changed then.
  /// - Complexity: O(log n) for n items, given a good hash.
  public mutating func replaceItem(
    _ item: Model.ID, with model: Model
  ) throws(SnapshotError) {
    try snapshot.replaceItem(item, with: model.id)
    setModel(model)
  }

  /// Removes items and their models, with what stands below them in an outline.
  ///
  /// Unknown ones are ignored.
  ///
  /// - Complexity: O(m · log n) for m of n items.
  public mutating func deleteItems(_ items: some Sequence<Model.ID>) {
    snapshot.deleteItems(items)
  }

  /// Moves an item before another, as ``Snapshot/moveItem(_:beforeItem:)``.
  public mutating func moveItem(
    _ item: Model.ID, beforeItem anchor: Model.ID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, beforeItem: anchor)
  }

  /// Moves an item behind another, as ``Snapshot/moveItem(_:afterItem:)``.
  public mutating func moveItem(
    _ item: Model.ID, afterItem anchor: Model.ID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, afterItem: anchor)
  }

  /// Moves an item behind the last one of a section, as ``Snapshot/moveItem(_:toSection:)``.
  public mutating func moveItem(
    _ item: Model.ID, toSection section: SectionID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, toSection: section)
  }

  /// Adds models behind the last item of a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that is not there.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func appendItems(
    _ models: some Sequence<Model>, toSection section: SectionID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.appendItems(models.map(\.id), toSection: section)
    setModels(models)
  }

  /// Adds models, in their order, before an item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that is not there.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func insertItems(
    _ models: some Sequence<Model>, beforeItem anchor: Model.ID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.insertItems(models.map(\.id), beforeItem: anchor)
    setModels(models)
  }

  /// Adds models, in their order, behind an item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that is not there.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func insertItems(
    _ models: some Sequence<Model>, afterItem anchor: Model.ID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.insertItems(models.map(\.id), afterItem: anchor)
    setModels(models)
  }

  /// Puts other models in the place of all items of a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that is not there.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func replaceItems(
    inSection section: SectionID, with models: some Sequence<Model>
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.replaceItems(inSection: section, with: models.map(\.id))
    setModels(models)
  }
}
