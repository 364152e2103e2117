#if os(Linux) || os(macOS)
import Foundation
import TerminalSupport
import Testing

@testable import DiffableTerminal
@testable import livelist

@Suite("livelist processes") struct ProcessesCommandTests {
  private static let size = TerminalSize.standard

  private func isComplete(_ screen: TerminalEmulator) -> Bool {
    // Before the first batch there are titles, and no rows for keys to move through.
    screen.lines[0].contains("processes of") && screen.lines[1].contains("COMMAND")
      && screen.lines.last?.hasPrefix(" q quit") == true
      && screen.lines.last?.contains("rows 1–") == true
  }

  @Test("fills an 80 × 24 terminal, and gives it back as it was on q")
  func quit() throws {
    let terminal = try PseudoTerminal(["processes"], size: Self.size)
    // An update that has arrived in part is not on the screen yet.
    try terminal.read { isComplete($0) && $0.modes == ["?1049"] }
    #expect(!terminal.isCooked)
    #expect(terminal.screen.lines.count == 24)
    #expect(terminal.screen.lines[1].contains("PID"))
    #expect(try terminal.quit() == .exit(0))
    #expect(terminal.isCooked)
    // The other screen is left; cursor and wrapping are back.
    #expect(terminal.screen.modes == ["?7", "?25"])
    #expect(
      terminal.sent.suffix(TerminalCode.leave.utf8.count) == Array(TerminalCode.leave.utf8)[...])
  }

  @Test("follows the size of the terminal, and keys")
  func resize() throws {
    // The second look at processor times may come in between. It leaves the order by number alone,
    // so the last row stays last.
    let terminal = try PseudoTerminal(["--sort", "pid", "--interval", "3600"], size: Self.size)
    try terminal.read(until: isComplete)
    for size in [(40, 10), (100, 30), (30, 5)] {
      try terminal.resize(to: TerminalSize(columns: size.0, rows: size.1))
      try terminal.read { screen in
        screen.lines[1].contains("PID") && screen.lines[size.1 - 1].hasPrefix(" q quit")
      }
    }
    try terminal.type("\u{1B}[B\u{1B}[F")
    try terminal.resize(to: TerminalSize(columns: 60, rows: 5))
    try terminal.read { screen in
      // The last row of all: “rows 7–8 of 8”.
      let numbers = screen.lines[4].matches(of: /\d+/).compactMap { Int($0.output) }.suffix(2)
      return screen.lines[4].contains("rows") && numbers.count == 2 && numbers.first == numbers.last
    }
    #expect(try terminal.quit() == .exit(0))
  }

  @Test("folds a tree, sorts, and searches")
  func tree() throws {
    // Nobody writes in between: what changes is what the user does.
    let size = TerminalSize(columns: 120, rows: 24)
    let terminal = try PseudoTerminal(["--tree", "--interval", "3600"], size: size)
    try terminal.read { isComplete($0) && $0.text.contains("▾ ") && $0.lines[1].contains("▾CPU") }
    // Left leads up to a root from wherever the focus is, and folds it.
    try terminal.type("\u{1B}[B\u{1B}[D")
    try terminal.read { $0.text.contains(/▸ \+\d+/) }
    try terminal.type("m")
    try terminal.read { $0.lines[1].contains("▾MEMORY") && $0.text.contains("▸ ") }
    try terminal.type("/livelist\r")
    try terminal.read {
      $0.lines.last?.hasPrefix(" / livelist") == true && !$0.text.contains("▸ ")
    }
    try terminal.type("\u{1B}")
    try terminal.read { $0.text.contains("▸ ") }
    #expect(try terminal.quit() == .exit(0))
  }

  @Test("stops after as many batches as asked for")
  func frames() throws {
    let terminal = try PseudoTerminal(
      ["--frames", "1"], size: Self.size, environment: ["NO_COLOR": "1"])
    #expect(try terminal.readToEnd() == .exit(0))
    #expect(terminal.isCooked)
    #expect(terminal.screen.linesLeft[1].contains("PID"))
    #expect(terminal.screen.styles.allSatisfy { ["0", "1", "2", "7"].contains($0) })
  }

  @Test("says that its output is closed, and writes into nothing that it has opened instead")
  func closedOutput() throws {
    let terminal = try PseudoTerminal(
      ["--frames", "2"], in: #""$0" "$@" <&- >&-; echo "ended with $?.""#, size: Self.size)
    #expect(try terminal.readToEnd() == .exit(0))
    let reason = String(cString: strerror(EBADF))
    #expect(terminal.screen.lines[0] == "livelist: cannot write: \(reason)")
    #expect(terminal.screen.lines[1] == "ended with 1.")
  }

  @Test("prints a line for each batch where there is no terminal to draw on")
  func lines() async throws {
    let outcome = try await BuiltCommand.run(["processes", "--frames", "2", "--interval", "0.1"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    try #require(outcome.lines.count == 2)
    #expect(outcome.lines[0].contains(/^r\d+: \d+ processes in \d+ section/))
    #expect(outcome.lines[1].contains(/^r\d+ → r\d+: .*; \d+ processes in \d+ section/))
    let dumb = try PseudoTerminal(
      ["--frames", "1"], size: Self.size, environment: ["TERM": "dumb"])
    #expect(try dumb.readToEnd() == .exit(0))
    #expect(!dumb.sent.contains(0x1B))
    #expect(dumb.screen.lines[0].contains("processes in"))
    let tree = try await BuiltCommand.run(["--tree", "--frames", "1"])
    #expect(tree.lines.first?.contains(/^r\d+: \d+ processes in 1 section$/) == true)
  }
}
#endif
