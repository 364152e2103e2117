/// The indices, in the backend's list, of rows that have placeholders.
///
/// The backend's list is known only in part. The indices are names: a placeholder keeps its own.
struct PagePlaceholders: Hashable, Sendable {
  /// Those before the loaded rows; begins at 0.
  var start = 0..<0
  /// Those after the loaded rows.
  var end = 0..<0

  /// The maximum number of rows that is accepted from a backend, so that no sum overflows.
  private static let countLimit = Int.max / 4

  init() {}

  /// The placeholders around some rows, if the backend returns the numbers of rows.
  init(rowCount: Int, before: Int?, after: Int?) {
    let before = Self.count(before)
    start = 0..<before
    end = before + rowCount..<before + rowCount + Self.count(after)
  }

  /// Updates the placeholders after a page beyond an end has arrived.
  ///
  /// - Parameters:
  ///   - count: The number of further rows according to the page; `nil` if it has none.
  ///   - hasMore: Whether there are further rows.
  mutating func take(rowCount: Int, at end: PageEnd, count: Int?, hasMore: Bool) {
    switch end {
    case .start:
      let left = hasMore ? count.map(Self.count) ?? max(0, start.count - rowCount) : 0
      start = 0..<min(left, self.end.lowerBound)
    case .end:
      let first = self.end.lowerBound + rowCount
      let last = count.map { first + Self.count($0) } ?? max(first, self.end.upperBound)
      self.end = first..<(hasMore ? last : first)
    }
  }

  /// Updates the placeholders after rows have been dropped at an end.
  mutating func drop(_ rowCount: Int, at end: PageEnd) {
    switch end {
    case .start: start = 0..<min(start.count + rowCount, self.end.lowerBound)
    case .end:
      self.end = max(self.end.lowerBound - rowCount, start.upperBound)..<self.end.upperBound
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
      after: hasMore(beyond: .end, ofRefresh: answers) ? last.page.countAfter : 0)
  }
}
