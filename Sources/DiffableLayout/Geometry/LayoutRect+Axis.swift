extension LayoutRect {
  /// Creates a rectangle from its spans along an axis and across it.
  init(_ axis: LayoutAxis, start: Double, length: Double, crossStart: Double, crossLength: Double) {
    self.init(
      origin: LayoutPoint(axis, along: start, across: crossStart),
      size: LayoutExtent(axis, along: length, across: crossLength))
  }

  /// The first coordinate along an axis.
  func start(_ axis: LayoutAxis) -> Double { axis == .horizontal ? x : y }

  /// The last coordinate along an axis.
  func end(_ axis: LayoutAxis) -> Double { axis == .horizontal ? maxX : maxY }

  /// The length along an axis.
  func length(_ axis: LayoutAxis) -> Double { axis == .horizontal ? width : height }

  /// The same rectangle, moved by an offset.
  func moved(by offset: LayoutPoint) -> LayoutRect {
    LayoutRect(x: x + offset.x, y: y + offset.y, width: width, height: height)
  }

  /// The same rectangle, moved along one axis.
  func moved(_ axis: LayoutAxis, by distance: Double) -> LayoutRect {
    moved(by: LayoutPoint(axis, along: distance, across: 0))
  }

  /// The mirror image in content of a width: `x' = contentWidth - x - width`.
  ///
  /// Mirroring twice is the identity.
  func mirrored(in contentWidth: Double) -> LayoutRect {
    LayoutRect(x: contentWidth - x - width, y: y, width: width, height: height)
  }

  /// The rectangle after subtracting insets.
  ///
  /// Insets larger than the rectangle leave the absolute value of the difference, as they do in
  /// UIKit: 10 wide less 7 and 7 is 4 wide.
  func inset(by insets: LayoutInsets) -> LayoutRect {
    LayoutRect(
      x: x + insets.leading, y: y + insets.top,
      width: abs(width - insets.leading - insets.trailing),
      height: abs(height - insets.top - insets.bottom))
  }

  /// Whether the rectangles have a point in common, edges included.
  func touches(_ other: LayoutRect) -> Bool {
    min(maxX, other.maxX) >= max(x, other.x) && min(maxY, other.maxY) >= max(y, other.y)
  }

  var isFinite: Bool { x.isFinite && y.isFinite && size.isFinite }
}
