import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A found row says what has matched, and finds the parts when they are read", .deadline)
struct FoundRowTests {
  typealias Row = FoundRow<Int, String>

  /// All texts of an alphabet, up to a length.
  private static func texts(_ alphabet: [String], upTo length: Int) -> [String] {
    everySequence(of: alphabet, upTo: length).map { $0.joined() }
  }

  private static let alphabets = [
    ["a", "b", " "], ["a", "é", "e"], ["s", "ß", "e\u{301}"], ["æ", "a", "\u{AD}"],
    ["가", "각", "ㄱ"], ["か", "が", "か\u{3099}"], ["\r\n", "n", "и"], ["ﬁ", "f", "i"],
  ]

  /// The row that a step makes of an element with a text; `nil` if it does not match.
  private func make(_ element: String, _ pattern: SearchPattern, in text: ElementText) -> Row? {
    let read = withUnsafePointer(to: element) { text.read($0) }
    guard let score = pattern.match(in: read)?.score else { return nil }
    if pattern.isEmpty { return Row(id: 0, element, score: score, .none) }
    var folded: [UInt8] = []
    let isAligned = FoldedText.append(read, to: &folded)
    let search = TextSearch(pattern, in: text, isAligned: isAligned)
    var digest: UInt64 = 0
    if isAligned, pattern.wordCount > 1 {
      digest = pattern.withWords { words in
        folded.withUnsafeBufferPointer { words.digest(of: $0) }
      }
    }
    return Row(id: 0, element, score: score, .found(search), digest: digest)
  }

  @Test(
    "Two rows are equal if their scores and their parts are, whatever they were found by",
    arguments: alphabets)
  func equality(alphabet: [String]) {
    let read: @Sendable (UnsafeRawPointer) -> String = {
      $0.assumingMemoryBound(to: String.self).pointee
    }
    let (text, other) = (ElementText(read), ElementText(read))
    let patterns = Self.texts(alphabet + (alphabet.contains(" ") ? [] : [" "]), upTo: 3)
      .map { SearchPattern($0) }
    var (equal, unequal) = (0, 0)
    for element in Self.texts(alphabet, upTo: scoped(usual: 3, wide: 4, long: 5)) {
      let known = patterns.map { pattern in
        pattern.match(in: element).map { Row(id: 0, element, $0) }
      }
      let found = patterns.map { make(element, $0, in: text) }
      let others = patterns.map { make(element, $0, in: other) }
      for left in patterns.indices {
        guard let expected = known[left], let row = found[left] else { continue }
        #expect(row.match == expected.match && row.match.hashValue == expected.match.hashValue)
        for right in patterns.indices where isInScope(left + right, usual: 5) {
          guard let theirs = known[right] else { continue }
          let isEqual = expected.match == theirs.match
          for other in [found[right], others[right], theirs].compactMap({ $0 }) {
            guard (row == other) != isEqual || Self.areEqual(row, other) != isEqual else {
              if isEqual { equal += 1 } else { unequal += 1 }
              continue
            }
            Issue.record(
              "‘\(element)’, found by ‘\(patterns[left].text)’ and ‘\(patterns[right].text)’")
            return
          }
        }
      }
    }
    #expect(equal > 100 && unequal > 100)
  }

  /// Whether the kernel of the lists of found rows says that two rows are equal.
  private static func areEqual(_ left: Row, _ right: Row) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { Row.kernel.areEqual(left, $0) }
    }
  }

  @Test("Digests of short and of long texts tell parts apart, and are equal for equal parts")
  func digests() {
    let patterns = Self.texts(["a", "b", "é", " "], upTo: 3).map { SearchPattern($0) }
    for text in ["abé ba", "é" + String(repeating: "ab-", count: 20), "abéa"] {
      for long in [text, text + String(repeating: "-", count: 70)] {
        var known: [TextRanges: UInt64] = [:]
        var digests: Set<UInt64> = []
        for pattern in patterns where !pattern.isEmpty {
          var folded: [UInt8] = []
          FoldedText.append(long, to: &folded)
          folded.withUnsafeBufferPointer { folded in
            pattern.withWords { words in
              guard let match = words.match(in: folded, nil) else { return }
              let digest = words.digest(of: folded)
              #expect(digest != 0 && known[match.ranges] ?? digest == digest)
              known[match.ranges] = digest
              digests.insert(digest)
            }
          }
        }
        #expect(known.count > 10 && digests.count == known.count)
      }
    }
  }

  @Test("Rows of other elements, with other identifiers or scores differ")
  func differences() throws {
    let text = ElementText { $0.assumingMemoryBound(to: String.self).pointee }
    let row = try #require(make("ab", SearchPattern("a"), in: text))
    let others = [
      Row(id: 1, "ab", score: row.matchScore, row.parts),
      Row(id: 0, "ac", score: row.matchScore, row.parts),
      Row(id: 0, "ab", score: row.matchScore + 1, row.parts),
    ]
    for other in others { #expect(row != other && !Self.areEqual(row, other)) }
    #expect(row == row && Self.areEqual(row, row))
  }

  @Test("The same parts of two texts of an element are equal")
  func otherTexts() throws {
    let row = try #require(make("", SearchPattern("e b"), in: ElementText { _ in "é b " }))
    let other = try #require(make("", SearchPattern("ee b"), in: ElementText { _ in "ee b" }))
    #expect(row.match.ranges.utf8 == [0..<2, 3..<4] && row.matchScore == other.matchScore)
    #expect(row == other && Self.areEqual(row, other))
  }

  @Test("Parts that are set count, and a copy keeps those that are found")
  func settingRanges() throws {
    let text = ElementText { $0.assumingMemoryBound(to: String.self).pointee }
    let row = try #require(make("so what", SearchPattern("wh"), in: text))
    var match = row.match
    match.score = 1
    #expect(match.ranges.utf8 == [3..<5] && match != row.match)
    match.ranges = TextRanges(utf8: [0..<2])
    #expect(match.ranges.utf8 == [0..<2] && row.match.ranges.utf8 == [3..<5])
  }

  @Test("A key press reads no text again, and finds no parts of rows that nobody looks at")
  func reading() async throws {
    let base = ModelSource<Folder, Song>()
    try await base.apply(
      (0..<200).map { Song(id: $0, title: $0 % 2 == 0 ? "Só What" : "so what") },
      section: { _ in 0 })
    let reads = Lock(0)
    let found = base.derived { query in query.searched(id: "title", for: "s", in: { _ in "" }) }
    func type(_ text: String) async throws {
      try await found.setQuery { query in
        query.searched(id: "read title", for: text) { song in
          reads.withLock { $0 += 1 }
          return song.title
        }
      }
    }
    try await type("s")
    #expect(await found.snapshot.numberOfItems == 200)
    #expect(reads.withLock { $0 } == 200)
    for text in ["so", "so w", "so wh", "h", ""] {
      try await type(text)
      #expect(await found.snapshot.numberOfItems == 200)
    }
    #expect(reads.withLock { $0 } == 200)
    try await type("wh")
    let row = try #require(await found.element(for: 0))
    #expect(reads.withLock { $0 } == 200)
    #expect(row.match.ranges.pieces(of: row.title).map(\.text) == ["Só ", "Wh", "at"])
    #expect(reads.withLock { $0 } == 201)
  }
}
