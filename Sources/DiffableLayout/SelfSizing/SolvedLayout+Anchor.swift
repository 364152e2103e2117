extension SolvedLayout {
  /// The element of an anchor.
  func anchoredElement(_ anchor: ScrollAnchor) -> LayoutElement? {
    switch anchor {
    case .none: nil
    case .element(let element): element
    case .offset(let offset): firstElement(from: offset)
    }
  }

  /// The visible start of an element along the scroll axis.
  ///
  /// It is its right edge if content scrolls from right to left.
  func seenStart(of element: LayoutElement) -> Double? {
    guard let frame = attributes(for: element)?.frame else { return nil }
    let fromTheRight = environment.direction == .rightToLeft && axis == .horizontal
    return fromTheRight ? frame.maxX : frame.start(axis)
  }

  /// The first element that begins at or after a position along the scroll axis.
  ///
  /// Decorations are ignored.
  ///
  /// - Complexity: As a query of one screen.
  func firstElement(from offset: Double) -> LayoutElement? {
    let container = environment.container.contentSize
    let rect = LayoutRect(
      axis, start: offset, length: max(container[axis], 1), crossStart: 0,
      crossLength: max(contentSize[axis.cross], 1))
    var first: (element: LayoutElement, start: Double)?
    for attributes in elements(in: seen(rect)) {
      if case .decoration = attributes.element { continue }
      let start = seen(attributes.frame).start(axis)
      if start >= offset && start < first?.start ?? .infinity {
        first = (attributes.element, start)
      }
    }
    return first?.element
  }
}
