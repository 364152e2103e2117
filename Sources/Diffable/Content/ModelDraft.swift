/// The order and the models of a source during an edit.
///
/// Edit the order in ``snapshot`` with the edits that every snapshot has, and give models for items
/// that are new or have changed, before or after they are inserted. Every new item needs a model by the end of
/// the edit. A model needs an item: one that was there before the edit, is there when the model is given,
/// or is there at the end. Else the edit throws ``SnapshotError/unusedModel(_:)``, and nothing changes.
/// So an edit that inserts an item, gives its model and deletes the item again changes nothing.
///
/// ```swift
/// try await source.update { draft in
///   draft.setModel(changed)
///   draft.deleteItems([gone.id])
///   try draft.appendItems([new], toSection: "Inbox")
/// }
/// ```
public struct ModelDraft<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
> where Model.ID: Sendable {
  /// The order.
  public var snapshot: Snapshot<SectionID, Model.ID>
  /// The models given in this edit.
  private(set) var given: GivenContent<SectionID, Model.ID>
  /// The state at the start of the edit.
  private let base: Snapshot<SectionID, Model.ID>
  /// The names at the start of the items that this edit knows under former names.
  private(set) var names = ItemRenames<Model.ID>()
  /// The items that were not there when their models were given.
  private var awaited: [Model.ID] = []

  /// Runs an edit on a draft that alone holds the lookup table, so the table is edited in place.
  ///
  /// The order is handed back even if the edit throws: it has the table.
  ///
  /// - Parameter renamed: The items that the edit knows under former names.
  /// - Throws: What the edit throws, ``SnapshotError/unusedModel(_:)``, and ``SnapshotError/unknownItem(_:)``
  ///   if it gives a model under a former name, and models cannot be renamed.
  static func edit<Result>(
    _ snapshot: inout Snapshot<SectionID, Model.ID>,
    _ given: inout GivenContent<SectionID, Model.ID>,
    renamed: [ItemRename<Model.ID>], _ edit: (inout ModelDraft) throws -> Result
  ) throws -> Result {
    var draft = ModelDraft(snapshot: snapshot, given: given, base: snapshot.detached)
    snapshot.base.itemTable = nil
    defer {
      snapshot = draft.snapshot
      given = draft.given
    }
    draft.names.formUnion(renamed)
    try draft.snapshot.restoreNames(renamed)
    let result = try edit(&draft)
    try draft.checkAwaited()
    guard !renamed.isEmpty else { return result }
    try draft.snapshot.giveNames(renamed)
    let (known, lost) = draft.given.renaming(draft.names, draft.base.kernels)
    guard lost.isEmpty else {
      throw SnapshotError.unknownItem(lost.compactMap(draft.names.oldName).map { AnyItemID($0) })
    }
    draft.given = known
    return result
  }

  /// Checks that the items whose models were given ahead have come, or were there before the edit.
  ///
  /// - Throws: ``SnapshotError/unusedModel(_:)``.
  private func checkAwaited() throws(SnapshotError) {
    guard !awaited.isEmpty else { return }
    var told = IdentifierSet<Model.ID>()
    let missed = awaited.filter {
      !snapshot.containsItem($0) && !base.containsItem($0) && names.newName(of: $0) == nil
        && told.insert($0)
    }
    if !missed.isEmpty { throw .unusedModel(missed.map(AnyItemID.init)) }
  }

  /// The model of an item, given in this edit or before, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items, given a good hash. O(d · log n) for an item that is unknown,
  ///   or that this edit has moved or deleted, given d leaves of 64 items that the edit has changed.
  ///   All lookups of such items in an edit take O(n) at most, and after that O(log n) each.
  public func model(for item: Model.ID) -> Model? {
    given.model(of: item, as: Model.self)
      ?? names.newName(of: item).flatMap { name in
        given.model(of: name, as: Model.self)
          ?? base.model(of: name, as: Model.self, before: snapshot)
      } ?? base.model(of: item, as: Model.self, before: snapshot)
  }

  /// Sets the model of an item, which may be inserted later in the edit.
  ///
  /// If the item is not there now, was not there before the edit and is not there at its end, the edit throws
  /// ``SnapshotError/unusedModel(_:)``.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public mutating func setModel(_ model: Model) {
    if !snapshot.containsItem(model.id) { awaited.append(model.id) }
    give(model)
  }

  /// Sets the models of items, which may be inserted later in the edit, as ``setModel(_:)`` does.
  ///
  /// If two models have the same identifier, the last one counts.
  ///
  /// - Complexity: O(m · log n) for m of n items, given a good hash.
  public mutating func setModels(_ models: some Sequence<Model> & SendableMetatype) {
    let models = Array(models)
    for model in models where !snapshot.containsItem(model.id) { awaited.append(model.id) }
    give(models)
  }

  private mutating func give(_ model: Model) { given.set(model, base.kernels) }

  /// Gives models of items that are in the order.
  package mutating func give(_ models: [Model]) { given.set(contentsOf: models, base.kernels) }
}

