/// Turns screens into what a terminal has to be sent, one screen after the other.
///
/// Only what differs from the screen before is sent, and all of it between the marks of a
/// synchronized update, so that a terminal which knows these never shows half of a change.
public struct ScreenPainter: Sendable {
  /// How many colours styles may have; what they ask for beyond that becomes the nearest there is.
  public let colorDepth: ColorDepth
  private var shown: Screen?

  /// Creates a painter of a terminal that shows anything.
  public init(colorDepth: ColorDepth) {
    self.colorDepth = colorDepth
  }

  /// Forgets what is shown: the next screen is sent as a whole.
  public mutating func forget() {
    shown = nil
  }

  /// What to send so that the terminal shows the screen; empty if it does already.
  ///
  /// - Complexity: O(r) comparisons of lines for r rows, and O(c) for the c columns of each line that
  ///   differs.
  public mutating func paint(_ screen: Screen) -> String {
    let before = shown?.size == screen.size ? shown : nil
    shown = screen
    var changes = before == nil ? TerminalCode.clearScreen : ""
    let cleared = StyledText()
    for (row, line) in screen.lines.enumerated() {
      let old = before?.lines[row] ?? cleared
      guard old != line else { continue }
      let columns = screen.size.columns
      changes += changed(
        from: ScreenPainter.places(of: old, columns), to: ScreenPainter.places(of: line, columns),
        row: row)
    }
    guard !changes.isEmpty else { return "" }
    return TerminalCode.beginUpdate + changes + TerminalCode.endUpdate
  }

  /// Up to so many columns that stay are sent again, since moving the cursor costs as much.
  private static let shortestGap = 8

  private static func places(of line: StyledText, _ columns: Int) -> [TextGrid.Place] {
    var grid = TextGrid(columns: columns, rows: 1)
    grid.draw(line, column: 0, row: 0)
    return grid.places[0]
  }

  /// What to send for one row.
  private func changed(
    from old: [TextGrid.Place], to new: [TextGrid.Place], row: Int
  ) -> String {
    let length = TextGrid.length(of: new)
    var text = ""
    var first: Int?
    var last = 0
    for column in new.indices where column < length && old[column] != new[column] {
      if let begun = first, column - last > ScreenPainter.shortestGap {
        text += send(new, begun...last, row: row)
        first = column
      }
      first = first ?? column
      last = column
    }
    if let first { text += send(new, first...last, row: row) }
    if TextGrid.length(of: old) > length {
      text += TerminalCode.moveCursor(row: row, column: length) + TerminalCode.eraseToEndOfLine
    }
    return text
  }

  /// Some columns of a row, with the cursor brought there.
  private func send(_ row: [TextGrid.Place], _ range: ClosedRange<Int>, row number: Int) -> String {
    // Half of a wide character cannot be sent.
    let first = row[range.lowerBound].character == nil ? range.lowerBound - 1 : range.lowerBound
    var text = TerminalCode.moveCursor(row: number, column: first)
    var style: [Int] = []
    var previous: Character?
    for column in first...range.upperBound {
      guard let character = row[column].character else { continue }
      if let previous, previous.hasDisputedWidth || previous.joins(character) {
        text += TerminalCode.moveCursor(row: number, column: column)
      }
      let wanted = row[column].style.parameters(at: colorDepth)
      if wanted != style {
        if !style.isEmpty { text += TerminalCode.plain }
        if !wanted.isEmpty { text += TerminalCode.style(wanted) }
        style = wanted
      }
      text.append(character)
      previous = character
    }
    return style.isEmpty ? text : text + TerminalCode.plain
  }
}
