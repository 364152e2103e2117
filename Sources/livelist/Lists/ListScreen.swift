import DiffableTerminal

/// A list that has a terminal for itself, with a line of text to search it.
@MainActor
protocol ListScreen: AnyObject {
  var list: TerminalList { get }
  /// Is called when the screen looks different.
  var changeHandler: @MainActor () -> Void { get set }
  var field: SearchField { get set }

  /// Shows what a search finds.
  func search(for query: SearchQuery) async
  /// Does what a key is for besides searching, quitting, and what it does to any list; `false` if it is
  /// for nothing.
  func act(_ key: Key) -> Bool
  /// What is to be seen in a size.
  func screen(_ size: TerminalSize) -> Screen
}

extension ListScreen {
  func act(_ key: Key) -> Bool { false }

  /// Does what a key is for: the field edits, the list moves its focus, `q` quits.
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
