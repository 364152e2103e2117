import Foundation

/// A terminal that a program takes over and later restores.
public struct Terminal: Sendable {
  /// The file descriptor of the keys.
  public let input: Int32
  /// The writer for screens, and for taking over and restoring the terminal.
  public let output: any TerminalWriter
  /// The original modes.
  private let modes: termios

  /// The terminal of standard output, or `nil` if there is none that can be drawn on.
  ///
  /// - Parameters:
  ///   - environment: The environment with `TERM`.
  ///   - output: The writer for the content of the terminal.
  public static func standard(
    environment: [String: String], output: any TerminalWriter = FileOutput.standardOutput
  ) -> Terminal? {
    let name = environment["TERM"] ?? ""
    guard isatty(STDOUT_FILENO) == 1, !name.isEmpty, name != "dumb" else { return nil }
    // Keys are read from the terminal even if standard input is redirected.
    let input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_CLOEXEC)
    var modes = termios()
    guard input >= 0, tcgetattr(input, &modes) == 0 else { return nil }
    return Terminal(input: input, output: output, modes: modes)
  }

  /// Takes over the terminal: keys arrive without echo, and the alternate screen is shown.
  ///
  /// Keys that send signals still do so, and throw no output away. If the terminal belongs to another program, because this one
  /// runs in the background of a shell, the system stops this one until it is in the foreground.
  ///
  /// - Throws: ``OutputError`` if the terminal is gone, or returns an error.
  package func enter() throws(OutputError) {
    // Nothing changes yet, so the program can be ended while it waits.
    try set(
      modes, atOnce: true, withDefaultEffectOf: [SIGTTOU, SIGTSTP, SIGCONT] + CaughtSignals.endings)
    var own = modes
    own.c_lflag &= ~tcflag_t(ECHO | ICANON)
    // Without this, Ctrl-Z and Ctrl-C throw away what a slow terminal has not shown yet. Linux does not wake
    // a program that waits there for space, so it would hang and notice neither key.
    own.c_lflag |= tcflag_t(NOFLSH)
    own.c_iflag &= ~tcflag_t(IXON)
    // Each key comes at once, however many the last program has waited for.
    withUnsafeMutableBytes(of: &own.c_cc) { values in
      values[Int(VMIN)] = 1
      values[Int(VTIME)] = 0
    }
    TerminalRescue.arm(
      input: input, screen: (output as? FileOutput)?.descriptor ?? -1, modes: modes)
    do throws(OutputError) {
      try set(own, withDefaultEffectOf: [SIGTTOU])
      try output.write(TerminalCode.enter)
    } catch {
      leave()
      throw error
    }
  }

  private func set(
    _ modes: termios, atOnce: Bool = false, withDefaultEffectOf signals: [Int32]
  ) throws(OutputError) {
    var modes = modes
    let code = CaughtSignals.withDefaultEffect(of: signals) {
      while tcsetattr(input, atOnce ? TCSANOW : TCSAFLUSH, &modes) != 0 {
        if errno != EINTR { return errno }
      }
      return 0
    }
    guard code == 0 else { throw .failed(code: code) }
  }

  /// Restores the terminal.
  ///
  /// Errors are ignored: the terminal is gone then.
  package func leave() {
    try? output.write(TerminalCode.leave)
    var old = modes
    _ = tcsetattr(input, TCSAFLUSH, &old)
    TerminalRescue.disarm()
  }

  /// The current size, or the standard one if the terminal does not know it.
  public var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return .standard }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
