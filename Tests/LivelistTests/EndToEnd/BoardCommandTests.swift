#if os(Linux) || os(macOS)
import DiffableTerminal
import Foundation
import TerminalSupport
import Testing

@testable import livelist

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
