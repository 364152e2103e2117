/// A run of items in one direction, or any arrangement of its own (Apple:
/// `NSCollectionLayoutGroup`).
///
/// A group is always a *single* run: it never wraps. Its subitems are repeated in turn for as many
/// slots as fit; cells that do not fit start the next group, for the section repeats the group.
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
  /// How a group arranges what it holds.
  public enum Arrangement: Hashable, Sendable {
    /// The subitems are repeated in turn for as many slots as fit.
    case cycle([LayoutSubitem])

    /// One subitem, exactly `count` times, made as long as an equal share of the group.
    case division(LayoutSubitem, count: Int)

    /// One subitem at its own size, at most `count` times.
    case repetition(LayoutSubitem, count: Int)

    /// The frames that a provider gives.
    case custom(LayoutGroupItemProvider)
  }

  /// The size of the group.
  public var layoutSize: LayoutSize

  /// The direction of the run.
  ///
  /// It means nothing to a custom group.
  public var axis: LayoutAxis

  /// How the group arranges what it holds.
  public var arrangement: Arrangement

  /// The gap between every two slots of the run.
  public var interItemSpacing: LayoutSpacing

  /// The distances by which the inside of the group is smaller than the group.
  public var contentInsets: LayoutInsets

  /// The gaps around the group.
  public var edgeSpacing: LayoutEdgeSpacing

  /// Views attached to the group.
  public var supplementaryItems: [LayoutSupplementaryItem]

  /// Creates a group from its arrangement.
  ///
  /// The static functions read better.
  public init(layoutSize: LayoutSize, axis: LayoutAxis, arrangement: Arrangement) {
    self.layoutSize = layoutSize
    self.axis = axis
    self.arrangement = arrangement
    self.interItemSpacing = .zero
    self.contentInsets = .zero
    self.edgeSpacing = .zero
    self.supplementaryItems = []
  }
}
