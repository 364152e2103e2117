/// A rectangle in content coordinates, in points: the origin is the top left corner of the content.
public struct LayoutRect: Hashable, Sendable {
  /// The left edge.
  public var x: Double

  /// The top edge.
  public var y: Double

  /// The length along x.
  ///
  /// The layout never returns a negative one.
  public var width: Double

  /// The length along y.
  ///
  /// The layout never returns a negative one.
  public var height: Double

  /// The empty rectangle at the origin.
  public static let zero = LayoutRect(x: 0, y: 0, width: 0, height: 0)

  /// Creates a rectangle from its top left corner and its lengths.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a rectangle from its top left corner and its extent.
  package init(origin: LayoutPoint, size: LayoutExtent) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  /// The top left corner.
  public var origin: LayoutPoint {
    get { LayoutPoint(x: x, y: y) }
    set { (x, y) = (newValue.x, newValue.y) }
  }

  /// The width and the height.
  public var size: LayoutExtent {
    get { LayoutExtent(width: width, height: height) }
    set { (width, height) = (newValue.width, newValue.height) }
  }

  /// The right edge.
  public var maxX: Double { x + width }

  /// The bottom edge.
  public var maxY: Double { y + height }

  /// The middle of the rectangle.
  package var center: LayoutPoint { LayoutPoint(x: x + width / 2, y: y + height / 2) }

  /// Whether the two rectangles have an area in common.
  ///
  /// Touching edges have no area in common.
  package func intersects(_ other: LayoutRect) -> Bool {
    min(maxX, other.maxX) > max(x, other.x) && min(maxY, other.maxY) > max(y, other.y)
  }

  /// The common part of both rectangles; it has no size if there is none.
  package func intersection(_ other: LayoutRect) -> LayoutRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return LayoutRect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - top))
  }
}
