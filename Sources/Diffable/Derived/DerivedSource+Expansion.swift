extension DerivedSource {
  /// Expands rows of the trees that `ListQuery.outlined(id:by:isExpanded:)` makes.
  ///
  /// What is expanded belongs to this source, and not to the base: two sources that are derived from
  /// one base can show the same tree folded in two ways. It is remembered by identifier. So it
  /// survives another query, and holds for a row that goes and comes again.
  ///
  /// - Parameters:
  ///   - items: The rows. What is in no tree is expanded if it ever comes to one.
  ///   - presentation: How the change is to be shown.
  /// - Throws: ``DataSourceError/finished`` if this source or the base has finished. Nothing has changed
  ///   then.
  /// - Complexity: O((m + k) · log n) for m of n rows, and k that become visible. If nobody waits for a
  ///   batch, that is paid when somebody asks.
  public func expandItems(
    _ items: some Sequence<ItemID>, presentation: Presentation = .animated
  ) throws(DataSourceError) {
    try setExpanded(true, items, presentation)
  }

  /// Collapses rows of the trees that `ListQuery.outlined(id:by:isExpanded:)` makes.
  ///
  /// Otherwise as ``expandItems(_:presentation:)``.
  ///
  /// - Parameters:
  ///   - items: The rows. What is in no tree is collapsed if it ever comes to one.
  ///   - presentation: How the change is to be shown.
  /// - Throws: ``DataSourceError/finished`` if this source or the base has finished. Nothing has changed
  ///   then.
  public func collapseItems(
    _ items: some Sequence<ItemID>, presentation: Presentation = .animated
  ) throws(DataSourceError) {
    try setExpanded(false, items, presentation)
  }

  /// What a renderer wants whose user folds a row, or unfolds it.
  public func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) throws(ChildrenError<ItemID>) {
    do {
      try setExpanded(isExpanded, CollectionOfOne(item), .animated)
    } catch {
      throw ChildrenError(item: item, reason: .source(error))
    }
  }

  private func setExpanded(
    _ isExpanded: Bool, _ items: some Sequence<ItemID>, _ presentation: Presentation
  ) throws(DataSourceError) {
    guard !core.isFinished else { throw core.refusing(.finished) }
    expansion.set(isExpanded, for: items)
    stale = stale.map { max($0, presentation) } ?? presentation
    if upstream.isAsked { evaluateIfStale() }
  }
}
