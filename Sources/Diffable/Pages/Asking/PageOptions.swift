/// How a loader loads pages.
public struct PageOptions: Sendable {
  /// The number of rows that a page is asked to have; less than 1 means 1.
  public var pageSize: Int
  /// The number of rows between what a renderer shows and an end of what is loaded, down to which the
  /// page beyond that end is asked for.
  ///
  /// 0 means that the last row itself has to be shown; less means 0.
  public var prefetchDistance: Int
  /// The number of rows above which pages are dropped at the end that is further away from where a page
  /// has come; `nil` for no limit.
  ///
  /// Less than a page and twice the prefetch distance means as much as that. Rows that a renderer
  /// shows, and those within the prefetch distance of them, are never dropped.
  public var maximumCount: Int?
  /// How long to wait before a failed load is tried again by itself: an element for each attempt.
  public var retryDelays: [Duration]
  /// How pages and refreshes are to be shown.
  public var presentation: Presentation

  /// Creates options.
  ///
  /// - Parameters:
  ///   - pageSize: The number of rows that a page is asked to have.
  ///   - prefetchDistance: The number of rows between what is shown and an end, down to which a page
  ///     is asked for; the size of a page if you leave it out.
  ///   - maximumCount: The number of rows above which pages at the far end are dropped.
  ///   - retryDelays: How long to wait before each automatic attempt at a failed load.
  ///   - presentation: How pages and refreshes are to be shown.
  public init(
    pageSize: Int = 50, prefetchDistance: Int? = nil, maximumCount: Int? = nil,
    retryDelays: [Duration] = [], presentation: Presentation = .animated
  ) {
    self.pageSize = pageSize
    self.prefetchDistance = prefetchDistance ?? pageSize
    self.maximumCount = maximumCount
    self.retryDelays = retryDelays
    self.presentation = presentation
  }

  /// The page size that counts; sums of it do not overflow.
  var size: Int { min(max(1, pageSize), .max / 8) }
  /// The prefetch distance that counts; sums of it do not overflow.
  var distance: Int { min(max(0, prefetchDistance), .max / 8) }
  /// The maximum that counts.
  var limit: Int? { maximumCount.map { max($0, size + 2 * distance) } }
}
