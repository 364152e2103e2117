import DiffableTerminal

/// A list that fills a terminal.
@MainActor
protocol ListScreen: AnyObject {
  /// All keys: a table for each thing that the view does with keys.
  nonisolated static var keyTables: [KeyTable<Self>] { get }

  var list: TerminalList { get }
  /// The help, while it is shown in place of the list.
  var keyPage: KeyPage? { get set }

  /// Handles a key.
  func press(_ key: Key) -> TerminalProgram.KeyOutcome
  /// The screen for a size.
  func screen(_ size: TerminalSize) -> Screen
}

extension ListScreen {
  func press(_ key: Key) -> TerminalProgram.KeyOutcome { obey(key) }

  /// Does what a table says of a key, or what the help does with it.
  func obey(_ key: Key) -> TerminalProgram.KeyOutcome {
    guard let keyPage else { return keyTable?.press(key, in: self) ?? .handled(false) }
    let outcome = keyPage.press(key)
    if keyPage.isClosed { self.keyPage = nil }
    setNeedsDisplay()
    return outcome
  }

  /// Says that the screen has to be drawn again, as the list does if it has changed.
  func setNeedsDisplay() { list.changeHandler?() }

  /// The keys of what the view does at present.
  private var keyTable: KeyTable<Self>? { Self.keyTables.first { $0.isActive(self) } }

  /// What there is to say of the keys that the view obeys at present.
  var hints: KeyHints { keyTable?.hints(in: self) ?? KeyHints([]) }

  /// A list below some lines and above a line with keys, or the help.
  ///
  /// A small terminal has the keys but not the lines above: they say how to quit. One row is all list.
  ///
  /// - Parameters:
  ///   - least: The number of rows from which on the lines above are shown.
  ///   - notice: Why the list is empty; it takes rows of the list.
  func screen(
    _ size: TerminalSize, below above: [StyledText], from least: Int, notice: [StyledText] = [],
    keys: () -> StyledText
  ) -> Screen {
    if let keyPage { return keyPage.screen(size) }
    let above = size.rows >= least ? above : []
    let hasKeys = size.rows >= 2
    let rows = max(0, size.rows - above.count - (hasKeys ? 1 : 0))
    let notice = notice.prefix(rows)
    list.size = TerminalSize(columns: size.columns, rows: rows - notice.count)
    return Screen(size: size, lines: above + notice + list.lines + (hasKeys ? [keys()] : []))
  }

  /// Sentences in lines of a given width, with an empty line around them.
  func notice(_ text: String, columns: Int) -> [StyledText] {
    let style = TextStyle(color: .yellow)
    let lines = StyledText(text, style).wrapped(toColumns: max(1, columns - 2))
    return lines.map { StyledText(" ") + $0 } + [StyledText()]
  }
}

/// A list with a search field.
@MainActor
protocol SearchScreen: ListScreen {
  var field: SearchField { get set }

  /// Shows the results of a search.
  func search(for query: SearchQuery) async
}

extension SearchScreen {
  /// Gives a key to the field, or to the list if it is none for the field.
  func edit(_ key: Key) -> TerminalProgram.KeyOutcome {
    switch field.press(key) {
    case .edited:
      let query = field.query
      Task { await search(for: query) }
    case .handled: break
    case .ignored: return .handled(list.press(key))
    }
    setNeedsDisplay()
    return .handled(true)
  }

  /// What is said if a search finds nothing.
  ///
  /// - Parameter many: What is searched, in the plural.
  func notice(ofMany many: String, found: Int, columns: Int) -> [StyledText] {
    guard found == 0, !field.query.isEmpty else { return [] }
    return notice(
      "No \(many) match “\(field.text)”. Esc ends the search and shows everything again.",
      columns: columns)
  }
}
