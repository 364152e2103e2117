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
      try updateOrder(named: name) { $0.expandItems([item]) }
    } catch {
      throw ChildrenError(item: item, reason: .of(error))
    }
    guard let children = core.children, snapshot.isLoading(item) else { return }
    for await batch in reader.updates() as AsyncStream<UpdateBatch> {
      guard !batch.snapshot.isLoading(item) else { continue }
      if let error = children.errors[item] { throw error }
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
      try updateOrder(named: name) { $0.collapseItems([item]) }
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
    core.children?.errors[item]
  }

  /// Lets the loads follow the live state, until the source finishes or is released.
  nonisolated func followLoads() {
    let batches: AsyncStream<UpdateBatch<SectionID, ItemID>> = reader.updates()
    Task.detached { [weak self] in
      for await _ in batches { await self?.updateLoads() }
      await self?.endLoads()
    }
  }

  private func updateLoads() {
    guard let children = core.children else { return }
    let change = children.loads.follow(snapshot.loadingItems)
    for load in change.cancelled { children.forget(load) }
    for load in change.started {
      children.start(load, in: snapshot) { [weak self] load, result in
        await self?.finish(load, result)
      }
    }
  }

  private func endLoads() {
    _ = core.children?.loads.follow([])
    core.children?.cancelAll()
  }

  /// Inserts loaded children, or collapses the item again.
  private func finish(
    _ load: ChildLoads<ItemID>.Load, _ result: Result<LoadedChildren<ItemID>, any Error>
  ) {
    guard let children = core.children, children.loads.end(load) else { return }
    let item = load.item
    switch result {
    case .success(let loaded):
      do {
        try core.update(presentation: .animated) { snapshot, given in
          try snapshot.replaceItems(childrenOf: item, using: loaded.outline)
          given = GivenContent(loaded.models)
        }
      } catch {
        refuse(item, .of(error))
      }
    case .failure(let error):
      refuse(item, .provider(error))
    }
    children.forget(load)
    // The item may have been collapsed and expanded again.
    updateLoads()
  }

  private func refuse(_ item: ItemID, _ reason: ChildrenError<ItemID>.Reason) {
    core.children?.errors[item] = ChildrenError(item: item, reason: reason)
    // A source that has finished shows nothing to collapse.
    _ = try? updateOrder { $0.collapseItems([item]) }
  }
}
