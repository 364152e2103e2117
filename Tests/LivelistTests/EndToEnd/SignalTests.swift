#if os(Linux) || os(macOS)
import DiffableTerminal
import Foundation
import TerminalSupport
import TestScope
import Testing

@testable import livelist

@Suite("Signals to livelist") struct SignalTests {
  private static let size = TerminalSize(columns: 90, rows: 24)
  private static let arguments = ["gallery", "--interval", "0.05"]
  /// Without the runtime's own report of a crash, which takes long.
  private static let environment = ["SWIFT_BACKTRACE": "enable=no"]

  /// Others that end a program there.
  private static var signalsOfLinux: [Int32] {
    #if os(Linux)
    [SIGIO, SIGPWR, SIGSTKFLT, __libc_current_sigrtmin(), __libc_current_sigrtmax()]
    #else
    []
    #endif
  }

  @Test("Ctrl-Z gives the shell its terminal, each time, and the command goes on where it was")
  func pausing() throws {
    let tries = 30
    let script = """
      "$0" "$@"
      number=1
      while [ $number -le \(tries) ]; do
        echo "stopped $number."; read -r line; number=$((number + 1)); fg
      done
      """
    let terminal = try PseudoTerminal(
      Self.arguments, in: script, size: Self.size, environment: Self.environment)
    for number in 1...tries {
      try terminal.read { $0.text.contains("q quit") && !$0.text.contains("stopped") }
      #expect(!terminal.isCooked && terminal.keepsOutput)
      try terminal.type("\u{1A}")
      try terminal.read { $0.text.contains("stopped \(number).") }
      #expect(terminal.isCooked && !terminal.keepsOutput)
      #expect(terminal.screen.modes == ["?7", "?25"])
      // The shell takes one line. The command throws the other away as it comes back, and may be
      // told of it first.
      try terminal.type("\n\n")
    }
    try terminal.read { $0.text.contains("q quit") && !$0.text.contains("stopped") }
    #expect(try terminal.quit() == .exit(0))
    #expect(terminal.isCooked)
  }

  @Test("A stopped command can be ended by the shell")
  func continuing() throws {
    let script = """
      "$0" "$@"
      echo "stopped."; read -r line; kill %1; fg; echo "ended with $?."; read -r line
      """
    let terminal = try PseudoTerminal(
      Self.arguments, in: script, size: Self.size, environment: Self.environment)
    try terminal.read { $0.text.contains("q quit") }
    try terminal.type("\u{1A}")
    try terminal.read { $0.text.contains("stopped.") }
    try terminal.type("\n")
    try terminal.read { $0.text.contains("ended with \(128 + SIGTERM).") }
    #expect(terminal.isCooked)
    try terminal.type("\n")
    #expect(try terminal.readToEnd() == .exit(0))
  }

  @Test("A command that was stopped without being asked can be ended by the shell, too")
  func stoppedByOthers() throws {
    // The shells of users give the terminal its modes back themselves.
    let script = """
      "$0" "$@"
      stty sane; printf '\\033[2J\\033[Hstopped.\\n'; read -r line
      kill %1; bg %1; wait %1; echo "ended with $?."; read -r line
      """
    let terminal = try PseudoTerminal(
      Self.arguments, in: script, size: Self.size, environment: Self.environment)
    try terminal.read { $0.text.contains("q quit") }
    kill(-terminal.foreground, SIGSTOP)
    try terminal.read { $0.text.contains("stopped.") }
    try terminal.type("\n")
    try terminal.read { $0.text.contains("ended with \(128 + SIGTERM).") }
    #expect(terminal.isCooked)
    #expect(terminal.screen.modes == ["?7", "?25"])
    try terminal.type("\n")
    #expect(try terminal.readToEnd() == .exit(0))
  }

  @Test(
    "A command that is asked twice or more ends although its terminal takes nothing any longer",
    arguments: [false, true])
  func stuck(isImpatient: Bool) async throws {
    // More than the terminal holds, while nobody reads what comes.
    let terminal = try PseudoTerminal(
      Self.arguments, size: TerminalSize(columns: 200, rows: 60), environment: Self.environment)
    var looks = 0
    try await wait(for: "A full terminal", within: BuiltCommand.longest) {
      looks = terminal.isFull ? looks + 1 : 0
      return looks == 50
    }
    // Any of them may come first.
    kill(terminal.process, SIGINT)
    kill(terminal.process, SIGTERM)
    try await wait(for: "The end of the command", within: BuiltCommand.longest) {
      if isImpatient { kill(terminal.process, SIGINT) }
      return terminal.isOver
    }
    let end = try terminal.readToEnd()
    #expect(end == .signal(SIGINT) || end == .signal(SIGTERM))
    #expect(terminal.isCooked)
  }

  @Test("Without a shell that could continue it, the command goes on")
  func alone() throws {
    let terminal = try PseudoTerminal(
      Self.arguments, size: Self.size, environment: Self.environment)
    try terminal.read { $0.text.contains("q quit") }
    try terminal.type("\u{1A}")
    // It has given the terminal away, and taken it back.
    try terminal.read { _ in terminal.sent.count(of: "\u{1B}[?1049h") == 2 }
    try terminal.read { $0.text.contains("q quit") }
    #expect(try terminal.quit() == .exit(0))
    #expect(terminal.isCooked)
  }

  @Test(
    "Keys that end a program restore the terminal",
    arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)])
  func keys(_ key: String, _ signal: Int32) throws {
    let terminal = try PseudoTerminal(
      Self.arguments, size: Self.size, environment: Self.environment)
    try terminal.read { $0.text.contains("q quit") }
    try terminal.type(key)
    #expect(try terminal.readToEnd() == .signal(signal))
    #expect(terminal.isCooked)
    #expect(terminal.screen.modes == ["?7", "?25"])
  }

  @Test(
    "Every signal that ends the command restores the terminal, and so does a crash",
    arguments: [
      SIGTERM, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGALRM,
      SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ,
    ] + signalsOfLinux)
  func ending(_ signal: Int32) throws {
    let terminal = try PseudoTerminal(
      Self.arguments, size: Self.size, environment: Self.environment)
    try terminal.read { $0.text.contains("q quit") }
    kill(terminal.process, signal)
    #expect(try terminal.readToEnd() == .signal(signal))
    #expect(terminal.isCooked)
    #expect(terminal.screen.modes == ["?7", "?25"])
  }
}

extension [UInt8] {
  /// How often a text occurs.
  fileprivate func count(of text: String) -> Int {
    String(decoding: self, as: UTF8.self).ranges(of: text).count
  }
}

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
