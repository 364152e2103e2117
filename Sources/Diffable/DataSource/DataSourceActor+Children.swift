extension DataSourceActor {
  /// Expands an item and waits until its children are there.
  ///
  /// Where nothing has to be loaded, that is at once. Else the children provider is asked, as it is
  /// when the item is expanded in any other way; somebody else may have it asked already.
  ///
  /// - Parameters:
  ///   - item: An item of an outline. One that is unknown, or stands in a list, is ignored.
  ///   - name: The name of the change, for undo.
  /// - Throws: ``ChildrenError`` if the provider throws or answers what cannot stand there, the item
  ///   is collapsed or deleted in the meantime, the source refuses changes, or the waiting task is
  ///   cancelled. That task waits no longer then, but the provider goes on: others may want the
  ///   children as well. Collapsing the item cancels the provider.
  public func expandItem(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    do {
      try update(named: name) { $0.expandItems([item]) }
    } catch {
      throw ChildrenError(item: item, reason: .of(error))
    }
    guard children != nil, snapshot.isLoading(item) else { return }
    for await batch in updates() {
      guard !batch.snapshot.isLoading(item) else { continue }
      if let error = children?.errors[item] { throw error }
      guard batch.snapshot.isExpanded(item) else { break }
      return
    }
    throw ChildrenError(item: item, reason: .cancelled)
  }

  /// Why the children of an item were not loaded, until they are wanted again.
  ///
  /// For writers that expand items in an update. A renderer can ask when an item has collapsed by
  /// itself.
  ///
  /// - Complexity: O(1).
  public func childrenError(of item: ItemID) -> ChildrenError<ItemID>? {
    children?.errors[item]
  }

  /// Lets the loads follow the live state, until the source finishes or is dropped.
  nonisolated func followLoads() {
    let batches = updates()
    Task.detached { [weak self] in
      for await _ in batches { await self?.updateLoads() }
      await self?.endLoads()
    }
  }

  private func updateLoads() {
    guard let children else { return }
    let change = children.loads.follow(snapshot.loadingItems)
    for load in change.cancelled { children.forget(load) }
    for load in change.started {
      children.start(load) { [weak self] load, result in await self?.finish(load, result) }
    }
  }

  private func endLoads() {
    _ = children?.loads.follow([])
    children?.cancelAll()
  }

  /// Puts loaded children in their place, or collapses the item again.
  private func finish(
    _ load: ChildLoads<ItemID>.Load, _ result: Result<Outline<ItemID>, any Error>
  ) {
    guard let children, children.loads.end(load) else { return }
    let item = load.item
    switch result {
    case .success(let loaded):
      do {
        try update { try $0.replaceItems(childrenOf: item, using: loaded) }
      } catch {
        refuse(item, .of(error))
      }
    case .failure(let error):
      refuse(item, .provider(error))
    }
    children.forget(load)
    // Somebody may have collapsed and expanded the item again.
    updateLoads()
  }

  private func refuse(_ item: ItemID, _ reason: ChildrenError<ItemID>.Reason) {
    children?.errors[item] = ChildrenError(item: item, reason: reason)
    // A source that has finished shows nothing to collapse.
    _ = try? update { $0.collapseItems([item]) }
  }
}

extension ChildrenError.Reason {
  /// What an update threw.
  static func of(_ error: any Error) -> Self {
    switch error {
    case let error as SnapshotError: .invalidChildren(error)
    case DataSourceError.invalidSnapshot(let error): .invalidChildren(error)
    case let error as DataSourceError: .source(error)
    default: .provider(error)
    }
  }
}

extension Snapshot {
  /// Whether an item is expanded while its children are not loaded.
  ///
  /// Needs no lookup table.
  func isLoading(_ item: ItemID) -> Bool {
    outlineIndices.contains { index in
      outline(ofSectionAt: index).map { $0.isExpanded(item) && $0.hasUnloadedChildren(item) }
        ?? false
    }
  }

  /// Whether an item of an outline is expanded.
  func isExpanded(_ item: ItemID) -> Bool {
    outlineIndices.contains { outline(ofSectionAt: $0)?.isExpanded(item) ?? false }
  }
}
