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
