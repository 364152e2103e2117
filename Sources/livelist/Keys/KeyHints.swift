import DiffableTerminal

/// What the line at the bottom says of keys, the most important first.
struct KeyHints: Equatable {
  struct Hint: Equatable {
    let keys: String
    let words: String

    init(_ keys: String, _ words: String) { (self.keys, self.words) = (keys, words) }

    var text: String { keys + " " + words }
  }

  let hints: [Hint]

  init(_ hints: [Hint]) { self.hints = hints }

  /// The line with its first hints only.
  func text(_ count: Int) -> String {
    hints.prefix(count).reduce("") { $0 + ($0.isEmpty ? " " : "  ") + $1.text }
  }

  /// The line with all hints.
  var text: String { text(hints.count) }

  /// A line of a given width: the least important hints are left out, and none is cut.
  ///
  /// Where not even the first one fits, its key alone does.
  func line(columns: Int) -> StyledText {
    let lines = (1...max(1, hints.count)).reversed().map { text($0) }
    let short = hints.first.map { [$0.text, $0.keys] } ?? []
    let fitting = (lines + short).first { $0.columnCount <= columns } ?? ""
    return StyledText(fitting, .reversed).filled(toColumns: columns, .reversed)
  }

  /// As many hints as fit at the right of what the user writes.
  func line(beside line: StyledText, columns: Int) -> StyledText {
    let room = columns - line.columnCount - 1
    let shown = (0...hints.count).map { text($0) }.last { $0.columnCount <= room } ?? ""
    guard !shown.isEmpty else { return line }
    return line.filled(toColumns: columns - shown.columnCount - 1) + StyledText(shown + " ", .dim)
  }
}
