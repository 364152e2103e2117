/// Turns a sequence of screens into the text to send to a terminal.
///
/// Only the differences from the previous screen are sent. They are inside the marks of a
/// synchronized update, so that a terminal that supports these never shows half of a change.
public struct ScreenPainter: Sendable {
  /// The number of colours; other colours in styles are replaced by the nearest one.
  public let colorDepth: ColorDepth
  private var shown: Screen?

  /// Creates a painter for a terminal with unknown content.
  public init(colorDepth: ColorDepth) {
    self.colorDepth = colorDepth
  }

  /// Discards the shown screen: the next screen is sent as a whole.
  package mutating func forget() {
    shown = nil
  }

  /// The text to send so that the terminal shows a screen; empty if it shows it already.
  ///
  /// - Complexity: O(r) comparisons of lines for r rows, and O(c) for the c columns of each line
  ///   that differs.
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

  /// Up to this many unchanged columns are sent again, since moving the cursor costs as much.
  private static let shortestGap = 8

  private static func places(of line: StyledText, _ columns: Int) -> [TextGrid.Place] {
    var grid = TextGrid(columns: columns, rows: 1)
    grid.draw(line, column: 0, row: 0)
    return grid.places[0]
  }

  /// The text to send for one row.
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

  /// The text that moves the cursor to some columns of a row and draws them.
  ///
  /// A terminal may draw a character that others join over the columns after it: these are drawn again.
  private func send(_ row: [TextGrid.Place], _ range: ClosedRange<Int>, row number: Int) -> String {
    let length = TextGrid.length(of: row)
    var (column, end, reach) = (range.lowerBound, range.upperBound, 0)
    while column <= end {
      if let character = row[column].character, character.hasDisputedWidth {
        reach = max(reach, column + character.separateColumnCount)
        end = max(end, min(reach, length) - 1)
      }
      column += 1
    }
    // Both halves of a wide character change together, so no range begins with the second.
    var text = TerminalCode.moveCursor(row: number, column: range.lowerBound)
    var style: [Int] = []
    var previous: Character?
    // Finding the nearest colours takes long, and neighbours mostly have the same style.
    var (last, wanted) = (TextStyle.plain, [Int]())
    for column in range.lowerBound...end {
      guard let character = row[column].character else { continue }
      if let previous, previous.hasDisputedWidth || previous.joins(character) {
        text += TerminalCode.moveCursor(row: number, column: column)
      }
      if row[column].style != last {
        last = row[column].style
        wanted = last.parameters(at: colorDepth)
      }
      if wanted != style {
        if !style.isEmpty { text += TerminalCode.plain }
        if !wanted.isEmpty { text += TerminalCode.style(wanted) }
        style = wanted
      }
      text.append(character)
      previous = character
    }
    if !style.isEmpty { text += TerminalCode.plain }
    if reach > length, length < row.count {
      text += TerminalCode.moveCursor(row: number, column: length) + TerminalCode.eraseToEndOfLine
    }
    return text
  }
}