extension ModelDraft {
  /// Inserts models before a position of a section.
  ///
  /// - Complexity: O(m + log n) for m new ones among n items.
  package mutating func insertItems(_ models: [Model], at path: ItemPath) throws(SnapshotError) {
    try snapshot.insertItems(models.map { $0.id }, at: path)
    give(models)
  }

  /// Inserts different items with their models before a position of a flat section.
  ///
  /// Nothing is hashed: whoever has received many models may have looked them up already.
  ///
  /// - Parameter isOnlyEdit: Whether nothing else has been edited or will be.
  /// - Complexity: O(m + log n) for m new ones among n items.
  package mutating func insert(
    _ items: ElementIndex, _ models: [Model], at path: ItemPath, isOnlyEdit: Bool
  ) {
    guard let kernel = base.kernels.models, given.isEmpty else {
      snapshot.insert(items.elements, at: path)
      return give(models)
    }
    given.isComplete =
      isOnlyEdit
      && models.withUnsafeBufferPointer { models in
        guard let first = models.baseAddress else { return false }
        return withExtendedLifetime(items) {
          snapshot.insert(
            items.elements.span, ModelSpan(kernel: kernel, first: UnsafeRawPointer(first)),
            at: path)
        }
      }
    guard !given.isComplete else { return }
    snapshot.insert(items.elements, at: path)
    given = GivenContent(ModelPool(items, HashedElements(hashing: models, kernel)))
  }
}

extension ModelDraft where SectionID: ModelledSection {
  /// The model of a section, or `nil` if it has none or does not exist.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    guard snapshot.containsSection(section) else { return nil }
    return (given.sections[section] ?? base.content(ofSection: section))?.model
      as? SectionID.SectionModel
  }

  /// Sets or removes the model of a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(log s) for s sections, given a good hash.
  public mutating func setSectionModel(
    _ model: SectionID.SectionModel?, for section: SectionID
  ) throws(SnapshotError) {
    guard snapshot.containsSection(section) else {
      throw .unknownSection([AnyItemID(section)])
    }
    given.sections[section] = SectionContent(model)
  }
}

extension ModelDraft {
  /// The sections in order, as ``Snapshot/sectionIdentifiers`` has them.
  ///
  /// All other questions about the order are answered by ``snapshot``.
  ///
  /// - Complexity: O(s) for s sections.
  public var sectionIdentifiers: [SectionID] { snapshot.sectionIdentifiers }

  /// The items of a section in order, as ``Snapshot/itemIdentifiers(inSection:)`` has them; none for an
  /// unknown one.
  ///
  /// - Complexity: O(m + log s) for m items in the section and s sections, given a good hash.
  public func itemIdentifiers(inSection section: SectionID) -> [Model.ID] {
    snapshot.itemIdentifiers(inSection: section)
  }

  /// Appends sections without items, as ``Snapshot/appendSections(_:)`` does.
  ///
  /// A section that was there before the edit and that the edit has deleted is the same section: it keeps its model.
  ///
  /// Edits that put sections elsewhere are in ``snapshot``.
  public mutating func appendSections(_ sections: some Sequence<SectionID> & SendableMetatype) {
    snapshot.appendSections(sections)
  }

