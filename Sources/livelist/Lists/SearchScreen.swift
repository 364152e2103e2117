import DiffableTerminal

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
