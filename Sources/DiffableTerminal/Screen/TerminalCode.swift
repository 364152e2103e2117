/// The escape sequences in use.
///
/// They are those of ECMA-48, xterm's private modes, and the synchronized update (private mode
/// 2026), which terminals that do not support it ignore.
enum TerminalCode {
  static let clearScreen = "\u{1B}[2J"
  static let eraseToEndOfLine = "\u{1B}[K"
  static let plain = "\u{1B}[0m"
  static let beginUpdate = "\u{1B}[?2026h"
  static let endUpdate = "\u{1B}[?2026l"

  /// Shows the alternate screen, without a cursor and without wrapping.
  ///
  /// A name that the terminal draws wider than expected must not shift other lines.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  /// Undoes `enter`, and `beginUpdate` of a screen that was being drawn when the program ended.
  static let leave = "\(leaveBytes)"
  /// The same, for a signal handler: it is there without being made.
  static let leaveBytes: StaticString =
    "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l\u{1B}[?2026l"

  /// Moves the cursor; row and column count from 0.
  static func moveCursor(row: Int, column: Int) -> String {
    "\u{1B}[\(row + 1);\(column + 1)H"
  }

  static func style(_ parameters: [Int]) -> String {
    "\u{1B}[" + parameters.map(String.init).joined(separator: ";") + "m"
  }
}
