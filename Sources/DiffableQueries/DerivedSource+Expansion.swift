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
  /// It loads nothing: a row whose children are not loaded is shown as loading until they are in the
  /// list. ``setExpanded(_:of:named:)`` loads them.
  ///
  /// - Parameters:
  ///   - items: The rows. An item that is in no tree is expanded if it is added to one later.
  ///   - presentation: How to show the change.
  /// - Throws: `DataSourceError.finished` if this source or the base has finished. Nothing
  ///   changes then.
  /// - Complexity: O((m + k) · log n) for m of n rows, and k that become visible. If no subscriber
  ///   waits for a batch, this is done when a batch is requested.
  public func expandItems(
    _ items: some Sequence<ItemID>, presentation: Presentation = .animated
  ) throws(DataSourceError) {
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
    _ items: some Sequence<ItemID>, presentation: Presentation = .animated
  ) throws(DataSourceError) {
    try setExpanded(false, items, presentation)
  }

  /// Expands or collapses a row for a renderer whose user does so.
  ///
  /// If the children are not loaded, it waits until the query or the followed source has loaded them. If
  /// the query is loading them already, it returns at once.
  public func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>) {
    do throws(DataSourceError) {
      try setExpanded(isExpanded, CollectionOfOne(item), .animated)
    } catch {
      throw ChildrenError(item: item, reason: .source(error))
    }
    guard isExpanded, core.snapshot.hasUnloadedChildren(item) else { return }
    if let loader { return try await load(item, loader) }
    // The children are loaded by the followed source, which lets the row be expanded there too.
    try await dragged?.expand(item, named: name)
  }

  private func load(
    _ item: ItemID, _ loader: @escaping ListQuery<Input, Output>.Loader
  ) async throws(ChildrenError<ItemID>) {
    guard !loading.contains(item) else { return }
    setLoading(item, true)
    defer { setLoading(item, false) }
    do {
      try await loader(core.snapshot, item)
    } catch {
      // If the source has finished, nothing can be shown any more.
      try? setExpanded(false, CollectionOfOne(item), .animated)
      throw ChildrenError(item: item, reason: .of(error))
    }
  }

  /// Records whether the children of a row are being loaded.
  private func setLoading(_ item: ItemID, _ isLoading: Bool) {
    // A copy is changed, as below.
    var next = loading
    if isLoading { next.insert(item) } else { next.remove(item) }
    loading = next
  }

  private func setExpanded(
    _ isExpanded: Bool, _ items: some Sequence<ItemID>, _ presentation: Presentation
  ) throws(DataSourceError) {
    try checkIsOpen()
    // A copy is changed: identifiers are compared while no access is exclusive.
    let shown = core.snapshot
    let isSearch = chain.isSearch
    var next = isSearch ? findings : expansion
    next.set(isExpanded, for: items, isThere: shown.containsItem)
    if isSearch { findings = next } else { expansion = next }
    stale = stale.map { max($0, presentation) } ?? presentation
    if isAsked { evaluateIfStale() }
  }
}

extension Snapshot {
  /// Whether an item of an outline has children that are not loaded.
  fileprivate func hasUnloadedChildren(_ item: ItemID) -> Bool {
    guard let section = sectionIdentifier(containingItem: item) else { return false }
    return outline(ofSection: section)?.hasUnloadedChildren(item) ?? false
  }
}
