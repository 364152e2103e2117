/// The description of a section: its groups, what surrounds them, and how they scroll.
///
/// Apple: `NSCollectionLayoutSection`.
///
/// ```swift
/// var shelf = LayoutSection(group: .horizontal(
///   layoutSize: .init(width: .fractionalWidth(0.8), height: .absolute(200)), subitems: [card]))
/// shelf.orthogonalScrollingBehavior = .groupPagingCentered
/// shelf.interGroupSpacing = 8
/// ```
public struct LayoutSection: Hashable, Sendable {
  /// The arrangement of the items of a section.
  package enum Content: Hashable, Sendable {
    /// Groups, one after another; after the last one, the first again.
    case groups([LayoutGroup])

    /// Lanes; each item is added to the shortest lane.
    case waterfall(LayoutWaterfall)
  }

  /// The arrangement of the items.
  package var content: Content

  /// The distances of the content from the edges of the section.
  public var contentInsets: LayoutInsets

  /// The gap between adjacent groups, in points.
  ///
  /// If a negative gap exceeds the length of a group, that length is used: a group never starts
  /// before the previous one.
  public var interGroupSpacing: Double

  /// The area that the content stays in, across the scroll direction.
  public var contentInsetsReference: ContentInsetsReference

  /// The area that boundary items stay in, across the scroll direction.
  ///
  /// It replaces the section's insets for them. With `automatic`,
  /// ``supplementariesFollowContentInsets`` decides.
  public var supplementaryContentInsetsReference: ContentInsetsReference

  /// Whether boundary items stay within the section's insets across the scroll direction.
  public var supplementariesFollowContentInsets: Bool

  /// Headers, footers and bars at the sides.
  public var boundarySupplementaryItems: [LayoutBoundarySupplementaryItem]

  /// Views behind the section.
  public var decorationItems: [LayoutDecorationItem]

  /// How the section scrolls across the scroll direction of the layout.
  ///
  /// A waterfall does not scroll by itself.
  public var orthogonalScrollingBehavior: OrthogonalScrollingBehavior

  /// How the section bounces and slows down when it scrolls by itself.
  public var orthogonalScrollingProperties: OrthogonalScrollingProperties

  /// Changes elements while they are visible.
  public var visibleItemsHandler: LayoutVisibleItemsHandler?

  /// Creates a section that repeats one group.
  public init(group: LayoutGroup) {
    self.init(content: .groups([group]))
  }

  /// Creates a section that repeats several groups in turn, such as a banner and two rows.
  ///
  /// Each group shows as many items as it has slots.
  public init(alternating groups: [LayoutGroup]) {
    self.init(content: .groups(groups))
  }

  init(content: Content) {
    self.content = content
    self.contentInsets = .zero
    self.interGroupSpacing = 0
    self.contentInsetsReference = .automatic
    self.supplementaryContentInsetsReference = .automatic
    self.supplementariesFollowContentInsets = true
    self.boundarySupplementaryItems = []
    self.decorationItems = []
    self.orthogonalScrollingBehavior = .none
    self.orthogonalScrollingProperties = OrthogonalScrollingProperties()
    self.visibleItemsHandler = nil
  }
}