  /// Deletes sections with all that is in them, as ``Snapshot/deleteSections(_:)`` does.
  public mutating func deleteSections(_ sections: some Sequence<SectionID> & SendableMetatype) {
    snapshot.deleteSections(sections)
  }

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
  /// - Complexity: That of ``model(for:)``.
  public mutating func update(_ item: Model.ID, _ change: (inout Model) throws -> Void) throws {
    guard snapshot.containsItem(item), var model = model(for: item) else {
      throw SnapshotError.unknownItem([AnyItemID(item)])
    }
    try change(&model)
    // The draft may have the item under a former name.
    guard model.id == item || model.id == names.newName(of: item) else {
      throw SnapshotError.unknownItem([AnyItemID(model.id)])
    }
    give(model)
  }

  /// Gives items their models, and appends new items to a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(m · log n) for m models and n items.
  public mutating func upsertItems(
    _ models: some Sequence<Model> & SendableMetatype, toSection section: SectionID
  ) throws(SnapshotError) {
    let models = Array(models)
    var new: [Model.ID] = []
    var known = IdentifierSet<Model.ID>()
    for model in models where !snapshot.containsItem(model.id) && known.insert(model.id) {
      new.append(model.id)
    }
    try snapshot.appendItems(new, toSection: section)
    give(models)
  }

  /// Replaces an item by a new model, as ``Snapshot/renameItem(_:to:)`` does.
  ///
  /// ```swift
  /// try await source.update { draft in
  ///   try draft.renameItem(sending.id, to: message)
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
  public mutating func renameItem(
    _ item: Model.ID, to model: Model
  ) throws(SnapshotError) {
    try snapshot.renameItem(item, to: model.id)
    give(model)
  }

  /// Deletes items and their models, and in an outline their descendants.
  ///
  /// Unknown items are ignored.
  ///
  /// - Complexity: O(m · log n) for m of n items.
  public mutating func deleteItems(_ items: some Sequence<Model.ID> & SendableMetatype) {
    snapshot.deleteItems(items)
  }

  /// Deletes all items whose models satisfy a condition, and in an outline their descendants.
  ///
  /// Rows below collapsed ones are looked at, too. If the condition throws, nothing changes.
  ///
  /// - Complexity: O(n · log n) for n items.
  public mutating func deleteItems(where isGone: (Model) throws -> Bool) rethrows {
    var gone: [Model.ID] = []
    for record in snapshot.records {
      for item in record.allItems {
        if let model = model(for: item), try isGone(model) { gone.append(item) }
      }
    }
    snapshot.deleteItems(gone)
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
  /// - Throws: What ``Snapshot/appendItems(_:toSection:)`` throws.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func appendItems(
    _ models: some Sequence<Model> & SendableMetatype, toSection section: SectionID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.appendItems(models.map { $0.id }, toSection: section)
    give(models)
  }

  /// Inserts models, in their order, before an item.
  ///
  /// - Throws: What ``Snapshot/insertItems(_:beforeItem:)`` throws.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func insertItems(
    _ models: some Sequence<Model> & SendableMetatype, beforeItem anchor: Model.ID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.insertItems(models.map { $0.id }, beforeItem: anchor)
    give(models)
  }

  /// Inserts models, in their order, after an item.
  ///
  /// - Throws: What ``Snapshot/insertItems(_:afterItem:)`` throws.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func insertItems(
    _ models: some Sequence<Model> & SendableMetatype, afterItem anchor: Model.ID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.insertItems(models.map { $0.id }, afterItem: anchor)
    give(models)
  }

  /// Replaces all items of a section with other models.
  ///
  /// - Throws: What ``Snapshot/replaceItems(inSection:with:)`` throws.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func replaceItems(
    inSection section: SectionID, with models: some Sequence<Model> & SendableMetatype
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.replaceItems(inSection: section, with: models.map { $0.id })
    give(models)
  }
}

/// Lists without sections.
extension ModelDraft where SectionID == SingleSection {
  /// Appends models to the list, as ``appendItems(_:toSection:)`` does.
  ///
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func appendItems(
    _ models: some Sequence<Model> & SendableMetatype
  ) throws(SnapshotError) {
    try appendItems(models, toSection: SingleSection())
  }

  /// Gives items their models, and appends new items to the list, as ``upsertItems(_:toSection:)`` does.
  ///
  /// - Complexity: O(m · log n) for m models and n items.
  public mutating func upsertItems(
    _ models: some Sequence<Model> & SendableMetatype
  ) throws(SnapshotError) {
    try upsertItems(models, toSection: SingleSection())
  }
}
