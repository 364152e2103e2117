extension SolvedLayout {
  /// What is added to the z index of pinned items of sections while they are in sight.
  static var pinnedZIndex: Int { 1_000_000_000 }

  /// Adds a header, footer or bar of a section, where it is pinned if it is.
  func collectBoundaryItem(
    _ item: Int, of section: SolvedSection, _ index: Int, start: Double,
    into query: inout ElementQuery
  ) {
    let description = section.plan.boundary.items[item]
    var slot = section.boundarySlot(item).moved(axis, by: start)
    var zIndex = description.zIndex
    if let visible = query.scrolled?.visibleBounds, description.isPinned(along: axis) {
      slot = pinned(
        slot, description, visible: visible,
        region: start + section.extents.start, section.extents)
      if slot.intersects(visible) { zIndex = zIndex.addingReportingOverflow(Self.pinnedZIndex).0 }
    }
    let frame = section.plan.boundary.frame(of: item, in: slot)
    guard frame.intersects(query.rect) else { return }
    query.append(
      .supplementary(kind: description.elementKind, LayoutPath(section: index, item: 0)), frame,
      zIndex: zIndex)
  }

  /// Adds a header, footer or bar of the layout, where it is pinned if it is.
  func collectLayoutBoundaryItem(_ item: Int, into query: inout ElementQuery) {
    let description = boundary.items[item]
    var slot = boundarySlot(item)
    if let visible = query.scrolled?.visibleBounds, description.isPinned(along: axis) {
      slot = pinned(slot, description, visible: visible, region: extents.start, extents)
    }
    let frame = boundary.frame(of: item, in: slot)
    guard frame.intersects(query.rect) else { return }
    query.append(
      .supplementary(kind: description.elementKind, .layout), frame, zIndex: description.zIndex)
  }

  /// Where an item is pinned: it stays in sight as long as its region does.
  ///
  /// An item at the start never leaves its natural place upwards nor the region downwards; an item
  /// at the end the other way round.
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
      position = max(low, min(high, max(own, visible.start(axis))))
    } else {
      let low = region
      let high = region + extents.region + extents.end - size
      position = min(high, max(low, min(own, visible.end(axis) - size)))
    }
    return slot.moved(axis, by: position - own)
  }
}

extension LayoutBoundarySupplementaryItem {
  /// Whether the item stays in sight: only those at a side of the scroll axis do.
  fileprivate func isPinned(along axis: LayoutAxis) -> Bool {
    pinToVisibleBounds && alignment.fraction(axis) != 0.5
  }
}
