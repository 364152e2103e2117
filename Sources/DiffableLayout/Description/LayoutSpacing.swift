/// A gap of a fixed or a minimum length (Apple: `NSCollectionLayoutSpacing`).
public enum LayoutSpacing: Hashable, Sendable {
  /// A gap of exactly this many points.
  case fixed(Double)

  /// A gap of at least this many points, which gets a share of the remaining space.
  case flexible(Double)

  /// No gap.
  public static let zero = LayoutSpacing.fixed(0)

  /// The minimum length of the gap, in points.
  var minimum: Double {
    switch self {
    case .fixed(let length), .flexible(let length): length
    }
  }

  /// Whether the gap gets a share of the remaining space.
  var isFlexible: Bool {
    if case .flexible = self { true } else { false }
  }
}
