/// The gaps around an item or a group, outside its own size.
///
/// Apple: `NSCollectionLayoutEdgeSpacing`. Fixed gaps always have their length. Flexible ones share
/// the remaining space: along the group's axis with the other items, across it with the opposite
/// edge only.
public struct LayoutEdgeSpacing: Hashable, Sendable {
  /// The gap at the edge where lines of text begin.
  public var leading: LayoutSpacing

  /// The gap above.
  public var top: LayoutSpacing

  /// The gap at the edge where lines of text end.
  public var trailing: LayoutSpacing

  /// The gap below.
  public var bottom: LayoutSpacing

  /// No gaps.
  public static let zero = LayoutEdgeSpacing()

  /// Creates edge spacing.
  ///
  /// Edges that are omitted have no gap.
  public init(
    leading: LayoutSpacing = .zero, top: LayoutSpacing = .zero, trailing: LayoutSpacing = .zero,
    bottom: LayoutSpacing = .zero
  ) {
    self.leading = leading
    self.top = top
    self.trailing = trailing
    self.bottom = bottom
  }

  /// The gap at the beginning of an axis.
  func start(_ axis: LayoutAxis) -> LayoutSpacing { axis == .horizontal ? leading : top }

  /// The gap at the end of an axis.
  func end(_ axis: LayoutAxis) -> LayoutSpacing { axis == .horizontal ? trailing : bottom }

  /// The minimum length of both gaps of an axis.
  func minimum(_ axis: LayoutAxis) -> Double { start(axis).minimum + end(axis).minimum }

  /// The number of flexible gaps of an axis.
  func flexibleCount(_ axis: LayoutAxis) -> Int {
    (start(axis).isFlexible ? 1 : 0) + (end(axis).isFlexible ? 1 : 0)
  }
}
