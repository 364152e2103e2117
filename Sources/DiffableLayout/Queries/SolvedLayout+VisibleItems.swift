extension SolvedLayout {
  /// Lets the visible-items handler of a section change the elements found in it.
  ///
  /// The handler receives visible coordinates: mirrored frames for right-to-left reading.
  func applyHandler(
    of section: SolvedSection, offset: Double, to query: inout ElementQuery, from first: Int
  ) {
    guard let handler = section.plan.section.visibleItemsHandler, let scrolled = query.scrolled,
      first < query.found.count
    else { return }
    var items = query.found[first...].map { attributes in
      let frame = seen(attributes.frame)
      return LayoutVisibleItem(
        element: attributes.element, frame: frame, center: frame.center,
        zIndex: attributes.zIndex, alpha: 1, transform: .identity, isHidden: false)
    }
    let bounds = seen(scrolled.visibleBounds)
    var position = bounds.origin
    if section.plan.isOrthogonal { position[axis.cross] = offset }
    handler.update(&items, position, environment)
    var byElement: [LayoutElement: LayoutVisibleItem] = [:]
    for item in items { byElement[item.element] = item }
    for index in first..<query.found.count {
      guard let item = byElement[query.found[index].element] else { continue }
      query.found[index].apply(item, mirrored: environment.direction == .rightToLeft)
    }
  }
}

extension LayoutAttributes {
  /// Applies the changes of a handler.
  ///
  /// The frame moves with the centre and keeps its size.
  ///
  /// - Parameter mirrored: Whether the attributes are still in left-to-right coordinates and the
  ///   item is not.
  fileprivate mutating func apply(_ item: LayoutVisibleItem, mirrored: Bool) {
    let moved = item.center.x - item.frame.center.x
    frame.x += mirrored ? -moved : moved
    frame.y += item.center.y - item.frame.center.y
    zIndex = item.zIndex
    alpha = item.alpha
    isHidden = item.isHidden
    // The query mirrors all its results; the values of the handler are mirrored already.
    transform = mirrored ? item.transform.mirrored : item.transform
  }
}
