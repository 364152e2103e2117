public import Diffable

/// How a loader loads pages.
public struct PageOptions: Sendable {
  /// The requested number of rows of a page; less than 1 means 1.
  public var pageSize: Int
  /// The number of rows before an end of the loaded rows at which the next page is requested.
  ///
  /// With 0, the page is requested when the last row itself is shown; less means 0.
  public var prefetchDistance: Int
  /// The number of rows above which pages are dropped; `nil` for no limit.
  ///
  /// They are dropped at the end that is further away from a new page. The minimum is the size of a
  /// page plus twice the prefetch distance. Rows that a renderer shows, and those within the
  /// prefetch distance of them, are never dropped.
  public var maximumCount: Int?
  /// The maximum number of placeholders at each end; by default a million.
  ///
  /// A backend decides how many rows it says there are, and this limits what that costs. If there are
  /// more, the rows nearest to the loaded ones have placeholders. Less than 0 means 0, and more than
  /// 10 million means 10 million.
  public var maximumPlaceholderCount: Int
  /// The delays before automatic retries of a failed load: one element for each attempt.
  ///
  /// They are measured by the clock of the source. Less than zero means zero, and more than a hundred years
  /// means a hundred.
  public var retryDelays: [Duration]
  /// How to show pages and refreshes.
  ///
  /// A page before the first row is shown `inPlace`, so that it does not push away what is on the
  /// screen.
  public var presentation: Presentation

  /// Creates options.
  ///
  /// - Parameters:
  ///   - pageSize: The requested number of rows of a page.
  ///   - prefetchDistance: The number of rows before an end at which the next page is requested; by
  ///     default the size of a page.
  ///   - maximumCount: The number of rows above which pages at the far end are dropped.
  ///   - maximumPlaceholderCount: The maximum number of placeholders at each end.
  ///   - retryDelays: The delay before each automatic retry of a failed load.
  ///   - presentation: How to show pages and refreshes.
  public init(
    pageSize: Int = 50, prefetchDistance: Int? = nil, maximumCount: Int? = nil,
    maximumPlaceholderCount: Int = 1_000_000, retryDelays: [Duration] = [],
    presentation: Presentation = .animated
  ) {
    self.pageSize = pageSize
    self.prefetchDistance = prefetchDistance ?? pageSize
    self.maximumCount = maximumCount
    self.maximumPlaceholderCount = maximumPlaceholderCount
    self.retryDelays = retryDelays
    self.presentation = presentation
  }

  /// The effective page size; sums of it do not overflow.
  var size: Int { min(max(1, pageSize), .max / 8) }
  /// The effective prefetch distance; sums of it do not overflow.
  var distance: Int { min(max(0, prefetchDistance), .max / 8) }
  /// The effective maximum number of placeholders at each end.
  var placeholderLimit: Int { min(max(0, maximumPlaceholderCount), 10_000_000) }
  /// The effective maximum.
  var limit: Int? { maximumCount.map { max($0, size + 2 * distance) } }
}
