public import Diffable

extension ReplicatedSource {
  /// Replaces the whole list of models; the last writer wins.
  ///
  /// As `apply` of a `ModelSource`: each item is placed in the section that its model names.
  ///
  /// - Parameters:
  ///   - models: All models.
  ///   - section: The section of a model.
  ///   - sections: All sections, in their order; by default in the order in which models name them.
  ///   - presentation: How to show the change.
  ///   - expected: The revision that the writer has seen. If another one is live when the log accepts
  ///     the change, nothing changes.
  /// - Returns: The revision that has the state, and the change if there is one.
  /// - Throws: As ``update(named:presentation:_:)``.
  @discardableResult
  public func apply<Section, Model>(
    _ models: sending some Sequence<Model> & SendableMetatype,
    section: @Sendable (Model) -> Section,
    sections: [Section]? = nil,
    presentation: Presentation = .animated, ifRevision expected: Revision? = nil
  ) async throws -> WriteResult<Void> where Batch == ModelBatch<Section, Model> {
    let groups = ModelGroups(models, section: section)
    let kernels = list.core.kernels
    let input = try checked { () throws(SnapshotError) in
      try groups.input(order: sections, [], .reject, kernels)
    }
    return try await change(presentation, ifRevision: expected) { core throws(SnapshotError) in
      try core.live.apply(input.snapshot, input.given, duplicates: .reject)
    }
  }

  /// Sets the model of an item.
  ///
  /// - Throws: As ``update(named:presentation:_:)``; `SnapshotError.unknownItem(_:)` in a
  ///   `DataSourceError` if the item does not exist.
  @discardableResult
  public nonisolated func setModel<Section, Model>(
    _ model: Model, presentation: Presentation = .animated
  ) async throws -> WriteResult<Void> where Batch == ModelBatch<Section, Model> {
    try await setModels([model], presentation: presentation)
  }

  /// Sets the models of items, in one revision.
  ///
  /// - Throws: As ``setModel(_:presentation:)``.
  @discardableResult
  public nonisolated func setModels<Section, Model>(
    _ models: [Model], presentation: Presentation = .animated
  ) async throws -> WriteResult<Void> where Batch == ModelBatch<Section, Model> {
    try await change(presentation) { core throws(SnapshotError) in
      var given = GivenContent<Section, Model.ID>()
      for model in models { given.set(model, core.kernels) }
      return try core.live.setModels(given)
    }
  }

  /// Sets or removes the model of a section.
  ///
  /// - Throws: As ``update(named:presentation:_:)``; `SnapshotError.unknownSection(_:)` in a
  ///   `DataSourceError` if the section does not exist.
  @discardableResult
  public nonisolated func setSectionModel<Section, Model>(
    _ model: Section.SectionModel?, for section: Section, presentation: Presentation = .animated
  ) async throws -> WriteResult<Void>
  where Batch == ModelBatch<Section, Model>, Section: ModelledSection {
    try await change(presentation) { core throws(SnapshotError) in
      var given = GivenContent<Section, Model.ID>()
      given.sections[section] = SectionContent(model)
      return try core.live.setModels(given)
    }
  }

  /// Replays a writer's changes since a revision onto the newest state, with models.
  ///
  /// As ``merge(_:basedOn:named:presentation:)``. If the writer and others changed the same model, the
  /// `mergeHandler` of the source makes one of both. Without a handler, the writer's model counts, and
  /// that is a conflict.
  @discardableResult
  public func merge<Section, Model>(
    _ snapshot: Snapshot<Section, Model.ID>, models: some Sequence<Model> & SendableMetatype,
    basedOn base: Revision,
    named name: String? = nil, presentation: Presentation = .animated
  ) async throws -> Transaction<Section, Model.ID> where Batch == ModelBatch<Section, Model> {
    var given = GivenContent<Section, Model.ID>()
    for model in models { given.set(model, list.core.kernels) }
    return try await merge(snapshot, given, basedOn: base, named: name, presentation)
  }
}
