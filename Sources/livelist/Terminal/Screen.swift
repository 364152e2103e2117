/// The number of rows and columns of a terminal.
struct TerminalSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  /// What terminals have been since the VT100.
  static let standard = TerminalSize(columns: 80, rows: 24)
}

/// What is to be seen: as many lines as the terminal has rows, none wider than it.
struct Screen: Equatable, Sendable {
  let size: TerminalSize
  let lines: [StyledText]

  /// Cuts what does not fit and fills up with empty lines.
  init(size: TerminalSize, lines: [StyledText]) {
    self.size = size
    let fitting = lines.prefix(size.rows).map { $0.clipped(toColumns: size.columns) }
    let missing = max(0, size.rows - fitting.count)
    self.lines = fitting + Array(repeating: StyledText(), count: missing)
  }

  /// The screen without styles, for people who read a test.
  var text: String {
    lines.map(\.text).joined(separator: "\n")
  }
}
