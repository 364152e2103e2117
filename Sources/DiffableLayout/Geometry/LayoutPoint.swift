/// A position, in points; x increases to the right and y downwards.
public struct LayoutPoint: Hashable, Sendable {
  /// The distance from the left edge.
  public var x: Double

  /// The distance from the top edge.
  public var y: Double

  /// The top left corner.
  public static let zero = LayoutPoint(x: 0, y: 0)

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Creates a point from its coordinates along an axis and across it.
  init(_ axis: LayoutAxis, along: Double, across: Double) {
    self = axis == .horizontal ? .init(x: along, y: across) : .init(x: across, y: along)
  }

  /// The coordinate along an axis.
  subscript(axis: LayoutAxis) -> Double {
    get { axis == .horizontal ? x : y }
    set { if axis == .horizontal { x = newValue } else { y = newValue } }
  }

  static func + (left: LayoutPoint, right: LayoutPoint) -> LayoutPoint {
    LayoutPoint(x: left.x + right.x, y: left.y + right.y)
  }
}
