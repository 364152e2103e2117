import DiffableTerminal

/// A list that fills a terminal.
@MainActor
protocol ListScreen: AnyObject {
  /// Called when the screen has to be drawn again.
  var changeHandler: @MainActor () -> Void { get set }

  /// Handles a key.
  func press(_ key: Key) -> TerminalProgram.KeyOutcome
  /// The screen for a size.
  func screen(_ size: TerminalSize) -> Screen
}

extension ListScreen {
  /// A list below some lines, and above a line with keys.
  ///
  /// A small terminal has the keys but not the lines above: they say how to quit. One row is all list.
  ///
  /// - Parameter least: The number of rows from which on the lines above are shown.
  func screen(
    _ size: TerminalSize, _ list: TerminalList, below above: [StyledText], from least: Int,
    keys: () -> StyledText
  ) -> Screen {
    let above = size.rows >= least ? above : []
    let hasKeys = size.rows >= 2
    list.size = TerminalSize(
      columns: size.columns, rows: size.rows - above.count - (hasKeys ? 1 : 0))
    return Screen(size: size, lines: above + list.lines + (hasKeys ? [keys()] : []))
  }

  /// The first of some lines of keys that fits, and how to quit where none does.
  func line(ofKeys lines: [String], columns: Int) -> StyledText {
    let fitting = (lines + [" q quit", "q quit", "q"]).first { $0.columnCount <= columns } ?? ""
    return StyledText(fitting, .reversed).filled(toColumns: columns, .reversed)
  }
}

/// A list with a search field.
@MainActor
protocol SearchScreen: ListScreen {
  var list: TerminalList { get }
  var field: SearchField { get set }

  /// Shows the results of a search.
  func search(for query: SearchQuery) async
  /// Handles a key that does not search or quit and that not every list handles.
  ///
  /// It returns `false` if it ignores the key.
  func act(_ key: Key) -> Bool
}

extension SearchScreen {
  func act(_ key: Key) -> Bool { false }

  /// Handles a key: the field edits, the list moves its focus, `q` quits.
  func press(_ key: Key) -> TerminalProgram.KeyOutcome {
    switch field.press(key) {
    case .edited:
      let query = field.query
      Task { await search(for: query) }
      changeHandler()
      return .handled(true)
    case .handled:
      changeHandler()
      return .handled(true)
    case .ignored:
      if key == .character("q") || key == .character("Q") { return .quit }
      return .handled(act(key) || list.press(key))
    }
  }
}
