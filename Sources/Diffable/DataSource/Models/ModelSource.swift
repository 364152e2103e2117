/// A list of models that any task may change and any number of renderers may follow.
///
/// The identity of a row is the `id` of its model; its content is the model. The source keeps both
/// in the same revision. It finds the rows to reconfigure by itself, by comparing models:
///
/// ```swift
/// let source = ModelSource<String, Note>()
/// try await source.apply(notes, section: \.folder)
/// for await batch in source.updates() {
///   for (id, note) in batch.models { … }     // what came and what shows something else
/// }
/// ```
///
/// It is a ``DataSourceActor`` that also keeps content. Their common operations are in
/// ``ListSource`` and ``EditableListSource``, and every renderer follows both.
/// ``ListSource/updates(_:after:)`` yields a ``ModelBatch``, which is an ``UpdateBatch`` with the
/// models.
///
/// It also guarantees:
///
/// - There is a model for each item of ``EditableListSource/snapshot``, including those that an
///   outline hides, and for no other item.
/// - If the model of an item differs by `==` from the one that a subscriber shows, the next batch
///   reconfigures the item. Equal models mark nothing, and applying equal models makes no revision.
/// - The models are never copied as a whole: a change costs what it changes, and revisions share
///   the rest.
public actor ModelSource<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: EditableListSource where Model.ID: Sendable {
  /// The batches that subscribers receive: what changed in order and models.
  public typealias Batch = ModelBatch<SectionID, Model>

  /// The live state and everything that changes it.
  public let _core: _SourceCore<SectionID, Model.ID>
  /// What can be used without waiting for the actor.
  public nonisolated let _entrance: _SourceEntrance<SectionID, Model.ID>
  /// Access to what the source has published.
  public nonisolated let _access: _SourceAccess<SectionID, Model.ID>

  /// Creates a source without items.
  ///
  /// - Parameters:
  ///   - sections: The sections to begin with, for edits that append items to them. One that is named twice
  ///     is there once. No undo takes them back. An
  ///     ``apply(_:section:sections:presentation:ifRevision:)-(_,_,[SectionID]?,_,_)`` replaces them too.
  ///   - options: What all kinds of sources let a program choose.
  ///   - reordering: The app's handlers for reordering by the user.
  ///   - dropHandler: Changes the model of an item that the user drops in a section. For example, a
  ///     card may name its column. The change is part of the revision that the drop makes. It is
  ///     ignored if it changes the identifier. An undo of a drop asks it, too, if it can take back only the
  ///     place of an item or only its model, because others have changed the other one.
  ///   - mergeHandler: Merges two versions of a model, knowing the one that both were made from: see
  ///     ``merge(_:models:basedOn:named:presentation:)``. Of an undo the base is what the change wrote,
  ///     `theirs` the version before it, and `mine` the live one. It does the same each time it is given the
  ///     same models. Without it, the writer's model counts, or after an undo the live one, and that is a
  ///     conflict.
  ///   - childrenProvider: Returns the children of an item, with their models, as in
  ///     ``DataSourceActor``. It receives the model that the item has when the children are
  ///     requested.
  @inlinable public init(
    sections: [SectionID] = [], options: SourceOptions = SourceOptions(),
    reordering: ReorderingHandlers<SectionID, Model.ID> = ReorderingHandlers(),
    dropHandler: (@Sendable (inout Model, SectionID) -> Void)? = nil,
    mergeHandler: (@Sendable (_ base: Model, _ theirs: Model, _ mine: Model) -> Model)? = nil,
    childrenProvider: (@Sendable (Model) async throws -> ModelOutline<Model>)? = nil
  ) {
    self.init(
      sections, options, reordering, dropHandler, mergeHandler, childrenProvider,
      kernels: Snapshot<SectionID, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  @usableFromInline init(
    _ sections: [SectionID], _ options: SourceOptions,
    _ reordering: ReorderingHandlers<SectionID, Model.ID>,
    _ dropHandler: (@Sendable (inout Model, SectionID) -> Void)?,
    _ mergeHandler: (@Sendable (Model, Model, Model) -> Model)?,
    _ childrenProvider: (@Sendable (Model) async throws -> ModelOutline<Model>)?,
    kernels: SnapshotKernels
  ) {
    let handlers = ModelHandlers(drop: dropHandler, merge: mergeHandler)
    let core = SourceCore<SectionID, Model.ID>(
      options, kernels: kernels,
      children: childrenProvider.map { provider in
        ChildrenLoading { item, snapshot in
          guard let model = snapshot.model(of: item, as: Model.self) else {
            throw CancellationError()
          }
          let loaded = try await provider(model)
          var given = GivenContent<SectionID, Model.ID>()
          given.set(contentsOf: loaded.models, kernels)
          return (loaded.outline, given.leavingOut { !loaded.outline.contains($0) })
        }
      }, handlers: handlers)
    core.begin(withSections: sections)
    _entrance = SourceEntrance(core)
    _access = SourceAccess(RevisionReader(hub: core.hub), DropRules(reordering, handlers))
    let answers = core.children?.answers
    _core = core
    if let answers { insertChildren(from: answers) }
  }

  /// The live model of an item, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func model(for item: Model.ID) -> Model? {
    snapshot.model(of: item, as: Model.self)
  }
}

extension ModelSource where SectionID: ModelledSection {
  /// The live model of a section, or `nil` if it has none or does not exist.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    snapshot.sectionModel(of: section)
  }
}

