extension SolvedLayout {
  /// The elements that a rectangle meets: section by section, in each the cells, then headers,
  /// footers and attached views, then decorations; boundary items of the layout last.
  ///
  /// - Parameters:
  ///   - rect: The rectangle, in content coordinates.
  ///   - scrolled: How far the host has scrolled. With it, pinned items are where they are pinned,
  ///     orthogonal sections where they are scrolled to, and visible-items handlers have done their
  ///     work. Without it everything is where it is when nothing is scrolled.
  ///   - rule: Which elements the rectangle meets.
  /// - Complexity: O(log sections + log groups) and the slots of the groups that meet the rectangle.
  ///   Pinned items cost nothing in sections that are out of sight.
  public func elements(
    in rect: LayoutRect, scrolled: LayoutScrollState? = nil, rule: LayoutQueryRule = .frames
  ) -> [LayoutAttributes] {
    guard rect.isFinite else { return [] }
    var query = ElementQuery(rect: seen(rect), rule: rule, scrolled: scrolled.map(seen))
    if rule == .uiKit {
      let content = LayoutRect(origin: .zero, size: contentSize)
      guard content.touches(query.rect) else { return [] }
      query.rect = query.rect.intersection(content)
    }
    if let range = sections(meeting: query.rect) {
      for index in range { collect(section: index, into: &query) }
    }
    for index in boundary.items.indices {
      collectLayoutBoundaryItem(index, into: &query)
    }
    guard environment.direction == .rightToLeft else { return query.found }
    return query.found.map { attributes in
      var mirrored = attributes
      mirrored.frame = seen(attributes.frame)
      mirrored.transform = attributes.transform.mirrored
      return mirrored
    }
  }

  /// The items of a section that a rectangle meets, from the first to the last.
  ///
  /// - Complexity: As ``elements(in:scrolled:rule:)``.
  public func visibleRange(
    of section: Int, in rect: LayoutRect, scrolled: LayoutScrollState? = nil
  ) -> Range<Int> {
    guard sections.indices.contains(section), rect.isFinite else { return 0..<0 }
    var query = ElementQuery(rect: seen(rect), rule: .frames, scrolled: scrolled.map(seen))
    query.wantsCellsOnly = true
    collect(section: section, into: &query)
    let items = query.found.map(\.element.path.item)
    guard let first = items.min(), let last = items.max() else { return 0..<0 }
    return first..<(last + 1)
  }

  /// A scroll state as it is seen: with mirrored bounds where reading runs from right to left.
  private func seen(_ state: LayoutScrollState) -> LayoutScrollState {
    LayoutScrollState(
      visibleBounds: seen(state.visibleBounds), orthogonalOffsets: state.orthogonalOffsets)
  }

  /// The sections that may have something in a rectangle, left to right.
  ///
  /// Sections start one after the other, so the first and the last are found by search. The range is
  /// widened by what sticks out of sections.
  func sections(meeting rect: LayoutRect) -> ClosedRange<Int>? {
    let low = rect.start(axis) - extents.start - starts.summary.overhang
    let high = rect.end(axis) - extents.start + starts.summary.overhang
    // Decorations may merely touch, so a section that ends where the rectangle begins counts.
    guard let last = starts.lastIndex(where: { _, start in start <= high }) else { return nil }
    let first = starts.lastIndex { _, start in start < low } ?? 0
    return first...max(first, last)
  }
}
