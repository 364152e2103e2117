extension SolvedLayout {
  /// The element of an anchor.
  func anchoredElement(_ anchor: ScrollAnchor) -> LayoutElement? {
    switch anchor {
    case .none: nil
    case .element(let element): element
    case .offset(let offset): firstElement(from: offset)
    }
  }

  /// The visible start of an element along the scroll axis; without one, that of the content.
  ///
  /// It is the right edge if content scrolls from right to left.
  func seenStart(of element: LayoutElement?) -> Double {
    let fromTheRight = environment.direction == .rightToLeft && axis == .horizontal
    guard let frame = element.flatMap({ attributes(for: $0)?.frame }) else {
      return fromTheRight ? contentSize.width : 0
    }
    return fromTheRight ? frame.maxX : frame.start(axis)
  }

  /// The first element on a screen that begins at or after its start; if there is none, the last one that
  /// begins before it.
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
    var before: (element: LayoutElement, start: Double)?
    for attributes in elements(in: seen(rect)) {
      if case .decoration = attributes.element { continue }
      let start = seen(attributes.frame).start(axis)
      if start >= offset && start < first?.start ?? .infinity {
        first = (attributes.element, start)
      } else if start < offset && start > before?.start ?? -.infinity {
        before = (attributes.element, start)
      }
    }
    return (first ?? before)?.element
  }
}
