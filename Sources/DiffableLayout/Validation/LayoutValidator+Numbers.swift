extension LayoutValidator {
  /// Throws unless a number is finite.
  static func finite(_ number: Double, _ part: LayoutPart) throws(LayoutError) {
    guard number.isFinite else { throw LayoutError(.notFinite, at: part) }
  }

  /// Throws unless all four insets are finite.
  static func finite(_ insets: LayoutInsets, _ part: LayoutPart) throws(LayoutError) {
    guard insets.isFinite else { throw LayoutError(.notFinite, at: part) }
  }

  /// Throws unless both dimensions are finite.
  static func validate(_ size: LayoutSize, _ part: LayoutPart) throws(LayoutError) {
    try finite(size.width.value, part.property("width"))
    try finite(size.height.value, part.property("height"))
  }

  /// Throws unless all four gaps are finite.
  static func validate(_ spacing: LayoutEdgeSpacing, _ part: LayoutPart) throws(LayoutError) {
    let place = part.property("edgeSpacing")
    for edge in [spacing.leading, spacing.top, spacing.trailing, spacing.bottom] {
      try finite(edge.minimum, place)
    }
  }

  /// Throws unless the offset is finite.
  static func validate(_ anchor: LayoutAnchor, _ part: LayoutPart) throws(LayoutError) {
    switch anchor.offset {
    case .absolute(let x, let y), .fractional(let x, let y):
      try finite(x, part)
      try finite(y, part)
    }
  }
}
