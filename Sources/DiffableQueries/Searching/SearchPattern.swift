/// What a user types to find rows, and how well a text matches it.
///
/// ```swift
/// let pattern = SearchPattern("kind bl")
/// pattern.match(in: "Kind of Blue")  // "Kind" and "Bl" are highlighted
/// ```
///
/// The pattern is split at white space into words. A text matches if each word is found in it, in any order, also
/// inside of other words or across them. Each word counts, also if two are found at the same place. A word that the
/// pattern has twice counts once, and after 32 different words the others are ignored. A pattern without words matches
/// every text, with the score 0.
///
/// ## What is compared
///
/// The pattern and the text are compared in lower case (ß is ss, and both sigmas are one) and without diacritics:
/// é is e, й is и, ø is o, æ is ae, an alef with a hamza is an alef, also where marks are scalars of their own.
/// Punctuation beyond ASCII counts as white space, and the typographic apostrophe as the typewriter's. Characters
/// that are not shown, such as soft hyphens and emoji variation selectors, are left out. A syllable of Hangul is
/// compared by its letters.
///
/// ## The score
///
/// Each word gets points for its best place in the text. Let a letter be one of `a…z`, a digit, or anything beyond
/// ASCII that is not white space. A place is a word's start if the letter there, if it is one, follows none.
///
/// | a word of the pattern is | points |
/// | --- | --- |
/// | at the start of a word, and ends where a word does | 80 |
/// | at the start of a word | 60 |
/// | inside of a word | 40 |
/// | in pieces, in its order: 32 less 1 for each piece at the start of a word, and 3 for each other one | at least 1 |
///
/// At the very beginning of the text, the first two get 10 more. A word in pieces has between 2 and 32 bytes in UTF-8,
/// and is looked for in the first 4,096 bytes of a text; as many pieces cost as few points as possible.
///
/// The score of the text is the sum of these points, plus 1 / (l + 1) for a folded text of l bytes. So of two
/// texts with as many points, the shorter has the higher score.
///
/// The scorer is this package's own. Its parts are well known: the search of a word is that of Knuth, Morris and
/// Pratt, and pieces are found by dynamic programming, as fzf does.
public struct SearchPattern: Hashable, Sendable {
  /// What the user has typed.
  public let text: String
  /// The words, one after the other.
  private let bytes: [UInt8]
  /// For each byte, see ``SearchWord/borders``.
  private let borders: [Int]
  /// The end of each word.
  private let ends: [Int]
  /// The letters of all words, see ``SearchWord/letters(of:)``.
  private let letters: UInt64

  /// The number of words that count at most.
  static var wordLimit: Int { 32 }

  /// Creates a pattern.
  ///
  /// - Parameter text: What the user has typed.
  /// - Complexity: O(l) for a text of l bytes.
  public init(_ text: String) {
    self.text = text
    var (bytes, borders, ends): ([UInt8], [Int], [Int]) = ([], [], [])
    var known: Set<ArraySlice<UInt8>> = []
    for word in FoldedText(text).bytes.split(whereSeparator: \.isWhitespace) {
      guard ends.count < Self.wordLimit else { break }
      guard known.insert(word).inserted else { continue }
      bytes += word
      borders += SearchWord.borders(of: word)
      ends.append(bytes.count)
    }
    (self.bytes, self.borders, self.ends) = (bytes, borders, ends)
    letters = bytes.withUnsafeBufferPointer { SearchWord.letters(of: $0) }
  }

  /// Patterns are equal if they match the same texts with the same scores for the same reasons.
  public static func == (left: SearchPattern, right: SearchPattern) -> Bool {
    left.bytes == right.bytes && left.ends == right.ends
  }

  /// Hashes the words.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// Whether the pattern has no words, so that it matches every text.
  public var isEmpty: Bool { ends.isEmpty }

  /// The number of words that count.
  var wordCount: Int { ends.count }

