#if os(Linux) || os(macOS)
import DiffableTerminal
import Foundation
import TerminalSupport
import Testing

@testable import livelist

@Suite("livelist gallery") struct GalleryCommandTests {
  private static let size = TerminalSize(columns: 90, rows: 24)

  @Test("pages, moves the focus, searches and follows the size of the terminal")
  func using() throws {
    // Nobody writes: what is drawn is drawn for the keys.
    let terminal = try PseudoTerminal(["gallery", "--interval", "3600"], size: Self.size)
    try terminal.read { $0.text.contains("24 exhibits") && $0.text.contains("● ○ ○ ○") }
    #expect(!terminal.isCooked)
    // The grid has three columns.
    #expect(terminal.screen.lines.contains { $0.filter { $0 == "╭" }.count == 3 })
    try terminal.type("\u{1B}[B\u{1B}[C")
    try terminal.read { $0.text.contains("○ ● ○ ○") }
    try terminal.type("\u{1B}[B\u{1B}[B")
    try terminal.read { $0.text.contains("┏") }
    try terminal.type("\r")
    try terminal.read { $0.text.contains("★") }
    try terminal.type("/東")
    try terminal.read { $0.text.contains(" 1 of 24 exhibits") && $0.text.contains("🗼 東京") }
    try terminal.type("\u{7F}AMELIE")
    try terminal.read { $0.text.contains("/ AMELIE") && $0.text.contains("▶ Amélie") }
    #expect(!terminal.screen.text.contains("東京"))
    try terminal.type("\u{1B}")
    try terminal.read { $0.text.contains("  24 exhibits") }
    for size in [(50, 12), (100, 40), (30, 5)] {
      try terminal.resize(to: TerminalSize(columns: size.0, rows: size.1))
      try terminal.read { screen in
        size.1 < 6
          || screen.lines[0].contains("gallery") && screen.lines[size.1 - 1].contains("q quit")
      }
    }
    #expect(try terminal.quit() == .exit(0))
    #expect(terminal.isCooked)
    #expect(terminal.screen.modes == ["?7", "?25"])
  }

  @Test("draws everything again in a terminal that was smaller for a moment")
  func smallerInBetween() throws {
    func isWhole(_ screen: TerminalEmulator) -> Bool {
      screen.lines[0].contains("24 exhibits") && screen.text.contains("● ○ ○ ○")
        && screen.lines.last?.contains("q quit") == true
    }
    let terminal = try PseudoTerminal(["gallery", "--interval", "3600"], size: Self.size)
    try terminal.read(until: isWhole)
    // The command sees the last size only, which it has drawn already.
    try terminal.resize(to: TerminalSize(columns: 50, rows: 12))
    try terminal.resize(to: Self.size)
    try terminal.read(until: isWhole)
    #expect(try terminal.quit() == .exit(0))
  }

  @Test(
    "takes a terminal that does not know its size for a standard one",
    arguments: [(0, 0), (120, 0), (0, 40)])
  func unknownSize(columns: Int, rows: Int) throws {
    let terminal = try PseudoTerminal(
      ["gallery", "--interval", "3600"], size: TerminalSize(columns: columns, rows: rows))
    try terminal.read { $0.lines[0].contains("gallery") && $0.lines[23].contains("q quit") }
    #expect(try terminal.quit() == .exit(0))
  }

  @Test("goes on changing during a search, and shows what has changed when it ends")
  func changing() throws {
    let terminal = try PseudoTerminal(["gallery", "--interval", "0.05"], size: Self.size)
    try terminal.read { $0.text.contains("─ + ─") }
    try terminal.read { $0.text.contains("─ - ─") }
    try terminal.type("/nothing")
    try terminal.read { $0.text.contains(" 0 of ") }
    let revision = try #require(terminal.screen.lines[0].firstMatch(of: /exhibits +r(\d+)/)?.1)
    try terminal.read { !$0.lines[0].contains("r\(revision)") }
    try terminal.type("\u{1B}")
    try terminal.read { !$0.lines[0].contains(" of ") && $0.text.contains("♥") }
    try terminal.type("\u{3}")
    #expect(try terminal.readToEnd() == .signal(SIGINT))
    #expect(terminal.isCooked)
  }

  @Test("has as many colours as the environment says")
  func colors() throws {
    for (environment, pattern) in [
      (["NO_COLOR": "1"], #/(0|1|2|4|7)(;(1|2|4|7))*/#),
      (["TERM": "xterm"], #/(0|1|2|4|7|[349][0-7]|10[0-7])(;(1|2|4|7|[349][0-7]|10[0-7]))*/#),
    ] {
      let terminal = try PseudoTerminal(
        ["gallery", "--frames", "1"], size: Self.size, environment: environment)
      #expect(try terminal.readToEnd() == .exit(0))
      #expect(!terminal.screen.styles.isEmpty)
      for style in terminal.screen.styles {
        #expect(style.wholeMatch(of: pattern) != nil, "\(style)")
      }
    }
    let terminal = try PseudoTerminal(
      ["gallery", "--frames", "1"], size: Self.size, environment: ["COLORTERM": "truecolor"])
    #expect(try terminal.readToEnd() == .exit(0))
    #expect(terminal.screen.styles.contains { $0.contains("48;2;") })
  }

  @Test("prints a line for each batch where there is no terminal to draw on")
  func lines() async throws {
    let outcome = try await BuiltCommand.run(["gallery", "--frames", "3", "--interval", "0.05"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    try #require(outcome.lines.count == 3)
    #expect(outcome.lines[0] == "r1: 24 exhibits in 3 sections")
    #expect(outcome.lines[1].contains(/^r1 → r\d+: .*; \d+ exhibits in 3 sections/))
  }
}
#endif
