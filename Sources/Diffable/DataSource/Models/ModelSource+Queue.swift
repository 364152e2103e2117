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
      return (snapshot, content)
    }
  }

  /// Applies the lists of a sequence, one after another, until it ends.
  ///
  /// As ``EditableListSource/follow(_:presentation:)``. Each list goes through the queue. The next
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
