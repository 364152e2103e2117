/// A row or column of items, or a custom arrangement (Apple: `NSCollectionLayoutGroup`).
///
/// A group is always a *single* row or column: it never wraps. Its subitems are repeated in turn
/// for as many slots as fit. Cells that do not fit are in the next group, as the section repeats
/// the group.
///
/// ```swift
/// let column = LayoutGroup.vertical(
///   layoutSize: .init(width: .fractionalWidth(1 / 3), height: .fractionalHeight(1)),
///   repeatingSubitem: small, count: 2)
/// let mosaic = LayoutGroup.horizontal(
///   layoutSize: .init(width: .fractionalWidth(1), height: .absolute(200)),
///   subitems: [big, column])
/// ```
public struct LayoutGroup: Hashable, Sendable {
  /// The arrangement of the contents of a group.
  package enum Arrangement: Hashable, Sendable {
    /// The subitems are repeated in turn for as many slots as fit.
    case cycle([LayoutSubitem])

    /// One subitem, exactly `count` times, each with an equal share of the group.
    case division(LayoutSubitem, count: Int)

    /// One subitem at its own size, at most `count` times.
    case repetition(LayoutSubitem, count: Int)

    /// The frames that a provider returns.
    case custom(LayoutGroupItemProvider)
  }

  /// The size of the group.
  public var layoutSize: LayoutSize

  /// The direction of the row or column.
  ///
  /// A custom group ignores it.
  package var axis: LayoutAxis

  /// The arrangement of the group's contents.
  package var arrangement: Arrangement

  /// The gap between adjacent slots.
  public var interItemSpacing: LayoutSpacing

  /// The distances from the edges of the group to its contents.
  public var contentInsets: LayoutInsets

  /// The gaps around the group.
  public var edgeSpacing: LayoutEdgeSpacing

  /// Views attached to the group.
  public var supplementaryItems: [LayoutSupplementaryItem]

  /// Creates a group from its arrangement.
  package init(layoutSize: LayoutSize, axis: LayoutAxis, arrangement: Arrangement) {
    self.layoutSize = layoutSize
    self.axis = axis
    self.arrangement = arrangement
    self.interItemSpacing = .zero
    self.contentInsets = .zero
    self.edgeSpacing = .zero
    self.supplementaryItems = []
  }
}
