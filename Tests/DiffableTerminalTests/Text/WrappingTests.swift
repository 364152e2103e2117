import DiffableTerminal
import DiffableTesting
import TestScope
import Testing

@Suite("Text in lines") struct WrappingTests {
  @Test("A word of syllables that take two columns is not cut while it fits")
  func syllables() {
    let word = String(repeating: "कि", count: 3)
    #expect(StyledText("ab " + word).wrapped(toColumns: 8).map(\.text) == ["ab", word])
    #expect(StyledText("ab 日本語").wrapped(toColumns: 8).map(\.text) == ["ab 日本", "語"])
  }

  @Test(
    "ends its lines at spaces, between wide characters, and inside words that are too long",
    arguments: [
      ("", 5, [""]), ("one", 5, ["one"]), ("one two", 7, ["one two"]),
      ("one two three", 7, ["one two", "three"]), ("one  two", 3, ["one", "two"]),
      ("one two ", 3, ["one", "two"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
      ("a bcdefg", 3, ["a", "bcd", "efg"]), ("日本語の梨", 5, ["日本", "語の", "梨"]),
      ("ab日本", 5, ["ab日", "本"]), ("世界ab", 5, ["世", "界ab"]),
      ("日本", 1, ["日", "本"]), ("서울 한글", 6, ["서울", "한글"]),
      ("  one two", 5, ["  one", "two"]), ("👍, ok", 4, ["👍,", "ok"]), ("ab", 0, ["a", "b"]),
    ])
  func examples(_ text: String, _ limit: Int, _ expected: [String]) {
    #expect(StyledText(text).wrapped(toColumns: limit).map(\.text) == expected)
  }

  @Test("is broken where no space is only between wide characters, or in a word that is too long")
  func ends() {
    let letters: [Character] = ["a", "世", " "]
    func canEnd(_ left: Character, _ right: Character) -> Bool {
      left == " " || right == " " || left == "世" && right == "世"
    }
    for number in 0..<729 {
      let powers = [1, 3, 9, 27, 81, 243]
      let text = String(powers.map { letters[number / $0 % 3] })
      for limit in 2...5 {
        var (rest, faults) = (text[...], [String]())
        let lines = StyledText(text).wrapped(toColumns: limit).map(\.text)
        for line in lines {
          if !rest.hasPrefix(line) { faults.append("\(line) is not what follows") }
          rest = rest.dropFirst(line.count)
          guard let next = rest.first, next != " " else {
            rest = rest.drop { $0 == " " }
            continue
          }
          let isOneWord = !zip(line, line.dropFirst()).contains { canEnd($0, $1) }
          if let last = line.last, !canEnd(last, next), !isOneWord {
            faults.append("\(line) ends inside a word")
          }
        }
        #expect(faults == [] && rest.isEmpty, "\(text), \(limit): \(lines)")
      }
    }
  }

  @Test("keeps every character but spaces in its style, and fills each line")
  func laws() {
    let alphabet = ["a", "b", " ", " ", "é", "日", "한", "👨‍👩‍👧", ",", "word"]
    for seed in 0..<rounds(400 as UInt64) {
      var random = SplitMix64(seed: seed)
      var text = StyledText()
      for _ in 0..<random.number(below: 40) {
        let piece = random.element(of: alphabet) ?? ""
        guard piece != " " || !text.text.hasSuffix(" ") else { continue }
        text.append(piece, random.chance(oneIn: 3) ? .bold : .plain)
      }
      let limit = 2 + random.number(below: 12)
      let lines = text.wrapped(toColumns: limit)
      let comment: Comment = "seed \(seed), \(limit): \(text.text) → \(lines.map(\.text))"
      func letters(_ lines: [StyledText]) -> [String] {
        lines.flatMap(\.spans).flatMap { span in
          span.text.filter { $0 != " " }.map { "\($0) \(span.style.isBold)" }
        }
      }
      #expect(letters(lines) == letters([text]), comment)
      #expect(lines.allSatisfy { $0.columnCount <= limit }, comment)
      for (line, next) in zip(lines, lines.dropFirst()) {
        // Up to its first possible end, the next line did not fit.
        let characters = Array(next.text)
        let end = characters.indices.first { index in
          guard index + 1 < characters.count else { return true }
          let isWide = { StyledText(String(characters[$0])).columnCount == 2 }
          return characters[index + 1] == " " || isWide(index) && isWide(index + 1)
        }
        let word = String(characters.prefix((end ?? 0) + 1))
        let isAtSpace = text.text.contains(line.text + " ")
        let length = line.columnCount + StyledText(word).columnCount + (isAtSpace ? 1 : 0)
        #expect(length > limit || line.columnCount == 0, comment)
      }
    }
  }
}
