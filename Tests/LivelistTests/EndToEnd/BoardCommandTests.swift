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
      screen.text.contains("Offline, cannot connect to the server: changes will wait")
        && screen.text.contains("q quit")
    }
    try terminal.type("a")
    try terminal.type("q")
    #expect(try terminal.readToEnd() == .exit(0))
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