  /// Calls a function with the words, which are valid until it returns: so rows are scored without any
  /// reference counts.
  func withWords<Result>(_ body: (SearchWords) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      borders.withUnsafeBufferPointer { borders in
        withUnsafeTemporaryAllocation(of: SearchWord.self, capacity: ends.count) { words in
          for (number, end) in ends.enumerated() {
            let range = (number == 0 ? 0 : ends[number - 1])..<end
            words.initializeElement(
              at: number,
              to: SearchWord(
                bytes: UnsafeBufferPointer(rebasing: bytes[range]),
                borders: UnsafeBufferPointer(rebasing: borders[range])))
          }
          return body(SearchWords(words: UnsafeBufferPointer(words)))
        }
      }
    }
  }

  /// How well a text matches; `nil` if it does not.
  ///
  /// - Returns: The score, and the ranges that are to be highlighted: whole characters, the best place of each
  ///   word. If several places have as many points, the first counts.
  /// - Complexity: O(w · l) for w words and a text of l bytes; for a word of b bytes that is not found in one piece,
  ///   O(b · l), for at most 32 and 4,096 bytes.
  public func match(in text: String) -> SearchMatch? {
    let folded = FoldedText(text)
    return folded.bytes.withUnsafeBufferPointer { text in
      withWords { $0.match(in: text, folded.origins) }
    }
  }

  /// Whether every text that matches this pattern matches another one.
  ///
  /// It does if each word of the other one is part of a word of this one.
  ///
  /// - Complexity: O(w · l) for w words of the other one and a text of l bytes.
  func narrows(_ other: SearchPattern) -> Bool {
    withWords { words in
      other.withWords { parts in
        parts.words.allSatisfy { part in
          words.words.contains { part.best(in: $0.bytes, upTo: 0) != nil }
        }
      }
    }
  }
}

extension SearchPattern {
  /// Whether a text may match, by its letters.
  func mayMatch(_ letters: UInt64) -> Bool { self.letters & ~letters == 0 }
}

/// The words of a pattern, while they are looked for.
struct SearchWords {
  let words: UnsafeBufferPointer<SearchWord>

  /// The score of a folded text; not a number if it does not match.
  func score(of text: UnsafeBufferPointer<UInt8>) -> Double {
    guard !words.isEmpty else { return 0 }
    var points = 0
    for word in words {
      if let found = word.best(in: text) {
        points += found.points
      } else if let pieces = word.pointsOfPieces(in: text) {
        points += pieces
      } else {
        return .nan
      }
    }
    return Double(points) + 1 / Double(text.count + 1)
  }

  /// The match of a folded text, whose characters are at some places of the original one.
  func match(in folded: UnsafeBufferPointer<UInt8>, _ origins: [Int]?) -> SearchMatch? {
    let score = score(of: folded)
    return score.isNaN ? nil : SearchMatch(score: score, ranges: ranges(in: folded, origins))
  }

  /// The parts of a folded text, which matches, that the words are.
  func ranges(in folded: UnsafeBufferPointer<UInt8>, _ origins: [Int]?) -> TextRanges {
    var ranges: [Range<Int>] = []
    forEachRange(in: folded) { ranges.append($0) }
    if let origins {
      ranges = ranges.map { range in
        let end = origins[range.upperBound - 1]
        // The next character begins where the start is another one.
        let next = origins[range.upperBound...].first { $0 != end } ?? end
        return origins[range.lowerBound]..<next
      }
    }
    return TextRanges(utf8: ranges)
  }

  /// Calls a function with the places of each word in a folded text that matches, in any order.
  @inline(__always) private func forEachRange(
    in folded: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
  ) {
    for word in words {
      if let found = word.best(in: folded) {
        body(found.place)
      } else {
        word.forEachPiece(in: folded, body)
      }
    }
  }

  /// A digest of the parts of a folded text that the words match: not 0, and, but for rare coincidences, different
  /// for different parts.
  func digest(of folded: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard folded.count > UInt64.bitWidth else {
      // The matched bytes, as bits.
      var bits: UInt64 = 0
      forEachRange(in: folded) { range in
        bits |= (UInt64.max &>> UInt64(64 - range.count)) &<< UInt64(range.lowerBound)
      }
      return bits
    }
    var digest: UInt64 = 1
    for range in ranges(in: folded, nil).utf8 {
      for end in [range.lowerBound, range.upperBound] {
        digest = (digest ^ UInt64(end)) &* 0x9E37_79B9_7F4A_7C15
        digest ^= digest &>> 32
      }
    }
    return Swift.max(1, digest)
  }
}

extension UInt8 {
  /// Whether a byte of a folded text separates words of a pattern.
  var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// Whether a byte of a folded text is part of a letter.
  var isLetter: Bool {
    (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) || self >= 0x80
  }

  /// Whether a byte continues a scalar.
  var continuesScalar: Bool { self & 0xC0 == 0x80 }
}
