/// A length in a description: absolute, a fraction of the enclosing box, or measured.
///
/// Apple: `NSCollectionLayoutDimension`.
public enum LayoutDimension: Hashable, Sendable {
  /// A fraction of the width of the box. For heights, it keeps an aspect ratio.
  case fractionalWidth(Double)

  /// A fraction of the height of the box. It can be used for widths too.
  case fractionalHeight(Double)

  /// A number of points. Never rounded.
  case absolute(Double)

  /// A number of points that is used until the view has been measured.
  case estimated(Double)

  /// An estimate; once measured, all siblings in the group get the largest size.
  ///
  /// On the outermost group of a section, along the direction in which groups stack, all groups of
  /// the section share the largest size. Only measured sizes count, so nothing off screen is
  /// measured.
  case uniformAcrossSiblings(estimate: Double)

  /// Whether views can be measured for this length.
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

  /// The number in the dimension, for validation.
  var value: Double {
    switch self {
    case .fractionalWidth(let value), .fractionalHeight(let value), .absolute(let value),
      .estimated(let value), .uniformAcrossSiblings(let value):
      value
    }
  }

  /// The length of the dimension in a box.
  ///
  /// It is never negative.
  func resolved(in box: LayoutExtent, on grid: PixelGrid) -> Double {
    switch self {
    case .fractionalWidth(let fraction): max(0, grid.floored(fraction * box.width))
    case .fractionalHeight(let fraction): max(0, grid.floored(fraction * box.height))
    case .absolute(let length), .estimated(let length), .uniformAcrossSiblings(let length):
      max(0, length)
    }
  }
}
