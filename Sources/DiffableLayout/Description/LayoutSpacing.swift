/// A gap: of a fixed length, or of at least a length (Apple: `NSCollectionLayoutSpacing`).
public enum LayoutSpacing: Hashable, Sendable {
  /// A gap of exactly this many points.
  case fixed(Double)

  /// A gap of at least this many points, which takes its share of what is left over.
  case flexible(Double)

  /// No gap.
  public static let zero = LayoutSpacing.fixed(0)

  /// The room the gap takes at least, in points.
  var minimum: Double {
    switch self {
    case .fixed(let length), .flexible(let length): length
    }
  }

  /// Whether the gap takes a share of what is left over.
  var isFlexible: Bool {
    if case .flexible = self { true } else { false }
  }
}
