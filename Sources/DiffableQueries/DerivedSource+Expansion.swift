public import Diffable

extension DerivedSource {
  /// Expands rows of the trees that `ListQuery.outlined(id:by:isExpanded:)` makes.
  ///
  /// Which rows are expanded belongs to this source and not to the base: two sources that are
  /// derived from one base can show the same tree folded differently. It is remembered by
  /// identifier. So it survives a change of the query, and applies to a row that is deleted and
  /// inserted again. It follows a row that the base gives another identifier.
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

  /// Collapses rows of the trees that `ListQuery.outlined(id:by:isExpanded:)` makes.
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
    try checkIsOpen()
    // A copy is changed: identifiers are compared while no access is exclusive.
    let shown = core.snapshot
    var next = expansion
    next.set(isExpanded, for: items, isThere: shown.containsItem)
    expansion = next
    stale = stale.map { max($0, presentation) } ?? presentation
    if isAsked { evaluateIfStale() }
  }
}
