/// How a section scrolls across the scroll direction of its layout (Apple:
/// `UICollectionLayoutSectionOrthogonalScrollingBehavior`).
public enum OrthogonalScrollingBehavior: String, Hashable, Sendable, CaseIterable {
  /// The section does not scroll by itself: its groups stack along the scroll direction.
  case none

  /// Comes to rest anywhere.
  case continuous

  /// Comes to rest at the leading edge of a group.
  case continuousGroupLeadingBoundary

  /// Comes to rest at multiples of the viewport's width.
  case paging

  /// Comes to rest at the leading edge of a group, one group a swipe.
  case groupPaging

  /// Comes to rest with a group in the middle, one group a swipe.
  case groupPagingCentered
}

/// How an orthogonal section bounces and slows down (Apple:
/// `UICollectionLayoutSectionOrthogonalScrollingProperties`).
public struct OrthogonalScrollingProperties: Hashable, Sendable {
  /// Whether scrolling past an end bounces.
  public enum Bounce: String, Hashable, Sendable {
    /// As the host sees fit.
    case automatic
    /// Also when everything is in sight.
    case always
    /// Not at all.
    case never
  }

  /// How fast a swipe slows down.
  public enum DecelerationRate: String, Hashable, Sendable {
    /// As the scroll view around it.
    case automatic
    /// As lists do.
    case normal
    /// As pages do.
    case fast
  }

  /// Whether scrolling past an end bounces.
  ///
  /// No geometry depends on it.
  public var bounce: Bounce

  /// How fast a swipe slows down.
  public var decelerationRate: DecelerationRate

  /// Creates properties.
  public init(bounce: Bounce = .automatic, decelerationRate: DecelerationRate = .automatic) {
    self.bounce = bounce
    self.decelerationRate = decelerationRate
  }
}
