/// A point on the edges of a rectangle, and an offset from it (Apple: `NSCollectionLayoutAnchor`).
///
/// A supplementary item is placed with its own anchor on the anchor of its container.
public struct LayoutAnchor: Hashable, Sendable {
  /// The distance of the supplementary from the anchor point.
  public enum Offset: Hashable, Sendable {
    /// A number of points.
    case absolute(x: Double, y: Double)

    /// A fraction of the supplementary's own size.
    case fractional(x: Double, y: Double)
  }

  /// The edges that name the point: a corner, the middle of an edge, or the centre for no edges.
  public var edges: DirectionalRectEdge

  /// The offset from the point.
  public var offset: Offset

  /// Creates an anchor with an offset in points.
  public init(edges: DirectionalRectEdge, absoluteOffset: LayoutPoint = .zero) {
    self.edges = edges
    self.offset = .absolute(x: absoluteOffset.x, y: absoluteOffset.y)
  }

  /// Creates an anchor with an offset in fractions of the supplementary's own size.
  public init(edges: DirectionalRectEdge, fractionalOffset: LayoutPoint) {
    self.edges = edges
    self.offset = .fractional(x: fractionalOffset.x, y: fractionalOffset.y)
  }

  /// The offset in points along an axis, for a supplementary of a size.
  func distance(_ axis: LayoutAxis, for size: LayoutExtent) -> Double {
    switch offset {
    case .absolute(let x, let y): axis == .horizontal ? x : y
    case .fractional(let x, let y): axis == .horizontal ? x * size.width : y * size.height
    }
  }
}
