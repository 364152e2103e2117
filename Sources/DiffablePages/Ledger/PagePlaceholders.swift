/// The indices, in the backend's list, of rows that have placeholders.
///
/// The backend's list is known only in part. The indices are names: a placeholder keeps its own.
/// If the backend has more rows at an end than there may be placeholders, the nearest ones have
/// placeholders.
struct PagePlaceholders: Hashable, Sendable {
  /// The number of rows before the loaded rows, according to the backend.
  private var countBefore = 0
  /// The indices of the rows after the loaded rows, according to the backend.
  private var after = 0..<0
  /// The maximum number of placeholders at each end.
  private let limit: Int

  /// The maximum number of rows that is accepted from a backend, so that no sum overflows.
  private static let countLimit = Int.max / 4

  /// No placeholders.
  static let none = PagePlaceholders(limit: 0)

  init(limit: Int) { self.limit = limit }

  /// The placeholders around some rows, if the backend returns the numbers of rows.
  init(rowCount: Int, before: Int?, after: Int?, limit: Int) {
    self.limit = limit
    countBefore = Self.count(before)
    let first = countBefore + rowCount
    self.after = first..<first + Self.count(after)
  }

  /// Those before the loaded rows.
  var start: Range<Int> { max(0, countBefore - limit)..<countBefore }
  /// Those after the loaded rows.
  var end: Range<Int> { after.lowerBound..<after.lowerBound + min(after.count, limit) }

  /// Updates the placeholders after a page beyond an end has arrived.
  ///
  /// - Parameters:
  ///   - count: The number of further rows according to the page; `nil` if it has none.
  ///   - hasMore: Whether there are further rows.
  mutating func take(rowCount: Int, at end: PageEnd, count: Int?, hasMore: Bool) {
    switch end {
    case .start:
      let left = hasMore ? count.map(Self.count) ?? max(0, countBefore - rowCount) : 0
      countBefore = min(left, after.lowerBound)
    case .end:
      let first = after.lowerBound + rowCount
      let last = count.map { first + Self.count($0) } ?? max(first, after.upperBound)
      after = first..<(hasMore ? last : first)
    }
  }

  /// Updates the placeholders after rows have been dropped at an end.
  mutating func drop(_ rowCount: Int, at end: PageEnd) {
    switch end {
    case .start: countBefore = min(countBefore + rowCount, after.lowerBound)
    case .end: after = max(after.lowerBound - rowCount, countBefore)..<after.upperBound
    }
  }

  private static func count(_ count: Int?) -> Int { min(max(0, count ?? 0), countLimit) }
}

extension PageLedger {
  /// The placeholders after a page has arrived at an end and others were dropped at the other end.
  func placeholders(
    after answer: Answer, at end: PageEnd, dropping droppedCount: Int
  ) -> PagePlaceholders {
    guard hasPlaceholders else { return placeholders }
    var placeholders = placeholders
    placeholders.take(
      rowCount: answer.rowCount, at: end,
      count: end == .start ? answer.page.countBefore : answer.page.countAfter,
      hasMore: hasMore(beyond: answer, at: end))
    let dropped =
      end == .end ? numbers.prefix(droppedCount) : numbers.suffix(droppedCount)
    let rowCount = dropped.reduce(0) { $0 + (pages[$1]?.rowCount ?? 0) }
    if rowCount > 0 { placeholders.drop(rowCount, at: end.far) }
    return placeholders
  }

  /// The placeholders after a refresh.
  func placeholders(afterRefresh answers: [Answer]) -> PagePlaceholders {
    guard hasPlaceholders, let first = answers.first, let last = answers.last else {
      return placeholders
    }
    return PagePlaceholders(
      rowCount: answers.reduce(0) { $0 + $1.rowCount },
      before: hasMore(beyond: .start, ofRefresh: answers) ? first.page.countBefore : 0,
      after: hasMore(beyond: .end, ofRefresh: answers) ? last.page.countAfter : 0,
      limit: placeholderLimit)
  }
}