/// Lists without sections.
extension ModelSource where SectionID == SingleSection {
  /// Replaces the whole list with models.
  ///
  /// As ``apply(_:section:sections:presentation:ifRevision:)-(_,_,[SectionID]?,_,_)``, with all
  /// models in one section. The section is there even if it is empty.
  ///
  /// - Complexity: O(n) comparisons for n models, and a hash for each model that is new or out of
  ///   place.
  @discardableResult @inlinable public func apply(
    _ models: sending some Sequence<Model> & SendableMetatype,
    presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> WriteResult<Void> {
    try apply(
      models, section: { _ in SingleSection() }, sections: [SingleSection()],
      presentation: presentation, ifRevision: expected)
  }

  /// Enqueues all models of the list, without waiting.
  ///
  /// As ``enqueue(_:section:sections:presentation:)-(_,_,[SectionID]?,_)``.
  ///
  /// - Complexity: O(1), without a lock.
  @discardableResult public nonisolated func enqueue(
    _ models: [Model], presentation: Presentation = .animated
  ) -> Ticket {
    enqueue(
      models, section: { _ in SingleSection() }, sections: [SingleSection()],
      presentation: presentation)
  }

  /// Applies the lists of a sequence, one after another, until it ends.
  ///
  /// As ``follow(_:section:sections:presentation:)``.
  nonisolated(nonsending) public func follow<Lists: AsyncSequence>(
    _ lists: Lists, presentation: Presentation = .animated
  ) async throws where Lists.Element == [Model] {
    try await follow(
      lists, section: { _ in SingleSection() }, sections: [SingleSection()],
      presentation: presentation)
  }

  /// Appends models, and deletes the first rows of a list that becomes too long.
  ///
  /// As ``appendItems(_:toSection:keepingLast:presentation:)``.
  @discardableResult public func appendItems(
    _ models: sending some Sequence<Model> & SendableMetatype, keepingLast limit: Int? = nil,
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> WriteResult<Void> {
    try appendItems(
      models, toSection: SingleSection(), keepingLast: limit, presentation: presentation)
  }
}

extension ModelSource where SectionID: ModelledSection {
  /// Sets or removes the model of a section.
  ///
  /// The batch lists the section under ``SnapshotDifference/sectionReconfigures``. Its rows are not
  /// affected.
  ///
  /// - Returns: The revision that holds the model, and the change if there is one.
  /// - Throws: ``DataSourceError``, with ``SnapshotError/unknownSection(_:)`` in it if the section
  ///   does not exist. Nothing changes then.
  /// - Complexity: O(log s) for s sections, given a good hash.
  @discardableResult public func setSectionModel(
    _ model: SectionID.SectionModel?, for section: SectionID,
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> WriteResult<Void> {
    var given = GivenContent<SectionID, Model.ID>()
    given.sections[section] = SectionContent(model)
    return try core.change(presentation: presentation) { live throws(SnapshotError) in
      try live.setModels(given)
    }
  }

  /// Replaces the order, and the models of items and of sections that are passed.
  ///
  /// As ``apply(_:models:presentation:ifRevision:)``. A section that is not passed keeps its model.
  ///
  /// - Parameters:
  ///   - snapshot: The new order.
  ///   - models: The models of new items, and of kept items whose model may have changed.
  ///   - sectionModels: Sections with their new models. Sections that are not in the snapshot are
  ///     ignored.
  ///   - presentation: How to show the change.
  ///   - expected: The revision that the writer has seen. If it is no longer live, nothing changes.
  @discardableResult public func apply(
    _ snapshot: Snapshot<SectionID, Model.ID>,
    models: sending some Sequence<Model> & SendableMetatype,
    sectionModels: sending some Sequence<(SectionID, SectionID.SectionModel)> & SendableMetatype,
    presentation: Presentation = .animated, ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> WriteResult<Void> {
    try core.change(presentation: presentation, ifRevision: expected) {
      live throws(SnapshotError) in
      var given = GivenContent<SectionID, Model.ID>()
      given.set(models, core.duplicates, core.kernels)
      for (section, model) in sectionModels { given.sections[section] = SectionContent(model) }
      return try live.apply(snapshot, given, duplicates: core.duplicates)
    }
  }

  /// Replaces the whole list with models of items and of sections.
  ///
  /// Each item is placed in the section that its model names.
  ///
  /// - Parameters:
  ///   - models: All models of items.
  ///   - section: The section of a model.
  ///   - sections: All sections, in their order, each in a pair with its model. Sections without
  ///     items are kept, and empty.
  ///   - presentation: How to show the change.
  ///   - expected: The revision that the writer has seen. If it is no longer live, nothing changes.
  /// - Returns: The revision that holds the state, and the change if there is one.
  /// - Throws: ``DataSourceError`` as ``EditableListSource/apply(_:presentation:ifRevision:)``
  ///   does, and ``SnapshotError/unknownSection(_:)`` in it if models name sections that are not
  ///   given. Nothing changes then.
  /// - Complexity: O(n + s) comparisons for n models and s sections, and a hash for each model that
  ///   is new or out of place.
  @discardableResult public func apply(
    _ models: sending some Sequence<Model> & SendableMetatype,
    section: @Sendable (Model) -> SectionID,
    sections: sending some Sequence<(SectionID, SectionID.SectionModel)> & SendableMetatype,
    presentation: Presentation = .animated, ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> WriteResult<Void> {
    let sections = Array(sections)
    return try apply(
      ModelGroups(models, section: section), order: sections.map(\.0),
      contents: sections.map { ($0.0, SectionContent($0.1)) }, presentation: presentation,
      ifRevision: expected)
  }

  /// Enqueues all models of the list and of its sections, without waiting.
  ///
  /// The source applies them in the order of calls.
  ///
  /// As ``enqueue(_:section:sections:presentation:)-(_,_,[SectionID]?,_)`` with an array of
  /// sections.
  ///
  /// - Complexity: O(s) for s sections, without a lock.
  @discardableResult public nonisolated func enqueue(
    _ models: [Model], section: @escaping @Sendable (Model) -> SectionID,
    sections: some Sequence<(SectionID, SectionID.SectionModel)> & SendableMetatype,
    presentation: Presentation = .animated
  ) -> Ticket {
    let sections = Array(sections)
    return enqueue(
      models, section: section, order: sections.map(\.0),
      contents: sections.map { ($0.0, SectionContent($0.1)) }, presentation: presentation)
  }
}
