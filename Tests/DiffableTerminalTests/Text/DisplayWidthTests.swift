import DiffableTesting
import TestScope
import Testing

@testable import DiffableTerminal

@Suite("Display width") struct DisplayWidthTests {
  @Test(
    "Characters take the columns a terminal gives them",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("Ａ", 2), ("…", 1),
      ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("\u{200B}", 0),
      ("–", 1), ("↑", 1), ("น้ำ", 2), ("กี่", 1), ("कि", 2), ("क्षि", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
      ("1\u{FE0F}\u{20E3}", 2),
      ("🏳\u{FE0F}\u{200D}🌈", 2), ("\u{FE0F}", 0), ("a\u{FE0F}", 1), ("\u{301}", 0),
    ])
  func width(_ text: String, _ columns: Int) {
    #expect(text.columnCount == columns)
  }

  @Test("Terminals differ in most emoji, and in characters of several scalars")
  func disputed() {
    for character in "aé…日한Ａ↑❤" as String { #expect(!character.hasDisputedWidth, "\(character)") }
    for character in "e\u{301}👍👍🏽🇩🇪❤\u{FE0F}" as String {
      #expect(character.hasDisputedWidth, "\(character)")
    }
  }

  @Test(
    "Text that is too long ends in an ellipsis and never takes more than its columns",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
      ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
      ("a日b", 3, "a…"), ("", 3, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
  func truncation(_ text: String, _ limit: Int, _ expected: String) {
    #expect(text.truncated(toColumns: limit) == expected)
  }

  @Test("Every text of three characters, cut to every width, fits and is cut only if it must be")
  func everyCut() {
    let alphabet = ["a", "日", "e\u{301}", "👍"]
    for first in alphabet {
      for second in alphabet {
        for third in alphabet {
          let text = first + second + third
          for limit in 0...7 {
            let cut = text.truncated(toColumns: limit)
            #expect(cut.columnCount <= limit)
            #expect((cut == text) == (text.columnCount <= limit), "\(text) to \(limit)")
          }
        }
      }
    }
  }

  @Test("Alignment fills a column exactly")
  func alignment() {
    #expect("ab".aligned(.left, columns: 4) == "ab  ")
    #expect("ab".aligned(.right, columns: 4) == "  ab")
    #expect("日本語".aligned(.right, columns: 4) == " 日…")
  }

  @Test(
    "Nothing in a name can command a terminal",
    arguments: [
      ("\u{1B}[2Jx", "?[2Jx"), ("a\nb", "a?b"), ("\u{9B}31m", "?31m"), ("\u{202E}abc", "?abc"),
      ("a\r\nb", "a??b"), ("plain 日本 👨‍👩‍👧", "plain 日本 👨‍👩‍👧"), ("\u{7F}", "?"),
    ])
  func controls(_ text: String, _ expected: String) {
    #expect(text.printable() == expected)
  }

  @Test(
    "A tab becomes spaces up to the next tab stop",
    arguments: [
      ("\t", 0, 8), ("\ta", 7, 2), ("a\tb", 0, 9), ("a\tb", 6, 3), ("a\tb", 7, 10), ("\t\t", 3, 13),
      ("日本\tx", 0, 9), ("1234567\tx", 0, 9), ("12345678\tx", 0, 17), ("👨‍👩‍👧\t한글\t", 1, 15),
    ])
  func tabs(_ text: String, _ column: Int, _ columns: Int) {
    let line = text.printable(fromColumn: column)
    #expect(line.columnCount == columns)
    #expect(!line.contains("\t"))
  }

  @Test("Every text of four characters takes as many columns as it says, tabs included")
  func everyTab() {
    let alphabet = ["a", "日", "\u{301}", "\t", "\r", "\n", "👍", "\u{FE0F}"]
    func check(_ text: String) {
      var grid = TextGrid(columns: 40, rows: 1)
      let line = StyledText(text)
      grid.draw(line + StyledText("|"), column: 0, row: 0)
      #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(line.columnCount == line.text.columnCount)
      #expect(grid.lines[0].columnCount == line.columnCount + 1, "\(text.debugDescription)")
      // What comes after the last tab begins at a tab stop.
      let parts = text.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count > 1, let last = parts.last, !last.contains(where: { $0.value >= 0x300 })
      else { return }
      #expect((line.columnCount - last.count) % 8 == 0, "\(text.debugDescription)")
      #expect(line.columnCount >= last.count + 8)
    }
    func extend(_ text: String, _ length: Int) {
      check(text)
      if length > 0 { for next in alphabet { extend(text + next, length - 1) } }
    }
    extend("", 4)
  }

  @Test("A tab counts from the beginning of its line, in whatever pieces the line is made")
  func tabsInPieces() {
    let text = "ab\tc日\t\td\te"
    let whole = StyledText(text)
    for cut in text.indices {
      var line = StyledText(String(text[..<cut]))
      line.append(String(text[cut...]), .bold)
      #expect(line.text == whole.text && line.columnCount == whole.columnCount)
    }
  }
}

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

@Suite("Colours") struct ColorDepthTests {
  @Test(
    "The environment says how many there are",
    arguments: [
      ([:], ColorDepth.none),
      (["TERM": ""], .none),
      (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
      (["TERM": "vt100"], .none),
      (["TERM": "xterm-mono"], .none),
      (["TERM": "xterm"], .sixteen),
      (["TERM": "linux"], .sixteen),
      (["TERM": "xterm-256color"], .palette256),
      (["TERM": "screen-256color-bce"], .palette256),
      (["TERM": "xterm-direct"], .trueColor),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
      (["TERM": "xterm", "COLORTERM": "24bit"], .trueColor),
      (["TERM": "xterm", "COLORTERM": "yes"], .sixteen),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
      (["TERM": "xterm-256color", "NO_COLOR": ""], .palette256),
    ])
  func detection(_ environment: [String: String], _ expected: ColorDepth) {
    #expect(ColorDepth(environment: environment) == expected)
  }

  @Test(
    "A terminal with fewer shows the nearest",
    arguments: [
      (TextColor.rgb(255, 0, 0), TextColor.palette(196), TextColor.palette(9)),
      (.rgb(0, 0, 0), .palette(16), .palette(0)),
      (.rgb(10, 10, 10), .palette(232), .palette(0)),
      (.rgb(128, 128, 128), .palette(244), .palette(8)),
      (.rgb(95, 135, 175), .palette(67), .palette(8)),
      (.palette(196), .palette(196), .palette(9)),
      (.palette(255), .palette(255), .palette(7)),
      (.green, .green, .green),
    ])
  func reduction(_ color: TextColor, _ palette: TextColor, _ basic: TextColor) {
    #expect(color.reduced(to: .trueColor) == color)
    #expect(color.reduced(to: .palette256) == palette)
    #expect(color.reduced(to: .sixteen) == basic)
    #expect(color.reduced(to: .none) == nil)
  }

  @Test("Reducing twice is reducing to the fewer")
  func composition() {
    for number in UInt8.min...UInt8.max {
      for color in [TextColor.palette(number), .rgb(number, 255 - number, number / 2)] {
        for depth in ColorDepth.allCases {
          let reduced = color.reduced(to: depth)
          #expect(reduced?.reduced(to: depth) == reduced)
        }
      }
    }
  }

  @Test("Each property of a style has the code of terminals")
  func styles() {
    let all = TextStyle(
      color: .red, background: .palette(12), isBold: true, isDim: true, isUnderlined: true,
      isReversed: true)
    #expect(all.parameters(at: .sixteen) == [1, 2, 4, 7, 31, 104])
    #expect(all.parameters(at: .none) == [1, 2, 4, 7])
    for (style, code) in [
      (TextStyle.bold, 1), (.dim, 2), (TextStyle(isUnderlined: true), 4), (.reversed, 7),
      (TextStyle(color: .blue), 34), (TextStyle(background: .blue), 44),
    ] {
      #expect(style.parameters(at: .sixteen) == [code])
    }
    #expect(TextStyle.plain.parameters(at: .sixteen) == [])
  }

  @Test("Each colour of the palette has the code of terminals, the first sixteen one of their own")
  func codes() {
    for number in UInt8.min...UInt8.max {
      for base in [30, 40] {
        let code =
          switch number {
          case 0..<8: [base + Int(number)]
          case 8..<16: [base + 60 + Int(number) - 8]
          default: [base + 8, 5, Int(number)]
          }
        #expect(TextColor.palette(number).parameters(base: base) == code)
      }
    }
  }
}
