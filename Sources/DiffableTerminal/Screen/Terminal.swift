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
  /// Keys are read from the terminal even if standard input is redirected, for example to a pipe.
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
  /// Keys that send signals still do so, and no output is lost. If the terminal belongs to another
  /// program, because this one runs in the background of a shell, the system stops this one until
  /// it is in the foreground. A program that was asked to end takes nothing over, and does not wait for that.
  ///
  /// - Throws: ``OutputError`` if the terminal is gone, or returns an error.
  package func enter() throws(OutputError) {
    // Nothing changes yet, so the program can be ended while it waits.
    let signals = [SIGTTOU, SIGTSTP, SIGCONT] + CaughtSignals.endings
    let isEnding = try CaughtSignals.withDefaultEffect(of: signals) { () throws(OutputError) in
      // A signal that was caught before would not end it then.
      if SignalState.hasBeenAskedToEnd { return true }
      try set(modes, TCSANOW)
      return false
    }
    if isEnding { return }
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
      try CaughtSignals.withDefaultEffect(of: [SIGTTOU]) { () throws(OutputError) in
        try set(own, TCSAFLUSH)
      }
      try TerminalRescue.draw { () throws(OutputError) in try output.write(TerminalCode.enter) }
    } catch {
      leave()
      throw error
    }
  }

  private func set(_ modes: termios, _ time: Int32) throws(OutputError) {
    var modes = modes
    while tcsetattr(input, time, &modes) != 0 {
      if errno != EINTR { throw .failed(code: errno) }
    }
  }

  /// Restores the terminal, unless that has been done.
  ///
  /// Errors are ignored: the terminal is gone then.
  package func leave() {
    guard TerminalRescue.isArmed else { return }
    try? output.write(TerminalCode.leave)
    TerminalRescue.restore(modes, of: input, TCSAFLUSH)
    TerminalRescue.disarm()
  }

  /// Whether it belongs to this program, and not to another one of the same shell.
  var isOwn: Bool { TerminalRescue.isOwn(input) }

  /// The current size, or the standard one if the terminal does not know it.
  public var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return .standard }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
