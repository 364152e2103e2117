extension ModelSource {
  /// Replaces the whole list with models, each in the section that it names.
  ///
  /// Models keep their order inside their sections. Kept items whose model differs from the live
  /// one are reconfigured.
  ///
  /// - Parameters:
  ///   - models: All models.
  ///   - section: The section of a model.
  ///   - sections: All sections, in their order. Sections without models are kept, and empty. By
  ///     default, sections appear in the order in which the models first name them, and a section that none
  ///     of them names is gone, also if it was there before.
  ///   - presentation: How to show the change.
  ///   - expected: The revision that the writer has seen. If it is no longer live, nothing changes.
  /// - Returns: The revision that holds the state, and the change if there is one.
  /// - Throws: ``DataSourceError`` as ``EditableListSource/apply(_:presentation:ifRevision:)``
  ///   does, and ``SnapshotError/unknownSection(_:)`` in it if models name sections that are not
  ///   given. Nothing changes then.
  /// - Complexity: O(n + s) comparisons for n models and s sections, and a hash for each model that
  ///   is new or out of place.
  @discardableResult @inlinable public func apply(
    _ models: sending some Sequence<Model> & SendableMetatype,
    section: @Sendable (Model) -> SectionID,
    sections: [SectionID]? = nil, presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> WriteResult<Void> {
    try apply(
      ModelGroups(models, section: section), order: sections, presentation: presentation,
      ifRevision: expected)
  }

  /// Applies models that client code has grouped, in the order of sections if there is one.
  @usableFromInline func apply(
    _ groups: ModelGroups<SectionID, Model>, order: [SectionID]?,
    contents: [(section: SectionID, content: SectionContent)] = [], presentation: Presentation,
    ifRevision expected: Revision?
  ) throws(DataSourceError) -> WriteResult<Void> {
    try core.change(presentation: presentation, ifRevision: expected) {
      live throws(SnapshotError) in
      let input = try groups.input(order: order, contents, core.duplicates, core.kernels)
      return try live.apply(input.snapshot, input.given, duplicates: core.duplicates)
    }
  }

  /// Replaces the order, and the models that are passed.
  ///
  /// Marks of the snapshot travel with this change.
  ///
  /// - Parameters:
  ///   - snapshot: The new order.
  ///   - models: The models of new items, and of kept items whose model may have changed. Models of
  ///     items that are not in the snapshot are ignored. If two models have the same identifier,
  ///     the first counts under ``DuplicatePolicy/keepFirst``, otherwise the last.
  ///   - presentation: How to show the change.
  ///   - expected: The revision that the writer has seen. If it is no longer live, nothing changes.
  /// - Returns: The revision that holds the state, and the change if there is one.
  /// - Throws: ``DataSourceError`` as ``EditableListSource/apply(_:presentation:ifRevision:)``
  ///   does, and ``SnapshotError/missingModel(_:)`` in it if a new item has no model. Nothing has
  ///   changed then.
  /// - Complexity: The cost of applying the snapshot, and O(m · log n) for m given of n models.
  @discardableResult public func apply(
    _ snapshot: Snapshot<SectionID, Model.ID>,
    models: sending some Sequence<Model> & SendableMetatype,
    presentation: Presentation = .animated, ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> WriteResult<Void> {
    try core.change(presentation: presentation, ifRevision: expected) {
      live throws(SnapshotError) in
      var given = GivenContent<SectionID, Model.ID>()
      given.set(models, core.duplicates, core.kernels)
      return try live.apply(snapshot, given, duplicates: core.duplicates)
    }
  }

  /// Sets the model of an item.
  ///
  /// - Returns: The revision that holds the model, and the change if there is one.
  /// - Throws: ``DataSourceError``, with ``SnapshotError/unknownItem(_:)`` in it if the item is not
  ///   there. Nothing changes then.
  /// - Complexity: O(log n) for n items, given a good hash.
  @discardableResult public func setModel(
    _ model: Model, presentation: Presentation = .animated
  ) throws(DataSourceError) -> WriteResult<Void> {
    try setModels(CollectionOfOne(model), presentation: presentation)
  }

  /// Sets the models of items, in one revision.
  ///
  /// - Returns: The revision that holds the models, and the change if there is one.
  /// - Throws: ``DataSourceError``, with ``SnapshotError/unknownItem(_:)`` in it for all items that
  ///   do not exist. Nothing changes then.
  /// - Complexity: O(m · log n) for m of n items, given a good hash.
  @discardableResult public func setModels(
    _ models: sending some Sequence<Model> & SendableMetatype,
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> WriteResult<Void> {
    var given = GivenContent<SectionID, Model.ID>()
    given.set(contentsOf: Array(models), core.kernels)
    return try core.change(presentation: presentation) { live throws(SnapshotError) in
      try live.setModels(given)
    }
  }
}

extension ModelSource {
  /// Appends models to a section, and deletes its first items if it becomes too long.
  ///
  /// This is a log with a bound: the oldest lines go.
  ///
  /// - Parameters:
  ///   - models: The models. If they are more than the limit, only the last ones are appended.
  ///   - section: The section, which is appended if it is missing.
  ///   - limit: The number of items that the section may have; `nil` for no limit.
  ///   - presentation: How to show the change.
  /// - Returns: The revision that holds the models, and the change if there is one.
  /// - Throws: ``DataSourceError``, with ``SnapshotError/duplicateItems(_:)`` in it if there are
  ///   items with these identifiers and ``SourceOptions/duplicates`` is to reject them. Nothing
  ///   changes then.
  /// - Complexity: O((m + k) · log n) for m models that come and k of n items that go.
  @discardableResult public func appendItems(
    _ models: sending some Sequence<Model> & SendableMetatype, toSection section: SectionID,
    keepingLast limit: Int? = nil, presentation: Presentation = .animated
  ) throws(DataSourceError) -> WriteResult<Void> {
    var models = Array(models)
    if let limit, models.count > limit { models.removeFirst(models.count - Swift.max(0, limit)) }
    do {
      return try update(presentation: presentation) { [models, entrance] draft in
        if !draft.snapshot.containsSection(section) { draft.appendSections([section]) }
        try draft.appendItems(models, toSection: section)
        guard let limit else { return }
        try draft.snapshot.keepLastItems(
          limit, inSection: section, leavingDuplicatesTo: entrance.duplicates)
      }
    } catch {
      throw .of(error)
    }
  }
}

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
  /// changed the same model, the `mergeHandler` of the source makes one of both. Without a handler,
  /// the writer's model counts. The conflict ``Contradiction/changedTwice`` says so, and
  /// ``Transaction/versions(of:as:)`` returns both models and their base.
  ///
  /// - Parameters:
  ///   - snapshot: The order as the writer changed it.
  ///   - models: The models that the writer added or changed. Models of items that are not in the snapshot
  ///     are ignored.
  ///   - base: The revision that the writer started from.
  ///   - name: The name of the change, for a menu.
  ///   - presentation: How to show the change.
  /// - Returns: The change that was made, with the conflicts.
  /// - Throws: ``DataSourceError`` as ``apply(_:models:presentation:ifRevision:)`` does, and
  ///   `unknownRevision` if the history does not have the base. Nothing changes then.
  /// - Complexity: O(c · log n) for c elements that either side changed.
  @discardableResult
  public func merge(
    _ snapshot: Snapshot<SectionID, Model.ID>,
    models: sending some Sequence<Model> & SendableMetatype,
    basedOn base: Revision, named name: String? = nil, presentation: Presentation = .animated
  ) throws(DataSourceError) -> Transaction<SectionID, Model.ID> {
    var given = GivenContent<SectionID, Model.ID>()
    given.set(contentsOf: Array(models), core.kernels)
    return try core.merge(
      snapshot, given, basedOn: base, named: name, presentation: presentation)
  }
}

// A call that looks right and is not. The compiler would want a snapshot instead of the models.
extension ModelSource {
  /// Not available: models do not say by themselves in which section they belong.
  @available(
    *, unavailable,
    message: """
      name the section of each model, as in 'section: \\.folder', or make the list a \
      'ModelSource<SingleSection, …>'
      """
  )
  @_disfavoredOverload
  @discardableResult public func apply(
    _ models: sending some Sequence<Model> & SendableMetatype,
    presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> WriteResult<Void> {
    throw .cancelled
  }
}

extension ModelSource {
  /// Enqueues all models of the list, without waiting.
  ///
  /// The source applies lists in the order of the calls.
  ///
  /// As ``EditableListSource/enqueue(_:presentation:)``: at most one list waits, the newest. An order
  /// without models that supersedes it does not take over its models: they belong to the list.
  ///
  /// - Parameters:
  ///   - models: All models.
  ///   - section: The section of a model. The source calls it when it applies the list.
  ///   - sections: All sections, in their order, as in
  ///     ``apply(_:section:sections:presentation:ifRevision:)-(_,_,[SectionID]?,_,_)``.
  ///   - presentation: How to show the change.
  /// - Returns: A ticket for the outcome of the list.
  /// - Complexity: O(1), without a lock.
  @discardableResult public nonisolated func enqueue(
    _ models: [Model], section: @escaping @Sendable (Model) -> SectionID,
    sections: [SectionID]? = nil, presentation: Presentation = .animated
  ) -> Ticket {
    enqueue(models, section: section, order: sections, contents: [], presentation: presentation)
  }

  nonisolated func enqueue(
    _ models: [Model], section: @escaping @Sendable (Model) -> SectionID, order: [SectionID]?,
    contents: [(section: SectionID, content: SectionContent)], presentation: Presentation
  ) -> Ticket {
    enqueue(weight: models.count, models: .whole, presentation: presentation) {
      [kernels = entrance.kernels] duplicates throws(SnapshotError) in
      try ModelGroups(models, section: section).input(
        order: order, contents, duplicates, kernels)
    }
  }

  /// Enqueues an order with models, without waiting; the source applies them in the order of calls.
  ///
  /// As ``EditableListSource/enqueue(_:presentation:)``, with the models of
  /// ``apply(_:models:presentation:ifRevision:)``. A newer order without some of these models takes
  /// them over. A newer list of models has all of its own.
  ///
  /// - Parameters:
  ///   - snapshot: The new order.
  ///   - models: The models of new items, and of kept items whose model may have changed.
  ///   - presentation: How to show the change.
  /// - Returns: A ticket for the outcome of the order.
  /// - Complexity: O(1), without a lock.
  @discardableResult public nonisolated func enqueue(
    _ snapshot: Snapshot<SectionID, Model.ID>, models: [Model],
    presentation: Presentation = .animated
  ) -> Ticket {
    let weight = snapshot.weight + models.count
    let (kernels, duplicates) = (entrance.kernels, entrance.duplicates)
    let given = QueuedWrite<SectionID, Model.ID>.GivenModels(count: models.count) {
      $0.set(models, duplicates, kernels)
    }
    return enqueue(
      weight: weight, marks: snapshot.marks, models: .some(given), presentation: presentation
    ) { _ in
      var content = GivenContent<SectionID, Model.ID>()
      given.give(&content)
      return .init(snapshot, content)
    }
  }

  /// Applies the lists of a sequence, one after another, until it ends.
  ///
  /// As ``WritableListSource/follow(_:presentation:)``. Each list goes through the queue. The next
  /// list is requested once the outcome of the previous one is known. The sequence may belong to
  /// the main actor.
  ///
  /// - Parameters:
  ///   - lists: A sequence whose elements are all models of the list.
  ///   - section: The section of a model.
  ///   - sections: All sections, in their order, as in
  ///     ``apply(_:section:sections:presentation:ifRevision:)-(_,_,[SectionID]?,_,_)``.
  ///   - presentation: How to show the changes.
  /// - Throws: What the sequence throws, ``DataSourceError`` if a list is rejected, or
  ///   `CancellationError` if the task is cancelled. What was applied before stays.
  nonisolated(nonsending) public func follow<Lists: AsyncSequence>(
    _ lists: Lists, section: @escaping @Sendable (Model) -> SectionID,
    sections: [SectionID]? = nil, presentation: Presentation = .animated
  ) async throws where Lists.Element == [Model] {
    try await enqueueEach(of: lists) { models in
      enqueue(models, section: section, sections: sections, presentation: presentation)
    }
  }
}
