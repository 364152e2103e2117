extension EditableListSource {
  /// Expands an item and waits until its children are loaded.
  ///
  /// If nothing has to be loaded, it returns at once. Otherwise the children provider is called, as
  /// when the item is expanded in any other way, unless it is already loading these children.
  ///
  /// - Parameters:
  ///   - item: An item of an outline. An unknown item, or an item of a flat list, is ignored.
  ///   - name: The name of the change, for undo.
  /// - Throws: ``ChildrenError`` if the provider throws or returns children that are invalid there,
  ///   the item is collapsed or deleted in the meantime, the source rejects changes, or the waiting
  ///   task is cancelled. In that last case the task stops waiting but the provider goes on, since
  ///   other tasks may want the children too. Collapsing the item cancels the provider.
  public func expandItem(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    do {
      try core.update(named: name, presentation: .animated) { state, _ in state.expandItems([item])
      }
    } catch {
      throw ChildrenError(item: item, reason: .of(error))
    }
    guard let children = core.children, core.snapshot.isLoading(item) else { return }
    var item = item
    for await batch in reader.updates() as AsyncStream<UpdateBatch> {
      item = batch.renamedRows.first { $0.old == item }?.new ?? item
      guard !batch.snapshot.isLoading(item) else { continue }
      if let error = children.error(of: item) { throw error }
      guard batch.snapshot.isExpanded(item) else { break }
      return
    }
    throw ChildrenError(item: item, reason: .cancelled)
  }

  /// Expands an item as ``expandItem(_:named:)`` does, or collapses it.
  public func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>) {
    guard !isExpanded else { return try await expandItem(item, named: name) }
    do {
      try core.update(named: name, presentation: .animated) { state, _ in
        state.collapseItems([item])
      }
    } catch {
      throw ChildrenError(item: item, reason: .of(error))
    }
  }

  /// Why the children of an item were not loaded; `nil` after they are requested again.
  ///
  /// For writers that expand items in an update. A renderer can read it when an item collapses by
  /// itself.
  ///
  /// - Complexity: O(1).
  public func childrenError(of item: ItemID) -> ChildrenError<ItemID>? {
    core.children?.error(of: item)
  }

  /// Inserts loaded children as they arrive, until the source is released.
  nonisolated func insertChildren(
    from answers: AsyncStream<ChildrenLoading<SectionID, ItemID>.Answer>
  ) {
    Task.detached { [weak self] in
      for await answer in answers { await self?.insertChildren(from: answer) }
    }
  }

  /// Inserts loaded children, or collapses the item again.
  func insertChildren(from answer: ChildrenLoading<SectionID, ItemID>.Answer) {
    // A write that is enqueued may set other children.
    core.performQueued()
    guard let item = core.children?.end(answer.load) else { return }
    do {
      let loaded = try answer.result.get()
      do {
        try core.update(presentation: .animated) { snapshot, given in
          try snapshot.replaceItems(childrenOf: item, using: loaded.outline)
          given = GivenContent(loaded.models)
        }
      } catch {
        refuse(item, .of(error))
      }
    } catch {
      refuse(item, .provider(error))
    }
  }

  private func refuse(_ item: ItemID, _ reason: ChildrenError<ItemID>.Reason) {
    core.children?.setError(ChildrenError(item: item, reason: reason), of: item)
    // A source that has finished shows nothing to collapse.
    try? core.update(presentation: .animated) { state, _ in state.collapseItems([item]) }
  }
}
