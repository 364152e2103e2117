/// A rectangle of characters on which lines are drawn, one over the other.
///
/// A wide character takes two columns. If one half of it is overwritten, or is outside the
/// rectangle, the other half becomes a space: no line of the grid is ever wider than the grid.
///
/// Invariants:
///
/// 1. Every row has as many places as there are columns.
/// 2. The place after a wide character, and no other, has no character.
package struct TextGrid: Equatable, Sendable {
  /// One place: a character with its style, or the second half of a wide character.
  struct Place: Equatable, Sendable {
    /// `nil` after a wide character.
    var character: Character?
    var style = TextStyle.plain

    static let blank = Place(character: " ")
  }

  /// The number of columns.
  package let columns: Int
  /// The number of rows.
  package let rows: Int
  private(set) var places: [[Place]]

  /// Creates a grid of spaces.
  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    places = Array(
      repeating: Array(repeating: .blank, count: self.columns), count: self.rows)
  }

  /// Fills a rectangle with spaces, as far as it is inside the grid.
  package mutating func clear(_ rect: TextRect, _ style: TextStyle = .plain) {
    let space = StyledText(String(repeating: " ", count: rect.clamped(to: bounds).columns), style)
    for row in rect.clamped(to: bounds).rowRange {
      draw(space, column: max(0, rect.column), row: row)
    }
  }

  /// Draws lines one below the other in a rectangle; excess text is clipped.
  package mutating func draw(_ lines: [StyledText], in rect: TextRect) {
    let limits = rect.columnRange
    for (offset, line) in lines.prefix(rect.rows).enumerated() {
      draw(line, column: rect.column, row: rect.row &+ offset, within: limits)
    }
  }

  /// Draws a line; excess text is clipped.
  ///
  /// - Parameters:
  ///   - line: The line to draw, including its spaces.
  ///   - column: The column of its first character; negative if the line begins before the grid.
  ///   - row: The row.
  ///   - limits: The columns of the grid that may change; by default all.
  /// - Complexity: O(n) for n characters.
  package mutating func draw(
    _ line: StyledText, column: Int, row: Int, within limits: Range<Int>? = nil
  ) {
    let limits = (limits ?? 0..<columns).clamped(to: 0..<columns)
    guard places.indices.contains(row), column < columns else { return }
    var column = column
    var last: Int?
    for span in line.spans {
      for character in span.text {
        let width = character.columnCount
        switch width {
        case 0:
          // A character without width is joined with the previous one, if that is visible and stays
          // as wide as it is.
          if let last, let base = places[row][last].character {
            let joined = String(base) + String(character)
            if joined.count == 1, joined.columnCount == base.columnCount {
              places[row][last].character = Character(joined)
            }
          }
        case 1 where limits.contains(column):
          set(Place(character: character, style: span.style), column, row)
          last = column
        case 2 where limits.contains(column) && limits.contains(column + 1):
          set(Place(character: character, style: span.style), column, row)
          set(Place(character: nil, style: span.style), column + 1, row, isSecondHalf: true)
          last = column
        default:
          for half in column..<column + width where limits.contains(half) {
            set(Place(character: " ", style: span.style), half, row)
          }
          last = nil
        }
        column += width
      }
    }
    _checkInvariants()
  }

  /// The rows as lines, without trailing plain spaces.
  package var lines: [StyledText] {
    places.map { TextGrid.line(of: $0) }
  }

  private var bounds: TextRect { TextRect(column: 0, row: 0, columns: columns, rows: rows) }

  /// Changes a place; the other half of a wide character there becomes a space.
  private mutating func set(_ place: Place, _ column: Int, _ row: Int, isSecondHalf: Bool = false) {
    if !isSecondHalf, places[row][column].character == nil, column > 0 {
      places[row][column - 1].character = " "
    }
    if column + 1 < columns, places[row][column + 1].character == nil {
      places[row][column + 1].character = " "
    }
    places[row][column] = place
  }

  private static func line(of row: [Place]) -> StyledText {
    var line = StyledText()
    var text = ""
    var style = TextStyle.plain
    for place in row.prefix(TextGrid.length(of: row)) {
      guard let character = place.character else { continue }
      // Neighbours that would be joined to one character stay apart in separate spans.
      if place.style != style || text.last?.joins(character) == true {
        line.append(text, style)
        (text, style) = ("", place.style)
      }
      text.append(character)
    }
    line.append(text, style)
    return line
  }

  /// The number of columns of a row up to the last that is not a plain space.
  static func length(of row: [Place]) -> Int {
    (row.lastIndex { $0 != .blank } ?? -1) + 1
  }
}

/// A rectangle of whole characters; column and row count from 0 and may be outside a screen.
package struct TextRect: Hashable, Sendable {
  /// The first column.
  package var column: Int
  /// The first row.
  package var row: Int
  /// The number of columns, never negative.
  package var columns: Int { didSet { columns = max(0, columns) } }
  /// The number of rows, never negative.
  package var rows: Int { didSet { rows = max(0, rows) } }

  /// Creates a rectangle.
  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// The columns.
  package var columnRange: Range<Int> { Self.range(from: column, columns) }
  /// The rows.
  package var rowRange: Range<Int> { Self.range(from: row, rows) }

  /// The numbers from one on, as far as there are numbers.
  private static func range(from start: Int, _ count: Int) -> Range<Int> {
    let (end, isTooLarge) = start.addingReportingOverflow(count)
    return start..<(isTooLarge ? .max : end)
  }

  /// The part inside another rectangle.
  package func clamped(to other: TextRect) -> TextRect {
    let columns = columnRange.clamped(to: other.columnRange)
    let rows = rowRange.clamped(to: other.rowRange)
    return TextRect(
      column: columns.lowerBound, row: rows.lowerBound, columns: columns.count, rows: rows.count)
  }
}
