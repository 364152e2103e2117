/// The number of rows and columns of a terminal.
public struct TerminalSize: Hashable, Sendable {
  /// The number of columns.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Creates a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size of terminals since the VT100.
  public static let standard = TerminalSize(columns: 80, rows: 24)
}

/// The content of a terminal: one line for each row, none wider than the terminal.
public struct Screen: Equatable, Sendable {
  /// The size of the terminal.
  public let size: TerminalSize
  /// The lines, from top to bottom, as many as there are rows.
  public let lines: [StyledText]

  /// Creates a screen: excess text is cut off, and missing lines are empty.
  public init(size: TerminalSize, lines: [StyledText]) {
    self.size = size
    let fitting = lines.prefix(max(0, size.rows)).map { $0.clipped(toColumns: size.columns) }
    let missing = max(0, size.rows - fitting.count)
    self.lines = fitting + Array(repeating: StyledText(), count: missing)
  }

  /// Creates a screen from a grid.
  package init(_ grid: TextGrid) {
    self.init(size: TerminalSize(columns: grid.columns, rows: grid.rows), lines: grid.lines)
  }

  /// The screen without styles and without trailing spaces, for readable tests.
  public var text: String {
    lines.map { line in
      let text = line.text
      return String(
        text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }
    .joined(separator: "\n")
  }
}
