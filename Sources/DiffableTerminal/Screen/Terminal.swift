import Foundation

/// A terminal that a program has for itself until it gives it back as it was.
public struct Terminal: Sendable {
  /// The descriptor that keys come from.
  public let input: Int32
  /// Where screens are written to, and what takes the terminal over and gives it back.
  public let output: any TerminalWriter
  /// The modes before ours.
  private let modes: termios

  /// The terminal behind standard output, or `nil` if there is none that can be drawn on.
  ///
  /// - Parameters:
  ///   - environment: Where `TERM` is looked up.
  ///   - output: Where to write what the terminal is to show.
  public static func standard(
    environment: [String: String], output: any TerminalWriter = FileOutput.standardOutput
  ) -> Terminal? {
    let name = environment["TERM"] ?? ""
    guard isatty(STDOUT_FILENO) == 1, !name.isEmpty, name != "dumb" else { return nil }
    // Keys come from the terminal even if standard input comes from elsewhere.
    let input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_CLOEXEC)
    var modes = termios()
    guard input >= 0, tcgetattr(input, &modes) == 0 else { return nil }
    return Terminal(input: input, output: output, modes: modes)
  }

  /// Takes the terminal over: keys come one by one and unseen, and another screen is shown.
  ///
  /// Keys that send signals go on doing so.
  ///
  /// - Throws: ``OutputError`` if the terminal is gone, or refuses.
  public func enter() throws(OutputError) {
    var own = modes
    own.c_lflag &= ~tcflag_t(ECHO | ICANON)
    own.c_iflag &= ~tcflag_t(IXON)
    guard tcsetattr(input, TCSAFLUSH, &own) == 0 else { throw .failed(code: errno) }
    try output.write(TerminalCode.enter)
  }

  /// Gives the terminal back.
  ///
  /// There is nobody to tell if that fails: the terminal is gone, then.
  public func leave() {
    try? output.write(TerminalCode.leave)
    var old = modes
    _ = tcsetattr(input, TCSAFLUSH, &old)
  }

  /// The size now, or the standard one where the terminal does not know.
  public var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return .standard }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
