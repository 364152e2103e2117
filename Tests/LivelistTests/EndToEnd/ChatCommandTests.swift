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

@Suite("livelist board") struct BoardCommandTests {
  @Test("says why the server cannot be reached, and goes on until it is told to quit")
  func unreachable() throws {
    // Nobody listens at this port.
    let terminal = try PseudoTerminal(
      ["board", "--server", "http://127.0.0.1:1/?ticket=a"],
      size: TerminalSize(columns: 60, rows: 10))
    try terminal.read { screen in
      screen.text.contains(" Offline, cannot connect to the server")
        && screen.text.contains("No column is known yet")
        && screen.text.contains("q quit")
    }
    try terminal.type("a")
    #expect(try terminal.quit() == .exit(0))
    #expect(terminal.isCooked)
  }

  @Test("says from the beginning that the server has not answered, also if a card is to be added")
  func silent() throws {
    let server = try RawServer()
    let terminal = try PseudoTerminal(
      ["board", "--server", "http://127.0.0.1:\(server.port)/?ticket=a"],
      size: TerminalSize(columns: 80, rows: 10))
    try terminal.read { $0.text.contains("Offline, the server has not answered yet") }
    try terminal.type("a")
    try terminal.read {
      $0.text.contains("There is no column yet to add a card to: the server has not answered yet")
    }
    #expect(try terminal.quit() == .exit(0))
    #expect(terminal.isCooked)
  }

  #if !SQLite
  @Test("says that a file needs SQLite, and how to build it in")
  func withoutSQLite() async throws {
    let outcome = try await BuiltCommand.run(["board", "--file", "/tmp/board.lists"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("livelist: this livelist was built without SQLite"))
    #expect(outcome.errors.contains("--traits SQLite"))
  }
  #endif
}
#endif
