/// Turns screens into what a terminal has to be sent, one screen after the other.
///
/// Only lines that differ from the screen before are sent, and all of them between the marks of a
/// synchronized update, so that a terminal which knows these never shows half of a change.
public struct ScreenPainter: Sendable {
  /// Answers whether styles may have colours.
  public let usesColor: Bool
  private var shown: Screen?

  /// Creates a painter of a terminal that shows anything.
  public init(usesColor: Bool) {
    self.usesColor = usesColor
  }

  /// Forgets what is shown: the next screen is sent as a whole.
  public mutating func forget() {
    shown = nil
  }

  /// What to send so that the terminal shows the screen; empty if it does already.
  ///
  /// - Complexity: O(r) comparisons of lines for r rows.
  public mutating func paint(_ screen: Screen) -> String {
    let before = shown?.size == screen.size ? shown : nil
    shown = screen
    var changes = before == nil ? TerminalCode.clearScreen : ""
    for (row, line) in screen.lines.enumerated() where before?.lines[row] != line {
      // A cleared screen has its empty lines already.
      if before == nil, line.columnCount == 0 { continue }
      changes += TerminalCode.moveCursor(row: row) + text(of: line)
      // At the right edge the cursor still stands on the last column, which erasing would clear.
      if line.columnCount < screen.size.columns { changes += TerminalCode.eraseToEndOfLine }
    }
    guard !changes.isEmpty else { return "" }
    return TerminalCode.beginUpdate + changes + TerminalCode.endUpdate
  }

  private func text(of line: StyledText) -> String {
    line.spans.map { span in
      let parameters = span.style.parameters(usesColor: usesColor)
      guard !parameters.isEmpty else { return span.text }
      return TerminalCode.style(parameters) + span.text + TerminalCode.plain
    }
    .joined()
  }
}
