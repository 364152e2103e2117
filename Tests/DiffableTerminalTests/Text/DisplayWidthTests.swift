import Testing

@testable import DiffableTerminal

@Suite("Display width") struct DisplayWidthTests {
  @Test(
    "Characters take the columns a terminal gives them",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("Ａ", 2), ("…", 1),
      ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("\u{200B}", 0),
      ("–", 1), ("↑", 1),
    ])
  func width(_ text: String, _ columns: Int) {
    #expect(text.columnCount == columns)
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
      ("\u{1B}[2Jx", "?[2Jx"), ("a\nb\tc", "a?b?c"), ("\u{9B}31m", "?31m"), ("\u{202E}abc", "?abc"),
      ("a\r\nb", "a??b"), ("plain 日本 👨‍👩‍👧", "plain 日本 👨‍👩‍👧"), ("\u{7F}", "?"),
    ])
  func controls(_ text: String, _ expected: String) {
    #expect(text.withoutControls == expected)
  }
}
