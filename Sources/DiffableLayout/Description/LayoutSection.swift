/// The description of a section: groups in turn, what surrounds them, how they scroll (Apple:
/// `NSCollectionLayoutSection`).
///
/// ```swift
/// var shelf = LayoutSection(group: .horizontal(
///   layoutSize: .init(width: .fractionalWidth(0.8), height: .absolute(200)), subitems: [card]))
/// shelf.orthogonalScrollingBehavior = .groupPagingCentered
/// shelf.interGroupSpacing = 8
/// ```
public struct LayoutSection: Hashable, Sendable {
  /// What a section arranges its items in.
  public enum Content: Hashable, Sendable {
    /// Groups, one after another; after the last the first again.
    case groups([LayoutGroup])

    /// Lanes that are filled where they are shortest.
    case waterfall(LayoutWaterfall)
  }

  /// What the section arranges its items in.
  public var content: Content

  /// The distances of the content from the edges of the section.
  public var contentInsets: LayoutInsets

  /// The gap between every two groups, in points.
  ///
  /// A gap more negative than a group is long counts as the whole group: a group never starts
  /// before the one it follows.
  public var interGroupSpacing: Double

  /// What the content keeps clear of, across the scroll direction.
  public var contentInsetsReference: ContentInsetsReference

  /// What boundary items keep clear of, across the scroll direction, instead of the section's
  /// insets; `automatic` leaves that to ``supplementariesFollowContentInsets``.
  public var supplementaryContentInsetsReference: ContentInsetsReference

  /// Whether boundary items lie within the section's insets across the scroll direction.
  public var supplementariesFollowContentInsets: Bool

  /// Headers, footers and bars at the sides.
  public var boundarySupplementaryItems: [LayoutBoundarySupplementaryItem]

  /// Views behind the section.
  public var decorationItems: [LayoutDecorationItem]

  /// How the section scrolls across the scroll direction of the layout.
  ///
  /// A waterfall does not.
  public var orthogonalScrollingBehavior: OrthogonalScrollingBehavior

  /// How it bounces and slows down when it does.
  public var orthogonalScrollingProperties: OrthogonalScrollingProperties

  /// What changes elements while they are in sight.
  public var visibleItemsHandler: LayoutVisibleItemsHandler?

  /// Creates a section that repeats one group.
  public init(group: LayoutGroup) {
    self.init(content: .groups([group]))
  }

  /// Creates a section that repeats several groups in turn, such as a banner and two rows.
  ///
  /// Each group takes as many items as it has slots.
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
