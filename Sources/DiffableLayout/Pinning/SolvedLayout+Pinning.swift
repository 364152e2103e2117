extension SolvedLayout {
  /// Added to the z index of pinned items of sections while they are visible.
  static var pinnedZIndex: Int { 1_000_000_000 }

  /// Adds a header, footer or bar of a section, at its pinned place if it is pinned.
  func collectBoundaryItem(
    _ item: Int, of section: SolvedSection, _ index: Int, start: Double,
    into query: inout ElementQuery
  ) {
    let (frame, zIndex) = place(
      ofBoundaryItem: item, of: section, start: start, visible: query.scrolled?.visibleBounds)
    guard frame.intersects(query.rect) else { return }
    let kind = section.plan.boundary.items[item].elementKind
    query.append(
      .supplementary(kind: kind, LayoutPath(section: index, item: 0)), frame, zIndex: zIndex)
  }

  /// Adds a header, footer or bar of the layout, at its pinned place if it is pinned.
  func collectLayoutBoundaryItem(_ item: Int, into query: inout ElementQuery) {
    let (frame, zIndex) = place(ofBoundaryItem: item, visible: query.scrolled?.visibleBounds)
    guard frame.intersects(query.rect) else { return }
    query.append(
      .supplementary(kind: boundary.items[item].elementKind, .layout), frame, zIndex: zIndex)
  }

  /// The place of a header, footer or bar of a section; its pinned one if it is pinned.
  ///
  /// - Parameter visible: The visible part of the content, or `nil` to pin nothing.
  func place(
    ofBoundaryItem item: Int, of section: SolvedSection, start: Double, visible: LayoutRect?
  ) -> (frame: LayoutRect, zIndex: Int) {
    let description = section.plan.boundary.items[item]
    var slot = section.boundarySlot(item).moved(axis, by: start)
    var zIndex = description.zIndex
    if let visible, description.isPinned(along: axis) {
      slot = pinned(
        slot, description, visible: visible,
        region: start + section.extents.start, section.extents)
      if slot.intersects(visible) { zIndex = zIndex.addingReportingOverflow(Self.pinnedZIndex).0 }
    }
    return (section.plan.boundary.frame(of: item, in: slot), zIndex)
  }

  /// The place of a header, footer or bar of the layout; its pinned one if it is pinned.
  ///
  /// - Parameter visible: The visible part of the content, or `nil` to pin nothing.
  func place(
    ofBoundaryItem item: Int, visible: LayoutRect?
  ) -> (frame: LayoutRect, zIndex: Int) {
    let description = boundary.items[item]
    var slot = boundarySlot(item)
    if let visible, description.isPinned(along: axis) {
      slot = pinned(slot, description, visible: visible, region: extents.start, extents)
    }
    return (boundary.frame(of: item, in: slot), description.zIndex)
  }

  /// The frame of a pinned item: it stays visible as long as its region is visible.
  ///
  /// An item at the start never moves above its natural place, and not below the end of the region
  /// unless its natural place is there; an item at the end the other way round.
  private func pinned(
    _ slot: LayoutRect, _ item: LayoutBoundarySupplementaryItem, visible: LayoutRect,
    region: Double, _ extents: BoundaryPlacement.Extents
  ) -> LayoutRect {
    let own = slot.start(axis)
    let size = slot.length(axis)
    let position: Double
    if item.alignment.fraction(axis) == 0 {
      let low = region - extents.start
      let high = region + extents.region - size
      position = max(low, own, min(visible.start(axis), high))
    } else {
      let low = region
      let high = region + extents.region + extents.end - size
      position = min(high, own, max(visible.end(axis) - size, low))
    }
    return slot.moved(axis, by: position - own)
  }
}

extension LayoutBoundarySupplementaryItem {
  /// Whether the item is pinned: only items at a side of the scroll axis can be.
  fileprivate func isPinned(along axis: LayoutAxis) -> Bool {
    pinToVisibleBounds && alignment.fraction(axis) != 0.5
  }
}
