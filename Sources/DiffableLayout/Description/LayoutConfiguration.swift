/// The configuration of a whole layout (Apple: `UICollectionViewCompositionalLayoutConfiguration`).
public struct LayoutConfiguration: Hashable, Sendable {
  /// The direction in which sections stack and the view scrolls.
  public var scrollDirection: LayoutAxis

  /// The gap between every two sections, empty ones included, in points.
  public var interSectionSpacing: Double

  /// The area that the content of sections stays in, unless a section has its own.
  public var contentInsetsReference: ContentInsetsReference

  /// Headers, footers and bars of the whole layout.
  public var boundarySupplementaryItems: [LayoutBoundarySupplementaryItem]

  /// Creates a configuration.
  public init(
    scrollDirection: LayoutAxis = .vertical, interSectionSpacing: Double = 0,
    contentInsetsReference: ContentInsetsReference = .safeArea,
    boundarySupplementaryItems: [LayoutBoundarySupplementaryItem] = []
  ) {
    self.scrollDirection = scrollDirection
    self.interSectionSpacing = interSectionSpacing
    self.contentInsetsReference = contentInsetsReference
    self.boundarySupplementaryItems = boundarySupplementaryItems
  }
}
