/// A width and a height, in points.
///
/// `LayoutSize` is the *description* of a size (a fraction, an estimate, …), like
/// `NSCollectionLayoutSize`. An extent is the result of such a description.
public struct LayoutExtent: Hashable, Sendable {
  /// The length along x.
  public var width: Double

  /// The length along y.
  public var height: Double

  /// No width and no height.
  public static let zero = LayoutExtent(width: 0, height: 0)

  /// Creates an extent.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Creates an extent from its lengths along an axis and across it.
  init(_ axis: LayoutAxis, along: Double, across: Double) {
    self =
      axis == .horizontal
      ? .init(width: along, height: across) : .init(width: across, height: along)
  }

  /// The length along an axis.
  subscript(axis: LayoutAxis) -> Double {
    get { axis == .horizontal ? width : height }
    set { if axis == .horizontal { width = newValue } else { height = newValue } }
  }

  /// The extent with 0 for negative lengths.
  var notNegative: LayoutExtent { LayoutExtent(width: max(0, width), height: max(0, height)) }

  var isFinite: Bool { width.isFinite && height.isFinite }
}
