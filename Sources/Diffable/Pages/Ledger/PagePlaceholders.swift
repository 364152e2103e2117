/// Which rows of the backend's list have placeholders, by their index in that list as far as it is
/// known.
///
/// The indices are names: a placeholder keeps its own as long as it is there.
struct PagePlaceholders: Hashable, Sendable {
  /// Those before the rows that are loaded; begins at 0.
  var start = 0..<0
  /// Those after the rows that are loaded.
  var end = 0..<0

  /// The number of rows that the backend may say, so that no sum overflows.
  private static let countLimit = Int.max / 4

  init() {}

  /// The placeholders beside rows, if the backend says how many there are.
  init(rowCount: Int, before: Int?, after: Int?) {
    let before = Self.count(before)
    start = 0..<before
    end = before + rowCount..<before + rowCount + Self.count(after)
  }

  /// The placeholders once a page has come beyond an end.
  ///
  /// - Parameters:
  ///   - count: The number of rows that it says are beyond it; `nil` if it does not say.
  ///   - hasMore: Whether there are any.
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

  /// The placeholders once rows have gone at an end.
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
  /// The placeholders once a page has come at an end and others have been dropped at the other.
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

  /// The placeholders once a refresh has come.
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
