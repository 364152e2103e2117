/// One length of a description: absolute, a fraction of the box it lies in, or to be measured
/// (Apple: `NSCollectionLayoutDimension`).
public enum LayoutDimension: Hashable, Sendable {
  /// A fraction of the width of the box. Allowed for heights too, which keeps an aspect ratio.
  case fractionalWidth(Double)

  /// A fraction of the height of the box. Allowed for widths too.
  case fractionalHeight(Double)

  /// A number of points. Never rounded.
  case absolute(Double)

  /// A number of points that stands until the view has been measured.
  case estimated(Double)

  /// An estimate; when measured, all siblings in the group take the largest size.
  ///
  /// On the outermost group of a section, along the direction in which groups stack, the largest
  /// size is shared by all groups of the section. Only what has been measured counts, so nothing is
  /// measured that is not on screen.
  case uniformAcrossSiblings(estimate: Double)

  /// Whether a view may be asked for this length.
  var isEstimated: Bool {
    switch self {
    case .estimated, .uniformAcrossSiblings: true
    case .fractionalWidth, .fractionalHeight, .absolute: false
    }
  }

  /// Whether siblings share the largest measured length.
  var isUniform: Bool {
    if case .uniformAcrossSiblings = self { true } else { false }
  }

  /// Whether this is a fraction of the box's length along an axis.
  func isFraction(of axis: LayoutAxis) -> Bool {
    switch self {
    case .fractionalWidth: axis == .horizontal
    case .fractionalHeight: axis == .vertical
    case .absolute, .estimated, .uniformAcrossSiblings: false
    }
  }

  /// The number that describes the dimension, for validation.
  var value: Double {
    switch self {
    case .fractionalWidth(let value), .fractionalHeight(let value), .absolute(let value),
      .estimated(let value), .uniformAcrossSiblings(let value):
      value
    }
  }

  /// The length that the dimension comes to in a box.
  ///
  /// Never negative.
  func resolved(in box: LayoutExtent, on grid: PixelGrid) -> Double {
    switch self {
    case .fractionalWidth(let fraction): max(0, grid.floored(fraction * box.width))
    case .fractionalHeight(let fraction): max(0, grid.floored(fraction * box.height))
    case .absolute(let length), .estimated(let length), .uniformAcrossSiblings(let length):
      max(0, length)
    }
  }
}
