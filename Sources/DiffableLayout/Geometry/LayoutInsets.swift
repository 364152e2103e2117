/// Distances from the four edges of a box inwards, in points (Apple: `NSDirectionalEdgeInsets`).
///
/// Leading is the left edge if text runs from left to right, the right edge if it runs from right
/// to left.
public struct LayoutInsets: Hashable, Sendable {
  /// The distance from the top edge.
  public var top: Double

  /// The distance from the edge where lines of text begin.
  public var leading: Double

  /// The distance from the bottom edge.
  public var bottom: Double

  /// The distance from the edge where lines of text end.
  public var trailing: Double

  /// No insets.
  public static let zero = LayoutInsets()

  /// Creates insets.
  ///
  /// Edges that are omitted are 0.
  public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }

  /// Creates the same inset on all four edges.
  public init(_ all: Double) {
    self.init(top: all, leading: all, bottom: all, trailing: all)
  }

  /// The inset at the beginning of an axis: leading or top.
  func start(_ axis: LayoutAxis) -> Double { axis == .horizontal ? leading : top }

  /// The inset at the end of an axis: trailing or bottom.
  func end(_ axis: LayoutAxis) -> Double { axis == .horizontal ? trailing : bottom }

  /// Both insets of an axis together.
  func total(_ axis: LayoutAxis) -> Double { start(axis) + end(axis) }

  /// The same insets on one axis, none on the other.
  func only(_ axis: LayoutAxis) -> LayoutInsets {
    axis == .horizontal
      ? LayoutInsets(leading: leading, trailing: trailing) : LayoutInsets(top: top, bottom: bottom)
  }

  static func + (left: LayoutInsets, right: LayoutInsets) -> LayoutInsets {
    LayoutInsets(
      top: left.top + right.top, leading: left.leading + right.leading,
      bottom: left.bottom + right.bottom, trailing: left.trailing + right.trailing)
  }

  var isFinite: Bool {
    top.isFinite && leading.isFinite && bottom.isFinite && trailing.isFinite
  }
}
