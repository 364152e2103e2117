import Synchronization
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
        var painter = ScreenPainter(colorDepth: .trueColor)
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

  @Test(
    "Behind a character whose width terminals do not agree on, the cursor is put where it belongs",
    arguments: ["e\u{301}", "👩‍👩‍👧", "🇩🇪", "☺️", "👍🏽", "😀", "क्षि"])
  func disputed(text: String) {
    var painter = ScreenPainter(colorDepth: .trueColor)
    let size = TerminalSize(columns: 10, rows: 1)
    let sent = painter.paint(Screen(size: size, lines: [StyledText(text + "xy")]))
    let cursor = TerminalCode.moveCursor(row: 0, column: text.columnCount)
    #expect(sent.contains(text + cursor + "xy"))
  }

  @Test("Characters of two spans that a terminal would join, and no others, are sent apart")
  func neighbours() {
    // Parts of Hangul syllables, whole ones, and characters that join none of them.
    let characters: [Character] = [
      "\u{1112}", "\u{1161}", "\u{11AB}", "\u{AC00}", "\u{AC01}", "世", "ж", "a",
    ]
    for first in characters {
      // A tone of skin is joined with any letter.
      for second in characters + ["\u{1F3FD}"] {
        for style in [TextStyle.plain, .bold] {
          var painter = ScreenPainter(colorDepth: .trueColor)
          let line = StyledText(String(first)) + StyledText(String(second), style)
          let size = TerminalSize(columns: 10, rows: 1)
          let sent = painter.paint(Screen(size: size, lines: [line]))
          let cursor = TerminalCode.moveCursor(row: 0, column: first.columnCount)
          let areJoined = (String(first) + String(second)).count == 1
          // By bytes: a tone of skin is joined with the last letter of the cursor's code, too.
          #expect(
            Array(sent.utf8).contains(Array((String(first) + cursor).utf8)) == areJoined,
            "\(first.unicodeScalars), \(second.unicodeScalars)")
        }
      }
    }
  }

  @Test("The first screen clears the terminal, a later one sends only the columns that differ")
  func bytes() {
    var painter = ScreenPainter(colorDepth: .trueColor)
    let wide = TerminalSize(columns: 40, rows: 2)
    func sent(_ lines: String...) -> String {
      painter.paint(Screen(size: wide, lines: lines.map { StyledText($0) }))
        .replacing("\u{1B}[", with: "^")
    }
    #expect(sent("ab", "cd") == "^?2026h^2J^1;1Hab^2;1Hcd^?2026l")
    #expect(sent("ab", "wxyz") == "^?2026h^2;1Hwxyz^?2026l")
    #expect(sent("ab", "wx") == "^?2026h^2;3H^K^?2026l")
    // Neighbouring changes are sent in one go, distant ones each for itself.
    #expect(sent("0123456789abcdefghij", "") == "^?2026h^1;1H0123456789abcdefghij^2;1H^K^?2026l")
    #expect(sent("0X23Y56789abcdefgZij", "") == "^?2026h^1;2HX23Y^1;18HZ^?2026l")
    // A wide character is sent as a whole.
    #expect(sent("0X23Y56789abcdefg界j", "") == "^?2026h^1;18H界^?2026l")
    #expect(sent("0X23Y56789abcdefgZij", "") == "^?2026h^1;18HZi^?2026l")
  }

  @Test("After a character whose width terminals dispute the cursor is put where it should be")
  func disputedWidth() {
    var painter = ScreenPainter(colorDepth: .none)
    let wide = TerminalSize(columns: 12, rows: 1)
    func sent(_ line: StyledText) -> String {
      painter.paint(Screen(size: wide, lines: [line])).replacing("\u{1B}[", with: "^")
    }
    #expect(sent(StyledText("a👨‍👩‍👧b日c")) == "^?2026h^2J^1;1Ha👨‍👩‍👧^1;4Hb日c^?2026l")
    // Two halves of a flag in two pieces do not become one.
    #expect(
      sent(StyledText("🇩") + StyledText("🇪") + StyledText("b日c "))
        == "^?2026h^1;1H🇩^1;3H🇪^1;5Hb日c^?2026l")
  }

  @Test("What a terminal may draw beyond a character that it does not join is drawn over")
  func beyond() {
    var painter = ScreenPainter(colorDepth: .none)
    let wide = TerminalSize(columns: 12, rows: 1)
    func sent(_ text: String) -> String {
      painter.paint(Screen(size: wide, lines: [StyledText(text)])).replacing("\u{1B}[", with: "^")
    }
    // A tone of skin may be two more columns.
    #expect(sent("👍🏽") == "^?2026h^2J^1;1H👍🏽^1;3H^K^?2026l")
    #expect(sent("👍🏽abc") == "^?2026h^1;3Habc^?2026l")
    #expect(sent("👍🏿abc") == "^?2026h^1;1H👍🏿^1;3Hab^?2026l")
    #expect(sent("👍🏿a👍🏽") == "^?2026h^1;4H👍🏽^1;6H^K^?2026l")
    #expect(sent("👍🏽a👍🏽") == "^?2026h^1;1H👍🏽^1;3Ha👍🏽^1;6H^K^?2026l")
    // At the end of the screen nothing is left to be erased.
    #expect(sent("0123456789👍🏽").hasSuffix("6789👍🏽^?2026l"))
  }

  @Test("A screen of another size, or after somebody else has drawn, is sent as a whole")
  func whole() {
    var painter = ScreenPainter(colorDepth: .trueColor)
    _ = painter.paint(screen("ab", "cd"))
    let narrow = Screen(size: TerminalSize(columns: 2, rows: 1), lines: [StyledText("abc")])
    #expect(
      painter.paint(narrow) == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1Ha…\u{1B}[?2026l")
    painter.forget()
    #expect(
      painter.paint(narrow) == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1Ha…\u{1B}[?2026l")
  }

  @Test(
    "Colours are sent as far as the terminal has them, the other attributes always",
    arguments: [
      (ColorDepth.none, "1"), (.sixteen, "1;91"), (.palette256, "1;38;5;203"),
      (.trueColor, "1;38;2;250;90;80"),
    ])
  func colors(_ depth: ColorDepth, _ parameters: String) {
    var painter = ScreenPainter(colorDepth: depth)
    let line = StyledText("a", TextStyle(color: .rgb(250, 90, 80), isBold: true))
    let sent = painter.paint(Screen(size: size, lines: [line]))
    #expect(sent.contains("\u{1B}[\(parameters)ma\u{1B}[0m"), "\(sent.debugDescription)")
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

@Suite("Terminal display") struct TerminalDisplayTests {
  /// Remembers what is written, and fails when it is told to.
  private final class Memory: TerminalWriter {
    private let state = Mutex((bytes: [UInt8](), isBroken: false))

    func write(_ bytes: [UInt8]) throws(OutputError) {
      let isBroken = state.withLock { state in
        if !state.isBroken { state.bytes += bytes }
        return state.isBroken
      }
      if isBroken { throw .closed }
    }

    func take() -> [UInt8] {
      state.withLock { state in
        defer { state.bytes = [] }
        return state.bytes
      }
    }

    func setBroken(_ isBroken: Bool) {
      state.withLock { $0.isBroken = isBroken }
    }
  }

  private let size = TerminalSize(columns: 8, rows: 2)

  private func screen(_ text: String) -> Screen {
    Screen(size: size, lines: [StyledText(text)])
  }

  @Test("A screen may be cut off anywhere, and leaving restores the terminal") func cutOff() throws
  {
    let memory = Memory()
    var display = TerminalDisplay(writer: memory, colorDepth: .sixteen)
    try display.show(screen("one"))
    let bytes = memory.take()
    for count in 0...bytes.count {
      var terminal = TerminalEmulator(size: size)
      terminal.feed(Array(TerminalCode.enter.utf8) + bytes.prefix(count))
      terminal.feed(Array(TerminalCode.leave.utf8))
      #expect(terminal.modes == ["?7", "?25"], "after \(count) bytes")
      #expect(terminal.lines == ["", ""])
    }
  }

  @Test("writes what changes to any writer, and all of it after a failure")
  func writing() throws {
    let memory = Memory()
    var display = TerminalDisplay(writer: memory, colorDepth: .sixteen)
    var terminal = TerminalEmulator(size: size)
    try display.show(screen("one"))
    terminal.feed(memory.take())
    #expect(terminal.lines == ["one", ""])
    try display.show(screen("one"))
    #expect(memory.take() == [])

    memory.setBroken(true)
    #expect(throws: OutputError.closed) { try display.show(screen("two")) }
    memory.setBroken(false)
    try display.show(screen("two"))
    terminal.feed(memory.take())
    #expect(terminal.lines == ["two", ""])

    display.forget()
    try display.show(screen("two"))
    #expect(!memory.take().isEmpty)
  }
}
