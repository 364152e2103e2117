import DiffableTerminal

extension KeyBinding {
  /// Ends the command.
  static func quit(rank: Int = 1) -> KeyBinding {
    KeyBinding(
      Key.typing("q"), or: Key.typing("Q"), hint: KeyHint(rank, "quit"), help: "end livelist"
    ) { _, _ in .quit }
  }
}

extension KeyBinding where View: ListScreen {
  /// Shows the help.
  static var help: KeyBinding {
    KeyBinding(Key.typing("?"), hint: KeyHint(3, "keys"), help: "show these keys, or hide them") {
      view, _ in
      view.keyPage = KeyPage(View.keyTables.map { $0.help(in: view) })
      view.setNeedsDisplay()
      return .handled(true)
    }
  }

  /// Keys that the list obeys itself.
  static func list(
    _ keys: [Key], or others: [Key] = [], hint: KeyHint<View>? = nil, help: String,
    if isOffered: @escaping Condition = { _ in true }
  ) -> KeyBinding {
    KeyBinding(keys, or: others, hint: hint, help: help, if: isOffered) { view, key in
      .handled(view.list.press(key))
    }
  }

  /// The keys that go far in a list.
  ///
  /// - Parameter hasSpace: Whether the space bar is one of them.
  static func far(hasSpace: Bool = true, end: KeyHint<View>? = nil) -> [KeyBinding] {
    [
      list([.pageUp], or: Key.typing("b"), help: "go back by a screen"),
      list([.pageDown], or: Key.typing(hasSpace ? " f" : "f"), help: "go on by a screen"),
      list([.home], or: Key.typing("g"), help: "go to the beginning"),
      list([.end], or: Key.typing("G"), hint: end, help: "go to the end"),
    ]
  }
}

extension KeyBinding where View: SearchScreen {
  /// Begins a search.
  static var search: KeyBinding {
    KeyBinding(Key.typing("/"), hint: KeyHint(4, "search"), help: "search: type words") {
      view, key in view.edit(key)
    }
  }

  /// Ends a search that was kept; the list has the key otherwise.
  static var escape: KeyBinding {
    KeyBinding(
      [.escape], hint: KeyHint(2) { $0.field.text.isEmpty ? nil : "show all" },
      help: "end a search and show everything again, or remove the focus"
    ) { view, key in view.edit(key) }
  }
}

extension KeyTable where View: SearchScreen {
  /// The keys while the user types what to search for.
  static var search: KeyTable {
    func edit(
      _ keys: [Key], hint: KeyHint<View>? = nil, _ help: String
    ) -> KeyBinding<View> {
      KeyBinding(keys, hint: hint, help: help) { view, key in view.edit(key) }
    }
    return KeyTable(
      "Keys while you search", if: { $0.field.isEditing },
      [
        KeyBinding(text: "are searched for; several words in any order") { $0.edit($1) },
        edit([.enter], hint: KeyHint(1, "keep"), "keep the result, and go back to the list"),
        edit([.escape], hint: KeyHint(2, "show all"), "end the search and show everything again"),
        edit(
          [.backspace, .delete], "delete a character; Backspace ends a search that is empty"),
        edit([.left, .right], "move the cursor by a character"),
        edit([.home, .end], "move the cursor to an end"),
        edit([.up, .down], "move the focus through what was found"),
        edit([.pageUp, .pageDown], "move it by a screen"),
      ])
  }
}
