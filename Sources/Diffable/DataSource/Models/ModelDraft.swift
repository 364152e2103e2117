/// Order and models of a source while they are edited.
///
/// Edit the order in ``snapshot``, with all edits that a snapshot has, and give models for what is
/// new or has changed. Every new item needs a model by the end of the edit; that of an item that is
/// not in the order then is dropped.
///
/// ```swift
/// try await source.update { draft in
///   draft.setModel(changed)
///   draft.snapshot.deleteItems([gone.id])
///   try draft.appendItems([new], toSection: "Inbox")
/// }
/// ```
public struct ModelDraft<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
> where Model.ID: Sendable {
  /// The order.
  public var snapshot: Snapshot<SectionID, Model.ID>
  /// What is given in this edit.
  private(set) var given: GivenContent<SectionID, Model.ID>
  /// The state that the edit began with.
  private let base: Snapshot<SectionID, Model.ID>

  /// Runs an edit on a draft that holds a state alone, so that it is edited in place.
  ///
  /// Whatever the edit does, its order is handed back: it has the lookup table.
  static func edit<Result>(
    _ snapshot: inout Snapshot<SectionID, Model.ID>,
    _ given: inout GivenContent<SectionID, Model.ID>,
    _ edit: (inout ModelDraft) throws -> sending Result
  ) rethrows -> sending Result {
    var draft = ModelDraft(snapshot: snapshot, given: given, base: snapshot.detached)
    snapshot = Snapshot(draft.snapshot.kernels)
    defer {
      snapshot = draft.snapshot
      given = draft.given
    }
    return try edit(&draft)
  }

  /// The model of an item, as given in this edit or before, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items, given a good hash. An item that is unknown, or that this edit has
  ///   moved or deleted, is looked for in the state before: O(n). Ask before you move it, and ask
  ///   ``Snapshot/containsItem(_:)`` where it may be unknown.
  public func model(for item: Model.ID) -> Model? {
    given.model(of: item, as: Model.self)
      ?? base.model(of: item, as: Model.self, asking: snapshot.itemTable?.entries)
  }

  /// Gives an item a model.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public mutating func setModel(_ model: Model) {
    given.set(model, base.kernels)
  }

  /// Gives items models.
  ///
  /// If one is given twice, the last counts.
  ///
  /// - Complexity: O(m · log n) for m of n items, given a good hash.
  public mutating func setModels(_ models: some Sequence<Model>) {
    for model in models { given.set(model, base.kernels) }
  }
}

extension ModelDraft where SectionID: ModelledSection {
  /// The model of a section, or `nil` if it has none or is not there.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    (given.sections[section] ?? base.content(ofSection: section))?.model as? SectionID.SectionModel
  }

  /// Gives a section a model, or takes it away.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section is not there.
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
