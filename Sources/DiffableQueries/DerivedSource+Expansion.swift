public import Diffable

extension DerivedSource {
  /// Expands rows of the trees that the query makes or shows.
  ///
  /// Which rows are expanded belongs to this source and not to the base: two sources that are
  /// derived from one base can show the same tree folded differently. It is remembered by
  /// identifier. So it survives a change of the query, and applies to a row that is deleted and
  /// inserted again. It follows a row that the base gives another identifier. What is folded in the
  /// result of a search belongs to that search: a new query forgets it, and shows the trees as they
  /// were folded before.
  ///
  /// The identifiers are those that the rows have now. So if this source does not show one of them, or if
  /// nothing has been read of it, it reads its base first: otherwise it would not notice that a row gets
  /// another identifier.
  ///
  /// If the query makes the tree, the children of a row that are not loaded are loaded when this source shows
  /// the row as expanded. Those of a tree of the followed source are loaded by ``setExpanded(_:of:named:)`` alone,
  /// which waits for them in both cases.
  ///
  /// - Parameters:
  ///   - items: The rows. An item that is in no tree is expanded if it is added to one later.
  ///   - presentation: How to show the change.
  /// - Throws: `DataSourceError.finished` if this source or the base has finished. Nothing
  ///   changes then.
  /// - Complexity: O((m + k) · log n) for m of n rows, and k that become visible. If no subscriber
  ///   waits for a batch, this is done when a batch is requested.
  public func expandItems(
    _ items: some Sequence<ItemID> & SendableMetatype, presentation: Presentation = .animated
  ) async throws(DataSourceError) {
    let items = Array(items)
    await read(for: items)
    try setExpanded(true, items, presentation)
  }

  /// Collapses rows of the trees that the query makes or shows.
  ///
  /// Otherwise like ``expandItems(_:presentation:)``.
  ///
  /// - Parameters:
  ///   - items: The rows. An item that is in no tree is collapsed if it is added to one later.
  ///   - presentation: How to show the change.
  /// - Throws: `DataSourceError.finished` if this source or the base has finished. Nothing
  ///   changes then.
  public func collapseItems(
    _ items: some Sequence<ItemID> & SendableMetatype, presentation: Presentation = .animated
  ) async throws(DataSourceError) {
    let items = Array(items)
    await read(for: items)
    try setExpanded(false, items, presentation)
  }

  /// Expands or collapses a row for a renderer whose user does so.
  ///
  /// If the children are not loaded, it waits until the query or the followed source has loaded them.
  /// If the task is cancelled, it stops waiting, and the load goes on: others may wait for it, too.
  public func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>) {
    var item = item
    do throws(DataSourceError) {
      // Without subscribers, nothing is worked out unless somebody asks. The load begins below, where it is seen.
      if isExpanded, !core.hub.hasSubscribers {
        item = await read(following: item, from: core.revision)
      } else {
        await read(for: [item])
      }
      try setExpanded(isExpanded, CollectionOfOne(item), .animated)
    } catch {
      throw ChildrenError(item: item, reason: .source(error))
    }
    guard isExpanded else { return }
    evaluateIfStale()
    // It may be refused while the base is read.
    let begun = loads[item]
    item = await read(following: item, from: core.revision)
    guard core.snapshot.hasUnloadedChildren(item) == true else { return }
    if loader != nil { return try await awaitChildren(of: item, begun) }
    // The children are loaded by the followed source, which lets the row be expanded there too.
    try await dragged?.expand(item, named: name)
  }

  /// Reads the followed sources, unless this source shows some rows.
  private func read(for items: [ItemID]) async {
    let shown = core.snapshot
    let isRead = feeds.allSatisfy { $0.revision != nil }
    if !isRead || !items.allSatisfy(shown.containsItem) { _ = await current }
  }

  /// Reads the followed sources, and returns the identifier that a row has after that.
  ///
  /// - Parameter shown: The revision in which the row has this identifier.
  private func read(following item: ItemID, from shown: Revision) async -> ItemID {
    _ = await current
    // An identifier in both states names the same item, whatever was said.
    guard !core.snapshot.containsItem(item) else { return item }
    return core.renames(since: shown).newName(of: item) ?? item
  }

  private func setExpanded(
    _ isExpanded: Bool, _ items: some Collection<ItemID> & SendableMetatype,
    _ presentation: Presentation
  ) throws(DataSourceError) {
    try checkIsOpen()
    // A copy is changed: identifiers are compared while no access is exclusive.
    if !isExpanded, !loads.isEmpty {
      // A load that has brought nothing is made again when the row is expanded.
      var next = loads
      for item in items where loads[item]?.isOver == true { next[item] = nil }
      loads = next
    }
    let shown = core.snapshot
    let isSearch = chain.isSearch
    var next = isSearch ? findings : expansion
    next.set(isExpanded, for: items, isThere: shown.containsItem)
    if isSearch { findings = next } else { expansion = next }
    stale = stale.map { max($0, presentation) } ?? presentation
    if isAsked { evaluateIfStale() }
  }
}

