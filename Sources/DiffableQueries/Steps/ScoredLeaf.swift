import Diffable

/// What is known about the rows of a leaf of the input: their folded texts, and their scores.
///
/// A leaf that is held never changes. So what is known about it stays true as long as the input has the
/// leaf, however the input came about. It costs 24 bytes for each row, and its folded text.
///
/// Only the step that made it uses it, and after that the step that takes its place.
final class ScoredLeaf {
  /// `nil` for rows of an outline, which have no leaf of their own.
  let leaf: Leaf?
  /// The rows, if there is no leaf.
  private let places: [RowPlace]
  /// The texts, one after the other.
  private var bytes: [UInt8] = []
  /// The end of each text.
  private var ends: [Int] = []
  /// The letters of each text, and whether it is not plain ASCII.
  private var letters: [UInt64] = []
  /// Not a number for a row that does not match.
  private(set) var scores: [Double] = []
  /// With a scorer of the user: what it has said.
  private var matches: [SearchMatch?] = []
  /// The highest score.
  private(set) var best = -Double.infinity

  init(_ leaf: Leaf) { (self.leaf, places) = (leaf, []) }

  init(_ places: [RowPlace]) { (leaf, self.places) = (nil, places) }

  var count: Int { leaf?.count ?? places.count }

  func row(at offset: Int) -> RowPlace { leaf?.row(at: offset) ?? places[offset] }

  /// A bit that the letters of texts leave free.
  private static let isFolded: UInt64 = 1 << 63

  /// Adds the next row, which was in another leaf before.
  ///
  /// - Parameters:
  ///   - scorer: How to score it; `nil` to keep its score.
  ///   - narrows: Whether a row that did not match before does not match now.
  func append(
    _ other: ScoredLeaf, _ offset: Int, _ scorer: ScoreRule.Scorer?, narrowing narrows: Bool
  ) {
    if offset < other.ends.count {
      bytes += other.bytes[other.range(of: offset)]
      ends.append(bytes.count)
      letters.append(other.letters[offset])
    }
    if offset < other.matches.count { matches.append(other.matches[offset]) }
    scores.append(other.scores[offset])
    if let scorer, !narrows || !scores[scores.count - 1].isNaN {
      score(scores.count - 1, scorer)
    }
    take(scores[scores.count - 1])
  }

  /// Adds the next row, about which nothing is known.
  func append(_ row: RowPlace, _ scorer: ScoreRule.Scorer) {
    switch scorer {
    case .text(let pattern, let read):
      let isPlain = FoldedText.append(read(row.element), to: &bytes)
      ends.append(bytes.count)
      let text = range(of: ends.count - 1)
      letters.append(
        bytes.withUnsafeBufferPointer {
          SearchWord.letters(of: UnsafeBufferPointer(rebasing: $0[text]))
            | (isPlain ? 0 : Self.isFolded)
        })
      scores.append(score(ends.count - 1, pattern))
    case .rows(let score):
      let match = score(row.element)
      matches.append(match)
      scores.append(match?.score ?? .nan)
    }
    take(scores[scores.count - 1])
  }

  /// Scores all rows.
  ///
  /// - Parameter narrows: Whether a row that did not match before does not match now.
  func score(_ scorer: ScoreRule.Scorer, narrowing narrows: Bool) {
    best = -.infinity
    for offset in scores.indices where !narrows || !scores[offset].isNaN {
      score(offset, scorer)
      take(scores[offset])
    }
  }

  /// A comparison with what is not a number is false.
  private func take(_ score: Double) { if score > best { best = score } }

  private func score(_ offset: Int, _ scorer: ScoreRule.Scorer) {
    switch scorer {
    case .text(let pattern, _): scores[offset] = score(offset, pattern)
    case .rows(let score):
      matches[offset] = score(row(at: offset).element)
      scores[offset] = matches[offset]?.score ?? .nan
    }
  }

  private func score(_ offset: Int, _ pattern: SearchPattern) -> Double {
    guard pattern.mayMatch(letters[offset]) else { return .nan }
    let text = range(of: offset)
    return bytes.withUnsafeBufferPointer {
      pattern.score(of: UnsafeBufferPointer(rebasing: $0[text]))
    }
  }

  private func range(of offset: Int) -> Range<Int> {
    (offset == 0 ? 0 : ends[offset - 1])..<ends[offset]
  }

  /// The match of a row that matches.
  func match(at offset: Int, _ scorer: ScoreRule.Scorer) -> SearchMatch {
    let match: SearchMatch?
    switch scorer {
    case .rows: match = matches[offset]
    case .text(let pattern, let read):
      let text = range(of: offset)
      let isFolded = letters[offset] & Self.isFolded != 0
      let origins = isFolded ? FoldedText(read(row(at: offset).element)).origins : nil
      match = bytes.withUnsafeBufferPointer {
        pattern.match(in: UnsafeBufferPointer(rebasing: $0[text]), origins)
      }
    }
    return match ?? SearchMatch(score: scores[offset])
  }
}
