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
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item does not exist or the changed model
  ///   has another identifier; also any error that the closure throws. The model is unchanged then.
  /// - Complexity: O(log n) for n items, given a good hash.
  public mutating func update(_ item: Model.ID, _ change: (inout Model) throws -> Void) throws {
    guard snapshot.containsItem(item), var model = model(for: item) else {
      throw SnapshotError.unknownItem([AnyItemID(item)])
    }
    try change(&model)
    // The draft may have the item under a former name.
    guard model.id == item || model.id == names.newName(of: item) else {
      throw SnapshotError.unknownItem([AnyItemID(model.id)])
    }
    setModel(model)
  }

  /// Gives items their models, and appends new items to a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
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

  /// Replaces an item by a new model, as ``Snapshot/replaceItem(_:with:)`` does.
  ///
  /// ```swift
  /// try await source.update { draft in
  ///   try draft.replaceItem(sending.id, with: message)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: The current identifier of the item.
  ///   - model: The new model, with the new identifier.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item does not exist, and
  ///   ``SnapshotError/duplicateItems(_:)`` if another item has the identifier of the model.
  ///   Nothing changes then.
  /// - Complexity: O(log n) for n items, given a good hash.
  public mutating func replaceItem(
    _ item: Model.ID, with model: Model
  ) throws(SnapshotError) {
    try snapshot.replaceItem(item, with: model.id)
    setModel(model)
  }

  /// Deletes items and their models, and in an outline their descendants.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O(m · log n) for m of n items.
  public mutating func deleteItems(_ items: some Sequence<Model.ID>) {
    snapshot.deleteItems(items)
  }

  /// Moves an item before another, as ``Snapshot/moveItem(_:beforeItem:)`` does.
  public mutating func moveItem(
    _ item: Model.ID, beforeItem anchor: Model.ID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, beforeItem: anchor)
  }

  /// Moves an item after another, as ``Snapshot/moveItem(_:afterItem:)`` does.
  public mutating func moveItem(
    _ item: Model.ID, afterItem anchor: Model.ID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, afterItem: anchor)
  }

  /// Moves an item to the end of a section, as ``Snapshot/moveItem(_:toSection:)`` does.
  public mutating func moveItem(
    _ item: Model.ID, toSection section: SectionID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, toSection: section)
  }

  /// Appends models to a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func appendItems(
    _ models: some Sequence<Model>, toSection section: SectionID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.appendItems(models.map { $0.id }, toSection: section)
    setModels(models)
  }

  /// Inserts models, in their order, before an item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func insertItems(
    _ models: some Sequence<Model>, beforeItem anchor: Model.ID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.insertItems(models.map { $0.id }, beforeItem: anchor)
    setModels(models)
  }

  /// Inserts models, in their order, after an item.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if that item does not exist.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func insertItems(
    _ models: some Sequence<Model>, afterItem anchor: Model.ID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.insertItems(models.map { $0.id }, afterItem: anchor)
    setModels(models)
  }

  /// Replaces all items of a section with other models.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func replaceItems(
    inSection section: SectionID, with models: some Sequence<Model>
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.replaceItems(inSection: section, with: models.map { $0.id })
    setModels(models)
  }
}
