#if os(Linux) || os(macOS)
import DiffableTerminal
import Foundation
import TerminalSupport
import Testing

@testable import livelist

@Suite("What is typed reaches livelist") struct TypingTests {
  private static func start(after script: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      ["gallery", "--interval", "0.05"], in: script + #"; "$0" "$@""#,
      size: TerminalSize(columns: 90, rows: 24))
  }

  /// Quits by a key, and expects that the command has heard it.
  private func quit(_ terminal: PseudoTerminal) throws {
    try terminal.read { $0.text.contains("q quit") }
    try terminal.type("q")
    try terminal.read { $0.modes == ["?7", "?25"] }
    #expect(try terminal.readToEnd() == .exit(0))
  }

  @Test("A key comes at once in a terminal that was told to collect some")
  func collectedKeys() throws {
    try quit(Self.start(after: "stty min 4"))
  }

  @Test("Ctrl-D that is typed before the command has the terminal does not close it")
  func endTypedAhead() throws {
    let terminal = try Self.start(after: "read -r line")
    try terminal.type("\n\u{4}")
    try quit(terminal)
  }
}
#endif
