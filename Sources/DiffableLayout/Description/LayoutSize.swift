/// The description of a size: a dimension for the width and one for the height.
///
/// Apple: `NSCollectionLayoutSize`.
///
/// ```swift
/// LayoutSize(width: .fractionalWidth(0.8), height: .absolute(200))
/// ```
public struct LayoutSize: Hashable, Sendable {
  /// The description of the length along x.
  public var width: LayoutDimension

  /// The description of the length along y.
  public var height: LayoutDimension

  /// Creates a size from its dimensions.
  public init(width: LayoutDimension, height: LayoutDimension) {
    self.width = width
    self.height = height
  }

  /// The dimension along an axis.
  subscript(axis: LayoutAxis) -> LayoutDimension {
    get { axis == .horizontal ? width : height }
    set { if axis == .horizontal { width = newValue } else { height = newValue } }
  }

  /// Whether views can be measured for the width or the height.
  var isEstimated: Bool { width.isEstimated || height.isEstimated }

  /// The extent of the size in a box.
  func resolved(in box: LayoutExtent, on grid: PixelGrid) -> LayoutExtent {
    LayoutExtent(
      width: width.resolved(in: box, on: grid), height: height.resolved(in: box, on: grid))
  }
}
