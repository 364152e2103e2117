/// A direction: along x or along y.
public enum LayoutAxis: String, Hashable, Sendable, CaseIterable {
  /// Along x.
  case horizontal

  /// Along y.
  case vertical

  /// The other axis.
  package var cross: LayoutAxis { self == .horizontal ? .vertical : .horizontal }
}
