import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import DiffableQueries

@Suite("A pattern matches and scores texts as it is defined") struct SearchPatternTests {
  /// All texts of an alphabet, up to a length.
  private static func texts(_ alphabet: [Character], upTo length: Int) -> [String] {
    everySequence(of: alphabet, upTo: length).map { String($0) }
  }

  private func expectPlainScores(of patterns: [String], in texts: [String]) {
    for pattern in patterns {
      let search = SearchPattern(pattern)
      for text in texts {
        let match = search.match(in: text)
        guard match?.score == PlainSearch.score(of: text, for: pattern) else {
          Issue.record("‘\(pattern)’ in ‘\(text)’ is \(match?.score ?? -1)")
          return
        }
      }
    }
  }

  @Test("Every small pattern in every small text") func everyPair() {
    expectPlainScores(
      of: Self.texts(["a", "b", " "], upTo: 4),
      in: Self.texts(["a", "b", " ", "-"], upTo: scoped(usual: 4, wide: 4, long: 5)))
  }

  @Test("Words with what is no letter, which overlap themselves") func overlapping() {
    expectPlainScores(
      of: Self.texts(["a", "-"], upTo: 3), in: Self.texts(["a", "b", "-"], upTo: 6))
  }

  @Test("Random words in long texts", arguments: 0..<rounds(30 as UInt64))
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let text = String(
        (0..<random.number(below: 24)).map { _ in random.element(of: Array("abc  -")) ?? "a" })
      let pattern = String(
        (0..<random.number(below: 9)).map { _ in random.element(of: Array("abc ")) ?? "a" })
      let match = SearchPattern(pattern).match(in: text)
      #expect(
        match?.score == PlainSearch.score(of: text, for: pattern),
        "seed \(seed): ‘\(pattern)’ in ‘\(text)’")
    }
  }

  @Test("Of the pieces with the least cost, those that end first are highlighted") func pieces() {
    let words = Self.texts(["a", "b"], upTo: 5).filter { $0.count > 1 }
    let texts = Self.texts(["a", "b", " "], upTo: scoped(usual: 7, wide: 7, long: 8))
    var several = 0
    for word in words {
      let search = SearchPattern(word)
      for text in texts where !text.contains(word) {
        let pieces = PlainSearch.pieces(of: Array(word.utf8), in: Array(text.utf8))
        let found = search.match(in: text)?.ranges
        guard found == pieces.map({ TextRanges(utf8: $0) }) else {
          Issue.record("‘\(word)’ in ‘\(text)’ is \(found?.utf8 ?? [])")
          return
        }
        several += pieces == nil ? 0 : 1
      }
    }
    #expect(several > 10_000)
  }

  @Test("Of each word the first of its best places is highlighted, as whole characters")
  func places() {
    let folds: [Character: String] = ["a": "a", "é": "e", "ß": "ss", " ": " "]
    let texts = Self.texts(["a", "é", "ß", " "], upTo: 4)
    var number = 0
    for pattern in Self.texts(["a", "e", "s", " "], upTo: scoped(usual: 3, wide: 4)) {
      let search = SearchPattern(pattern)
      let words = Set(pattern.utf8.split(separator: 0x20).map { Array($0) })
      for text in texts {
        number += 1
        guard isInScope(number, usual: 7), let match = search.match(in: text) else { continue }
        // Of each byte of the folded text: the character that it comes from.
        var (folded, origins): ([UInt8], [Range<Int>]) = ([], [])
        var end = 0
        for letter in text {
          let origin = end..<end + letter.utf8.count
          end = origin.upperBound
          for byte in (folds[letter] ?? "").utf8 {
            folded.append(byte)
            origins.append(origin)
          }
        }
        let found = words.flatMap { PlainSearch.highlights(of: $0, in: folded) }
        let expected = RangeSet(found.flatMap { origins[$0] })
        // What a text is tried by before it is searched.
        let letters = folded.withUnsafeBufferPointer { SearchWord.letters(of: $0) }
        guard match.ranges.utf8 == Array(expected.ranges), search.mayMatch(letters) else {
          Issue.record("‘\(pattern)’ in ‘\(text)’ is \(match.ranges.utf8)")
          return
        }
      }
    }
  }

  @Test("A narrower pattern matches no other texts") func narrowing() {
    let texts = Self.texts(["a", "b", " "], upTo: 5)
    let patterns = Self.texts(["a", "b", " "], upTo: 3)
    var narrower = 0
    for left in patterns.map(SearchPattern.init) {
      for right in patterns.map(SearchPattern.init) where left.narrows(right) {
        narrower += 1
        #expect(!texts.contains { left.match(in: $0) != nil && right.match(in: $0) == nil })
      }
    }
    #expect(narrower > 200)
    #expect(SearchPattern("abc").narrows(SearchPattern("ab")))
    #expect(SearchPattern("ab c").narrows(SearchPattern("ab")))
    #expect(!SearchPattern("ab").narrows(SearchPattern("abc")))
  }

  /// The pieces of a text, the matched ones in brackets.
  private func shown(_ text: String, _ pattern: String) -> String? {
    SearchPattern(pattern).match(in: text).map { match in
      match.ranges.pieces(of: text).map { $0.isMatched ? "[\($0.text)]" : "\($0.text)" }.joined()
    }
  }

  @Test(
    "Case, diacritics and other spellings do not matter, and whole characters are highlighted",
    arguments: [
      ("Kind of Blue", "KIND bl", "[Kind] of [Bl]ue"),
      ("Kind of Blue", "kob", "[K]ind [o]f [B]lue"), ("пик", "пк", "[п]и[к]"),
      ("Café", "cafe", "[Café]"), ("Cafe\u{301}s", "café", "[Cafe\u{301}]s"),
      ("Straße", "strasse", "[Straße]"), ("Straße", "STRAS", "[Straß]e"),
      ("İstanbul", "istan", "[İstan]bul"), ("ISTANBUL", "ıstan", "[ISTAN]BUL"),
      ("ΟΔΟΣ", "οδος", "[ΟΔΟΣ]"), ("Ængstrøm", "aengstro", "[Ængstrø]m"),
      ("Чайковский", "чаик", "[Чайк]овский"), ("Чаи\u{306}ка", "чай", "[Чаи\u{306}]ка"),
      ("한국", "하", "[한]국"), ("\u{1112}\u{1161}\u{11AB}국", "한국", "[\u{1112}\u{1161}\u{11AB}국]"),
      ("か\u{3099}く", "がく", "[か\u{3099}く]"), ("👩‍👩‍👧 family", "👩‍👩‍👧", "[👩‍👩‍👧] family"),
      ("I ❤️ jazz", "❤", "I [❤️] jazz"), ("Don’t", "don't", "[Don’t]"),
      ("Blue—Train", "train", "Blue—[Train]"), ("\u{AD}a\u{AD}b", "ab", "\u{AD}[a\u{AD}b]"),
      ("C++ and D", "c++", "[C++] and D"), ("a\r\nb", "b a", "[a]\r\n[b]"),
    ])
  func folding(text: String, pattern: String, result: String) {
    let shown = shown(text, pattern).map { Array($0.utf8) }
    #expect(shown == Array(result.utf8), "\(self.shown(text, pattern) ?? "nothing")")
  }

  @Test("A letter is found only as a whole") func scalars() {
    // Their bytes in UTF-8 are D0 B0, D1 8C and D0 B4: the last is not in the first two.
    #expect(SearchPattern("дд").match(in: "аьа") == nil)
    #expect(SearchPattern("ад").match(in: "аьд") != nil)
    // D0 B0, D0 B1, CE B1 and CE B2: the bytes of each of two are in two others.
    let letters: [Character] = ["а", "б", "α", "β"]
    for text in Self.texts(letters, upTo: 4) {
      for word in Self.texts(letters, upTo: 2) {
        var rest = Substring(text)
        let isThere = word.allSatisfy { letter in
          guard let place = rest.firstIndex(of: letter) else { return false }
          rest = rest[place...].dropFirst()
          return true
        }
        #expect((SearchPattern(word).match(in: text) != nil) == isThere, "‘\(word)’ in ‘\(text)’")
      }
    }
  }

  @Test("A letter of any script is folded as its parts are") func parts() {
    let ideographs: [ClosedRange<UInt32>] = [0xF900...0xFAFF, 0x2F800...0x2FA1F]
    var found = 0
    for value in 0x80...0x2FFFF as ClosedRange<UInt32> {
      guard !ideographs.contains(where: { $0.contains(value) }),
        let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic
      else { continue }
      let parts = String(scalar).decomposedStringWithCanonicalMapping
      guard !parts.unicodeScalars.elementsEqual([scalar]) else { continue }
      found += 1
      #expect(FoldedText(String(scalar)).bytes == FoldedText(parts).bytes, "U+\(value)")
    }
    #expect(found > 12_000)
    #expect(
      shown("\u{623}\u{62D}\u{645}\u{62F}", "\u{627}\u{62D}") == "[\u{623}\u{62D}]\u{645}\u{62F}")
    #expect(shown("\u{5E9}\u{5C1}\u{5DC}", "\u{FB2A}") == "[\u{5E9}\u{5C1}]\u{5DC}")
    #expect(shown("\u{921}\u{93C}\u{93E}", "\u{95C}\u{93E}") == "[\u{921}\u{93C}\u{93E}]")
  }

  @Test("Patterns are equal if their words are") func equality() {
    let texts = (0...4).flatMap { length in
      (0..<length).reduce([""]) { texts, _ in
        texts.flatMap { text in ["a", "b", " "].map { text + $0 } }
      }
    }
    for left in texts {
      for right in texts {
        let areEqual = words(of: left) == words(of: right)
        guard (SearchPattern(left) == SearchPattern(right)) == areEqual else {
          Issue.record("‘\(left)’ and ‘\(right)’")
          return
        }
      }
    }
    #expect(SearchPattern(" a  b") == SearchPattern("A b b"))
    #expect(SearchPattern("a b") != SearchPattern("b a"))
    #expect(SearchPattern(" \t").isEmpty)
    #expect(SearchPattern("").match(in: "x") == SearchMatch(score: 0))
    #expect(Set([SearchPattern("a"), SearchPattern("A")]).count == 1)
  }

  private func words(of text: String) -> [Substring] {
    text.split(separator: " ").reduce(into: []) { words, word in
      if !words.contains(word) { words.append(word) }
    }
  }

  @Test("Long texts and long patterns have an end") func hostile() {
    let long = String(repeating: "ab ", count: 340_000)
    #expect(SearchPattern("ab").match(in: long)?.score ?? 0 >= 90)
    #expect(SearchPattern(String(repeating: "ba", count: 5_000)).match(in: long) == nil)
    #expect(SearchPattern(long).wordCount == 1)
    let words = (0..<3_000).map(String.init).joined(separator: " ")
    #expect(SearchPattern(words).wordCount == 32)
    #expect(SearchPattern(words).match(in: long) == nil)
    #expect(SearchPattern("aaa").match(in: String(repeating: "é", count: 50_000)) == nil)
    // Pieces are only looked for at the beginning, and whole words everywhere.
    let end = String(repeating: "-", count: 4_095) + "xyz"
    #expect(SearchPattern("xz").match(in: end) == nil)
    #expect(SearchPattern("xyz").match(in: end) != nil)
    #expect(SearchPattern("-x").match(in: end) != nil)
    #expect(
      SearchPattern(String(repeating: "a", count: 33)).match(in: String(repeating: "ab", count: 33))
        == nil)
  }

  @Test("Ranges of another text are clamped, and are whole characters") func otherText() {
    let text = "naïve café"
    let match = SearchPattern("ive caf").match(in: text)
    let ranges = match?.ranges ?? TextRanges()
    #expect(ranges.ranges(in: text).map { text[$0] } == ["ïve", "caf"])
    for other in ["", "n", "naéé", "👩‍👩‍👧👩‍👩‍👧", "e\u{301}e\u{301}e\u{301}e\u{301}"] {
      let pieces = ranges.pieces(of: other)
      #expect(pieces.map(\.text).joined() == other)
      #expect(pieces.reduce(0) { $0 + $1.text.count } == other.count, "\(pieces)")
    }
    let word = text.range(of: "café")
    #expect(word.map { TextRanges([$0], in: text).ranges(in: text) == [$0] } ?? false)
  }

  @Test("Parts that a program names are those of its text, in one order") func named() {
    let text = "aé👩‍👩‍👧 ß"
    let places = Array(text.indices) + [text.endIndex]
    let all = places.indices.flatMap { start in
      places[start...].map { places[start]..<$0 }
    }
    for first in all {
      for second in all {
        let parts = TextRanges([first, second], in: text)
        let expected = Array(RangeSet([first, second]).ranges)
        #expect(parts.ranges(in: text) == expected)
        #expect(parts.isEmpty == expected.isEmpty)
        let pieces = parts.pieces(of: text)
        #expect(pieces.map(\.text).joined() == text && !pieces.contains { $0.text.isEmpty })
        #expect(pieces.filter(\.isMatched).map(\.text) == expected.map { text[$0] })
      }
    }
  }

  @Test("Ranges that overlap or touch are one") func union() {
    #expect(TextRanges(utf8: [4..<6, 0..<2, 2..<3, 5..<9, 7..<7]).utf8 == [0..<3, 4..<9])
    #expect(TextRanges(utf8: [3..<3]) == TextRanges())
    #expect(TextRanges(utf8: [0..<1, 8..<9, 4..<5, 2..<3, 4..<8]).utf8 == [0..<1, 2..<3, 4..<9])
    // However three of them lie, and in whichever order they are told.
    let ranges = (0...5).flatMap { start in (start...5).map { start..<$0 } }
    for first in ranges {
      for second in ranges {
        for third in ranges {
          let parts = TextRanges(utf8: [first, second, third])
          let expected = Array(RangeSet([first, second, third]).ranges)
          guard parts.utf8 == expected, parts == TextRanges(utf8: expected) else {
            Issue.record("\(first), \(second) and \(third) are \(parts.utf8)")
            return
          }
        }
      }
    }
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(part) }.map { $0..<index($0, offsetBy: part.count) }
  }
}