/// Loading children.
///
/// What is loaded follows from the list that is shown: the children of rows that are expanded but not
/// loaded. So it does not matter how a row came to be expanded, or not loaded.
extension DerivedSource {
  /// Waits until the children of a row are loaded.
  ///
  /// - Parameter begun: A load of them that may have ended, or goes on for the row under another identifier.
  private func awaitChildren(
    of item: ItemID, _ begun: ChildrenLoad?
  ) async throws(ChildrenError<ItemID>) {
    guard let load = loads[item] ?? begun else { return }
    while load.isRunning {
      guard await loadWaiters.wait() else { throw ChildrenError(item: item, reason: .cancelled) }
    }
    guard !core.isFinished else { throw ChildrenError(item: item, reason: .source(.finished)) }
    // There is another base, or another row has the identifier.
    guard load.isOver else { throw ChildrenError(item: item, reason: .cancelled) }
    if let refusal = load.refusal { throw ChildrenError(item: item, reason: .of(refusal)) }
  }

  /// Loads the children of the rows that are shown as loading, each time once.
  func loadChildren() {
    let state = core.snapshot
    let wanted = loader == nil ? [] : state.loadingItems
    guard !wanted.isEmpty || !loads.isEmpty else { return }
    // A copy is changed: identifiers are compared while no access is exclusive.
    var next = IdentifierMap<ItemID, ChildrenLoad>()
    for item in wanted {
      if let load = loads[item] {
        next[item] = load
        continue
      }
      guard let load = loader?(chain, state, item) else { continue }
      lastLoad += 1
      // Detached: it works for all who see the row.
      let task = Task.detached { [weak self, number = lastLoad] in
        do {
          try await load()
          await self?.end(number, nil)
        } catch {
          await self?.end(number, error)
        }
      }
      next[item] = ChildrenLoad(number: lastLoad, task: task)
    }
    for (item, load) in loads.elements where !load.isOver && next[item] == nil {
      load.wasAnswered = true
      next[item] = load
    }
    loads = next
  }

  /// Cancels all loads: nobody will see the children.
  func cancelLoads() {
    for (_, load) in loads.elements { load.isDropped = true }
    loads = IdentifierMap()
    loadWaiters.wake()
  }

  /// Records that a load is over.
  ///
  /// - Parameter error: What it has thrown.
  private func end(_ number: Int, _ error: (any Error)?) async {
    // A load that no longer counts is cancelled.
    if !Task.isCancelled {
      // Otherwise a later change might hide that the children were loaded.
      await catchUp()
      rest()
    }
    defer { loadWaiters.wake() }
    guard let (item, load) = loads.elements.first(where: { $0.value.number == number })
    else { return }
    load.isOver = true
    // If the children are not loaded any more, the row wants them again.
    if load.wasAnswered { loads[item] = nil }
    // Somebody else may have loaded the children meanwhile.
    if let error, core.snapshot.hasUnloadedChildren(item) != false {
      load.refusal = error
      // If the source has finished, nothing can be shown any more.
      try? setExpanded(false, CollectionOfOne(item), .animated)
      evaluateIfStale()
    }
    // If the row is no longer shown as loading, its next load may begin. While the query cannot be worked out, the
    // row is still shown as it was, and a load that is refused at once would begin again and again.
    if stale == nil { loadChildren() }
  }

  /// Lets the loads follow rows that have other identifiers now.
  func followLoads(_ renames: [ItemRename<ItemID>]) {
    guard !renames.isEmpty, !loads.isEmpty else { return }
    var next = loads
    // The load of a row that had the new identifier before is cancelled.
    for name in renames.flatMap({ [$0.old, $0.new] }) {
      loads[name].map { $0.isDropped = true }
      next[name] = nil
    }
    for rename in renames {
      if let load = loads[rename.old] { (load.isDropped, next[rename.new]) = (false, load) }
    }
    loads = next
    loadWaiters.wake()
  }
}

/// Loading the children of one row, which is cancelled when this is released.
final class ChildrenLoad {
  let number: Int
  let task: Task<Void, Never>
  var isOver = false
  /// Why the row was collapsed.
  var refusal: (any Error)?
  /// Whether it was cancelled: there is another base, or another row has the identifier.
  var isDropped = false
  /// Whether the row was not shown as loading at some time since it began.
  var wasAnswered = false
  var isRunning: Bool { !isOver && !isDropped }

  init(number: Int, task: Task<Void, Never>) {
    (self.number, self.task) = (number, task)
  }

  deinit { task.cancel() }
}

extension Snapshot {
  /// Whether an item of an outline has children that are not loaded; `nil` if it is in no outline.
  fileprivate func hasUnloadedChildren(_ item: ItemID) -> Bool? {
    sectionIdentifier(containingItem: item).flatMap(outline(ofSection:))?.hasUnloadedChildren(item)
  }
}
