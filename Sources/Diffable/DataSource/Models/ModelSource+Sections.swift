extension ModelSource where SectionID: ModelledSection {
  /// Sets or removes the model of a section.
  ///
  /// The batch lists the section under ``SnapshotDifference/sectionReconfigures``. Its rows are not
  /// affected.
  ///
  /// - Returns: The revision that holds the model: a new one, or the live one if it is the same.
  /// - Throws: ``DataSourceError``, with ``SnapshotError/unknownSection(_:)`` in it if the section
  ///   does not exist. Nothing changes then.
  /// - Complexity: O(log s) for s sections, given a good hash.
  @discardableResult public func setSectionModel(
    _ model: SectionID.SectionModel?, for section: SectionID,
    presentation: Presentation = .animated
  ) throws(DataSourceError) -> Revision {
    var given = GivenContent<SectionID, Model.ID>()
    given.sections[section] = SectionContent(model)
    return try core.setModels(given, presentation: presentation)
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
    _ snapshot: Snapshot<SectionID, Model.ID>, models: sending some Sequence<Model>,
    sectionModels: sending some Sequence<(SectionID, SectionID.SectionModel)>,
    presentation: Presentation = .animated, ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> Revision {
    try core.replace(presentation: presentation, ifRevision: expected) { duplicates in
      var given = GivenContent<SectionID, Model.ID>()
      given.set(models, duplicates, core.kernels)
      for (section, model) in sectionModels { given.sections[section] = SectionContent(model) }
      return (snapshot, given)
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
  /// - Returns: The revision that holds the state: a new one, or the live one if nothing changed.
  /// - Throws: ``DataSourceError`` as ``EditableListSource/apply(_:presentation:ifRevision:)``
  ///   does, and ``SnapshotError/unknownSection(_:)`` in it if models name sections that are not
  ///   given. Nothing changes then.
  /// - Complexity: O(n + s) comparisons for n models and s sections, and a hash for each model that
  ///   is new or out of place.
  @discardableResult public func apply(
    _ models: sending some Sequence<Model>, section: @Sendable (Model) -> SectionID,
    sections: sending some Sequence<(SectionID, SectionID.SectionModel)>,
    presentation: Presentation = .animated, ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> Revision {
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
    sections: some Sequence<(SectionID, SectionID.SectionModel)>,
    presentation: Presentation = .animated
  ) -> Ticket {
    let sections = Array(sections)
    return enqueue(
      models, section: section, order: sections.map(\.0),
      contents: sections.map { ($0.0, SectionContent($0.1)) }, presentation: presentation)
  }
}
