/// A set of edges of a rectangle (Apple: `NSDirectionalRectEdge`).
public struct DirectionalRectEdge: OptionSet, Hashable, Sendable {
  /// One bit for each edge.
  public let rawValue: UInt8

  /// The upper edge.
  public static let top = DirectionalRectEdge(rawValue: 1)

  /// The edge where lines of text begin.
  public static let leading = DirectionalRectEdge(rawValue: 2)

  /// The lower edge.
  public static let bottom = DirectionalRectEdge(rawValue: 4)

  /// The edge where lines of text end.
  public static let trailing = DirectionalRectEdge(rawValue: 8)

  /// All four edges.
  public static let all: DirectionalRectEdge = [.top, .leading, .bottom, .trailing]

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The position of the edges along an axis: 0 at its start, 1 at its end.
  ///
  /// It is one half if neither or both edges of the axis are in the set.
  func fraction(_ axis: LayoutAxis) -> Double {
    let atStart = contains(axis == .horizontal ? .leading : .top)
    let atEnd = contains(axis == .horizontal ? .trailing : .bottom)
    return atStart == atEnd ? 0.5 : (atStart ? 0 : 1)
  }
}
