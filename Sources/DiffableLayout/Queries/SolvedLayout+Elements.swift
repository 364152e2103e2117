extension SolvedLayout {
  /// The elements that intersect a rectangle.
  ///
  /// They are ordered by section, and in each section: cells, then headers, footers and attached
  /// views, then decorations. Boundary items of the layout are last.
  ///
  /// - Parameters:
  ///   - rect: The rectangle, in content coordinates. If a number of it is not finite, nothing is
  ///     found.
  ///   - scrolled: The scroll positions of the host. With it, pinned items are at their pinned
  ///     places, orthogonal sections are scrolled, and visible-items handlers have been called.
  ///     Without it, nothing is scrolled or pinned.
  ///   - rule: The rule by which elements intersect the rectangle.
  /// - Complexity: O(log sections + log groups) and the slots of the groups that intersect the
  ///   rectangle. Pinned items cost nothing in sections that are not visible.
  public func elements(
    in rect: LayoutRect, scrolled: LayoutScrollState? = nil, rule: LayoutQueryRule = .frames
  ) -> [LayoutAttributes] {
    guard rect.isFinite else { return [] }
    var query = ElementQuery(rect: asked(rect), rule: rule, scrolled: scrolled.map(seen))
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
    return environment.direction == .rightToLeft ? query.found.map(seen) : query.found
  }

  /// The items of a section that intersect a rectangle, from the first to the last.
  ///
  /// - Complexity: As ``elements(in:scrolled:rule:)``.
  package func visibleRange(
    of section: Int, in rect: LayoutRect, scrolled: LayoutScrollState? = nil
  ) -> Range<Int> {
    guard sections.indices.contains(section), rect.isFinite else { return 0..<0 }
    var query = ElementQuery(rect: asked(rect), rule: .frames, scrolled: scrolled.map(seen))
    query.wantsCellsOnly = true
    collect(section: section, into: &query)
    let items = query.found.map(\.element.path.item)
    guard let first = items.min(), let last = items.max() else { return 0..<0 }
    return first..<(last + 1)
  }

  /// A rectangle of a host in left-to-right coordinates.
  ///
  /// The mirror image of a rectangle that is far longer than the content would lose an edge when it is
  /// rounded. So such a rectangle ends far outside of the content, where nothing is.
  func asked(_ rect: LayoutRect) -> LayoutRect {
    let far = max(contentSize.width, 0x1p40)
    let end = contentSize.width + far
    guard environment.direction == .rightToLeft, rect.x < -far || rect.maxX > end else {
      return seen(rect)
    }
    var near = rect
    near.x = max(rect.x, -far)
    near.width = min(rect.maxX, end) - near.x
    return seen(near)
  }

  /// The attributes in visible coordinates: mirrored for right-to-left reading.
  func seen(_ attributes: LayoutAttributes) -> LayoutAttributes {
    guard environment.direction == .rightToLeft else { return attributes }
    var mirrored = attributes
    mirrored.frame = seen(attributes.frame)
    mirrored.transform = attributes.transform.mirrored
    return mirrored
  }

  /// The scroll state in visible coordinates: with mirrored bounds for right-to-left reading.
  func seen(_ state: LayoutScrollState) -> LayoutScrollState {
    LayoutScrollState(
      visibleBounds: asked(state.visibleBounds), orthogonalOffsets: state.orthogonalOffsets)
  }

  /// The sections that may have an element in a rectangle, in left-to-right coordinates.
  ///
  /// Sections start one after another, so a search finds the first and the last. The range is
  /// widened by the largest overhang of sections.
  func sections(meeting rect: LayoutRect) -> ClosedRange<Int>? {
    let low = rect.start(axis) - extents.start - starts.summary.overhang
    let high = rect.end(axis) - extents.start + starts.summary.overhang
    // Decorations need only touch the rectangle, so a section that ends where it begins counts.
    guard let last = starts.lastIndex(where: { _, start in start <= high }) else { return nil }
    let first = starts.lastIndex { _, start in start < low } ?? 0
    return first...max(first, last)
  }
}
