/// How a section scrolls across the scroll direction of its layout.
///
/// Apple: `UICollectionLayoutSectionOrthogonalScrollingBehavior`.
public enum OrthogonalScrollingBehavior: String, Hashable, Sendable, CaseIterable {
  /// Does not scroll: the groups stack along the scroll direction.
  case none

  /// Comes to rest anywhere.
  case continuous

  /// Comes to rest at the leading edge of a group.
  case continuousGroupLeadingBoundary

  /// Comes to rest at multiples of the viewport's width.
  case paging

  /// Comes to rest at the leading edge of a group, one group per swipe.
  case groupPaging

  /// Comes to rest with a group in the middle, one group per swipe.
  case groupPagingCentered
}

/// How an orthogonal section slows down.
///
/// Apple: `UICollectionLayoutSectionOrthogonalScrollingProperties`.
public struct OrthogonalScrollingProperties: Hashable, Sendable {
  /// How fast a swipe slows down.
  public enum DecelerationRate: String, Hashable, Sendable {
    /// Like the enclosing scroll view.
    case automatic
    /// Like lists.
    case normal
    /// Like pages.
    case fast
  }

  /// How fast a swipe slows down.
  public var decelerationRate: DecelerationRate

  /// Creates properties.
  public init(decelerationRate: DecelerationRate = .automatic) {
    self.decelerationRate = decelerationRate
  }
}
