#if os(Linux) || os(macOS)
import DiffableTerminal
import Foundation
import TerminalSupport
import Testing

@testable import livelist

@Suite("livelist chat") struct ChatCommandTests {
  private static let size = TerminalSize(columns: 60, rows: 16)

  private func messageCount(_ screen: TerminalEmulator) -> Int? {
    screen.lines[0].firstMatch(of: /(\d+) messages/).flatMap { Int($0.1) }
  }

  @Test("opens at its end, loads older messages, takes questions and follows the terminal's size")
  func using() throws {
    // Nobody else writes.
    let terminal = try PseudoTerminal(["chat", "--interval", "3600"], size: Self.size)
    try terminal.read { $0.text.contains("40 messages") && $0.text.contains("End newest") }
    let end = Array(terminal.screen.lines[1..<15])
    #expect(end.contains { $0.contains("今日は長い行") })
    try terminal.type("\u{1B}[5~")
    try terminal.read { Array($0.lines[1..<15]) != end }
    try terminal.type("\u{1B}[F")
    try terminal.read { Array($0.lines[1..<15]) == end }
    for size in [(30, 16), (60, 5), (60, 16)] {
      try terminal.resize(to: TerminalSize(columns: size.0, rows: size.1))
      try terminal.read { screen in screen.lines[size.1 - 1].contains("q quit") }
    }
    try terminal.read { Array($0.lines[1..<15]) == end }
    try terminal.type("\r")
    try terminal.read { $0.text.contains(ChatScript.questions[0].question) }
    let count = try #require(messageCount(terminal.screen))
    try terminal.type("g")
    // The page before the first message comes.
    try terminal.read { messageCount($0).map { $0 >= count + 10 } ?? false }
    #expect(try terminal.quit() == .exit(0))
    #expect(terminal.isCooked)
  }

  @Test("streams its answers into the last message")
  func streaming() throws {
    let terminal = try PseudoTerminal(["chat", "--interval", "0.05"], size: Self.size)
    try terminal.read { $0.text.contains("▍") }
    try terminal.type("\u{1B}[5~\u{1B}[5~")
    try terminal.read { $0.lines[15].contains("new message") }
    try terminal.type("\u{1B}[F")
    try terminal.read { !$0.lines[15].contains("new message") }
    try terminal.type("\u{3}")
    #expect(try terminal.readToEnd() == .signal(SIGINT))
  }

  @Test("prints a line for each batch where there is no terminal to draw on")
  func lines() async throws {
    let outcome = try await BuiltCommand.run(["chat", "--frames", "3", "--interval", "0.05"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    try #require(outcome.lines.count == 3)
    #expect(outcome.lines[0].contains(/^r\d+: 20 rows in 2 sections/))
  }
}
#endif
