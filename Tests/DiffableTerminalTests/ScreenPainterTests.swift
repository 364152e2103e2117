import TerminalSupport
import Testing

@testable import DiffableTerminal

@Suite("Screen painter") struct ScreenPainterTests {
  private let size = TerminalSize(columns: 4, rows: 2)

  private func screen(_ lines: String...) -> Screen {
    Screen(size: size, lines: lines.map { StyledText($0) })
  }

  @Test("Painting any screen over any other shows it, and the same one again sends nothing")
  func everyTransition() {
    let contents = ["", "a", "bcd", "efgh", "界", "界界"]
    let screens = contents.flatMap { first in contents.map { screen(first, $0) } }
    for old in screens {
      for new in screens {
        var painter = ScreenPainter(usesColor: true)
        var terminal = TerminalEmulator(size: size)
        terminal.feed(painter.paint(old))
        #expect(terminal.text == old.text)
        let changes = painter.paint(new)
        terminal.feed(changes)
        #expect(terminal.text == new.text, "\(old.text) → \(new.text)")
        #expect(changes.isEmpty == (old == new))
        #expect(painter.paint(new).isEmpty)
      }
    }
  }

  @Test("The first screen clears the terminal, a later one sends only the lines that differ")
  func bytes() {
    var painter = ScreenPainter(usesColor: true)
    #expect(
      painter.paint(screen("ab", "cd"))
        == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1Hab\u{1B}[K\u{1B}[2;1Hcd\u{1B}[K\u{1B}[?2026l")
    #expect(
      painter.paint(screen("ab", "wxyz")) == "\u{1B}[?2026h\u{1B}[2;1Hwxyz\u{1B}[?2026l")
  }

  @Test("A screen of another size, or after somebody else has drawn, is sent as a whole")
  func whole() {
    var painter = ScreenPainter(usesColor: true)
    _ = painter.paint(screen("ab", "cd"))
    let narrow = Screen(size: TerminalSize(columns: 2, rows: 1), lines: [StyledText("abc")])
    #expect(
      painter.paint(narrow) == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1Ha…\u{1B}[?2026l")
    painter.forget()
    #expect(
      painter.paint(narrow) == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1Ha…\u{1B}[?2026l")
  }

  @Test("Without colours the other attributes stay", arguments: [true, false])
  func colors(_ usesColor: Bool) {
    var painter = ScreenPainter(usesColor: usesColor)
    let line = StyledText("a", TextStyle(color: .red, isBold: true))
    let sent = painter.paint(Screen(size: size, lines: [line]))
    #expect(sent.contains(usesColor ? "\u{1B}[1;31ma\u{1B}[0m" : "\u{1B}[1ma\u{1B}[0m"))
  }

  @Test("A screen has exactly the rows of its size, and no line is wider")
  func fitting() {
    for rows in 0...3 {
      for columns in 1...5 {
        let size = TerminalSize(columns: columns, rows: rows)
        let lines = [StyledText("日本語", .bold), StyledText("abc")]
        let screen = Screen(size: size, lines: lines)
        #expect(screen.lines.count == rows)
        #expect(screen.lines.allSatisfy { $0.columnCount <= columns })
      }
    }
  }
}
