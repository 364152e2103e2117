/// How well a row matches a search, and what of its text does.
public struct SearchMatch: Hashable, Sendable {
  /// How well the row matches: rows with higher scores are first.
  ///
  /// A row whose score is not a number is left out. Infinite scores are the highest and the lowest.
  public var score: Double
  private var parts: Parts

  /// The parts of a text, or what they are found by.
  private enum Parts: Sendable {
    case known(TextRanges)
    case found(in: String, TextSearch)
  }

  /// Creates a match.
  ///
  /// - Parameters:
  ///   - score: How well the row matches.
  ///   - ranges: The parts of the text that match.
  public init(score: Double, ranges: TextRanges = TextRanges()) {
    (self.score, parts) = (score, .known(ranges))
  }

  /// Creates a match whose parts are found when they are read.
  init(score: Double, in text: String, _ search: TextSearch) {
    (self.score, parts) = (score, .found(in: text, search))
  }

  /// The parts of the text that match, to highlight them.
  ///
  /// A list of many rows shows few at a time. So the parts of a row that `searched(for:in:first:)` has found are
  /// looked for when they are read, each time.
  ///
  /// - Complexity: O(1), or for such a row that of ``SearchPattern/match(in:)``.
  public var ranges: TextRanges {
    get {
      switch parts {
      case .known(let ranges): ranges
      case .found(in: let text, let search): search.ranges(in: text)
      }
    }
    set { parts = .known(newValue) }
  }

  /// Whether two rows match as well, and by the same parts.
  public static func == (left: SearchMatch, right: SearchMatch) -> Bool {
    left.score == right.score && left.ranges == right.ranges
  }

  /// Hashes the score and the parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(score)
    hasher.combine(ranges)
  }
}
