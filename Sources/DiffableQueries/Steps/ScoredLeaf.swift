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
  /// The letters of each text, and whether a character of it has become several scalars.
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
  private static let isSplit: UInt64 = 1 << 63

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
    let last = scores.count - 1
    if let scorer, !narrows || !scores[last].isNaN { score(last..<last + 1, scorer) }
    take(scores[last])
  }

  /// Adds the next row, about which nothing is known.
  func append(_ row: RowPlace, _ scorer: ScoreRule.Scorer) {
    switch scorer {
    case .text(let pattern, let text):
      let isAligned = FoldedText.append(text.read(row.element), to: &bytes)
      ends.append(bytes.count)
      let range = range(of: ends.count - 1)
      letters.append(
        bytes.withUnsafeBufferPointer {
          SearchWord.letters(of: UnsafeBufferPointer(rebasing: $0[range]))
            | (isAligned ? 0 : Self.isSplit)
        })
      scores.append(.nan)
      if pattern.mayMatch(letters[ends.count - 1]) {
        scores[ends.count - 1] = bytes.withUnsafeBufferPointer { bytes in
          pattern.withWords { $0.score(of: UnsafeBufferPointer(rebasing: bytes[range])) }
        }
      }
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
    score(scores.indices, scorer, narrowing: narrows)
    best = -.infinity
    for score in scores { take(score) }
  }

  private func score(
    _ rows: Range<Int>, _ scorer: ScoreRule.Scorer, narrowing narrows: Bool = false
  ) {
    switch scorer {
    case .text(let pattern, _):
      // The arrays are not looked up again for each row: this is where a search takes its time.
      let (bytes, ends, letters) = (bytes, ends, letters)
      pattern.withWords { words in
        bytes.withUnsafeBufferPointer { bytes in
          scores.withUnsafeMutableBufferPointer { scores in
            var start = rows.lowerBound == 0 ? 0 : ends[rows.lowerBound - 1]
            for row in rows {
              let text = start..<ends[row]
              start = text.upperBound
              if narrows, scores[row].isNaN { continue }
              scores[row] =
                pattern.mayMatch(letters[row])
                ? words.score(of: UnsafeBufferPointer(rebasing: bytes[text])) : .nan
            }
          }
        }
      }
    case .rows(let score):
      for row in rows {
        matches[row] = score(self.row(at: row).element)
        scores[row] = matches[row]?.score ?? .nan
      }
    }
  }

  /// A comparison with what is not a number is false.
  private func take(_ score: Double) { if score > best { best = score } }

  private func range(of offset: Int) -> Range<Int> {
    (offset == 0 ? 0 : ends[offset - 1])..<ends[offset]
  }

  /// A row that matches.
  func found(at offset: Int) -> ScoredSection.Found {
    .init(
      row: row(at: offset), score: scores[offset],
      isAligned: offset < letters.count && letters[offset] & Self.isSplit == 0, leaf: self,
      offset: offset)
  }

  /// Calls a function with each row that matches.
  @inline(__always) func forEachFound(_ body: (ScoredSection.Found) -> Void) {
    guard let leaf else {
      for offset in scores.indices where !scores[offset].isNaN { body(found(at: offset)) }
      return
    }
    let (items, shown, scores, letters) = (leaf.span, leaf.shown, scores, letters)
    for offset in scores.indices where !scores[offset].isNaN {
      let row = RowPlace(
        item: items.address(offset), element: shown.first + offset &* shown.stride)
      body(
        .init(
          row: row, score: scores[offset],
          isAligned: offset < letters.count && letters[offset] & Self.isSplit == 0, leaf: self,
          offset: offset))
    }
  }

  /// A digest of what some words match in a row's text.
  func digest(at offset: Int, _ words: SearchWords) -> UInt64 {
    bytes.withUnsafeBufferPointer {
      words.digest(of: UnsafeBufferPointer(rebasing: $0[range(of: offset)]))
    }
  }

  /// What a scorer of the user has said about a row that matches.
  func match(at offset: Int) -> SearchMatch {
    matches[offset] ?? SearchMatch(score: scores[offset])
  }
}
