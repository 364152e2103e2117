import DiffableTerminal

/// What a view says of its keys while it does one thing.
struct KeyHelp: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    /// The names of the keys.
    let names: String
    /// What they do.
    let help: String
  }

  let title: String
  let entries: [Entry]

  /// The number of columns below which what a key does is in the lines below its name.
  private static let leastForColumns = 50
  private static let gap = 2

  /// Several of them, with an empty line between two.
  static func lines(_ help: [KeyHelp], columns: Int) -> [StyledText] {
    help.enumerated().flatMap { index, help in
      (index == 0 ? [] : [StyledText()]) + help.lines(columns: columns)
    }
  }

  /// A heading, and the keys in two columns if there is space.
  func lines(columns: Int) -> [StyledText] {
    let width = entries.map(\.names.columnCount).max() ?? 0
    let heading = StyledText(title, TextStyle(color: .blue, isBold: true))
    return indented(heading, 1, columns)
      + entries.flatMap { entry in
        columns < Self.leastForColumns
          ? stacked(entry, columns) : beside(entry, width, columns)
      }
  }

  private func beside(_ entry: Entry, _ width: Int, _ columns: Int) -> [StyledText] {
    let (gap, indent) = (Self.gap, Self.gap + width + Self.gap)
    let words = StyledText(entry.help).wrapped(toColumns: columns - indent - 1)
    return words.enumerated().map { index, words in
      let names = index == 0 ? entry.names : ""
      let margin = String(repeating: " ", count: gap)
      return StyledText(margin + names.aligned(.left, columns: width) + margin, .bold) + words
    }
  }

  private func stacked(_ entry: Entry, _ columns: Int) -> [StyledText] {
    indented(StyledText(entry.names, .bold), 2, columns)
      + indented(StyledText(entry.help), 4, columns)
  }

  private func indented(_ text: StyledText, _ indent: Int, _ columns: Int) -> [StyledText] {
    text.wrapped(toColumns: max(1, columns - indent)).map {
      StyledText(String(repeating: " ", count: indent)) + $0
    }
  }

  /// What the help of a command says of the keys of its view.
  static func text<View>(of tables: [KeyTable<View>]) -> String {
    tables.map { table in
      let lines = table.help.lines(columns: 100).dropFirst().map(\.text)
      return ([table.title.uppercased()] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
