extension SolvedLayout {
  /// The first element that begins at or behind a position along the scroll axis; decorations do not
  /// count.
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
