/// The number of rows and columns of a terminal.
public struct TerminalSize: Hashable, Sendable {
  /// The columns of a row.
  public var columns: Int
  /// The rows.
  public var rows: Int

  /// Creates a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// What terminals have been since the VT100.
  public static let standard = TerminalSize(columns: 80, rows: 24)
}

/// What is to be seen: as many lines as the terminal has rows, none wider than it.
public struct Screen: Equatable, Sendable {
  /// The size of the terminal.
  public let size: TerminalSize
  /// The lines, from top to bottom, as many as there are rows.
  public let lines: [StyledText]

  /// Creates a screen: what does not fit is cut, and empty lines fill it up.
  public init(size: TerminalSize, lines: [StyledText]) {
    self.size = size
    let fitting = lines.prefix(size.rows).map { $0.clipped(toColumns: size.columns) }
    let missing = max(0, size.rows - fitting.count)
    self.lines = fitting + Array(repeating: StyledText(), count: missing)
  }

  /// Creates a screen of what is drawn on a grid.
  public init(_ grid: TextGrid) {
    self.init(size: TerminalSize(columns: grid.columns, rows: grid.rows), lines: grid.lines)
  }

  /// The screen without styles and without spaces at the ends of lines, for people who read a test.
  public var text: String {
    lines.map { line in
      let text = line.text
      return String(
        text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }
    .joined(separator: "\n")
  }
}
