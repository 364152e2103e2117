extension SolvedLayout {
  /// The part of the content that pictures show by default: two screens of it.
  var pictured: LayoutRect {
    let container = environment.container.contentSize
    let shown = min(contentSize[axis], max(2 * container[axis], 1))
    var origin = LayoutPoint.zero
    if environment.direction == .rightToLeft && axis == .horizontal {
      origin.x = contentSize.width - shown
    }
    return LayoutRect(
      origin: origin,
      size: LayoutExtent(axis, along: shown, across: contentSize[axis.cross]))
  }

  /// The elements of a picture, back to front.
  func picturedElements(
    in rect: LayoutRect, scrolled: LayoutScrollState?
  ) -> [LayoutAttributes] {
    // Decorations are last in the result, but with equal z index they are behind the others.
    func depth(_ attributes: LayoutAttributes) -> (Int, Int) {
      switch attributes.element {
      case .decoration: (attributes.zIndex, 0)
      case .item: (attributes.zIndex, 1)
      case .supplementary: (attributes.zIndex, 2)
      }
    }
    let found = elements(in: rect, scrolled: scrolled).filter { !$0.isHidden }
    return found.enumerated().sorted {
      (depth($0.element).0, depth($0.element).1, $0.offset)
        < (depth($1.element).0, depth($1.element).1, $1.offset)
    }.map(\.element)
  }
}

extension SolvedLayout: CustomStringConvertible {
  /// The sizes in one line, and a picture of the first two screens.
  public var description: String {
    let size = contentSize
    let items = itemCounts.reduce(into: (0, false)) { sum, count in
      let (next, overflow) = sum.0.addingReportingOverflow(count)
      sum = (next, sum.1 || overflow)
    }
    let summary =
      "\(size.width.short) × \(size.height.short) points, \(sections.count) "
      + (sections.count == 1 ? "section, " : "sections, ")
      + (items.1 ? "countless items" : items.0 == 1 ? "1 item" : "\(items.0) items")
    return summary + "\n" + picture()
  }

  /// Draws a part of the content with the characters of a terminal.
  ///
  /// Cells have single lines and show their section and index, supplementaries double lines, and
  /// decorations are dotted.
  ///
  /// ```
  /// ┌───────────┐┌───────────┐
  /// │0.0        ││0.1        │
  /// └───────────┘└───────────┘
  /// ```
  ///
  /// - Parameters:
  ///   - rect: The part, in content coordinates; the first two screens if `nil`.
  ///   - columns: The width of the picture, in characters, between 1 and 1,000. A line is twice as
  ///     high as a character is wide; more than 1,000 lines are cut off.
  ///   - scrolled: The scroll positions of a host.
  public func picture(
    of rect: LayoutRect? = nil, columns: Int = 64, scrolled: LayoutScrollState? = nil
  ) -> String {
    let rect = rect ?? pictured
    var canvas = TextCanvas(rect: rect, columns: columns)
    for attributes in picturedElements(in: rect, scrolled: scrolled) {
      canvas.draw(attributes)
    }
    return canvas.text
  }
}

extension Double {
  /// The number with two decimals, or without decimals if it is whole.
  var short: String {
    guard isFinite else { return "\(self)" }
    let rounded = (self * 100).rounded() / 100
    guard rounded.isFinite, abs(rounded) < 1e15 else { return "\(self)" }
    return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
  }
}
