import DiffableTerminal

extension BoardView {
  nonisolated static let keyTables: [KeyTable<BoardView>] = [
    KeyTable(
      "Keys", if: { $0.entry == nil },
      [
        .quit(), .help,
        .list(
          [.up, .down], or: Key.typing("kj"), hint: KeyHint(9, "focus"), help: "move the focus"),
      ] + cards + KeyBinding<BoardView>.far(hasSpace: false)),
    KeyTable("Keys while you write", if: { $0.entry != nil }, writing),
  ]

  /// A hint that there is none of as long as there is nothing to change.
  private nonisolated static func onCards(_ rank: Int, _ words: String) -> KeyHint<BoardView> {
    KeyHint(rank) { $0.hasColumns ? words : nil }
  }

  private nonisolated static let cards: [KeyBinding<BoardView>] = [
    KeyBinding(Key.typing("a"), hint: onCards(4, "add"), help: "add a card to the column") {
      view, _ in
      view.beginCard()
      return .handled(true)
    },
    KeyBinding(Key.typing(" "), hint: onCards(5, "tick"), help: "tick the card, or no longer") {
      view, key in view.withCard(key) { view.edits.tick($0) }
    },
    KeyBinding([.enter], hint: onCards(6, "rename"), help: "rename the card") { view, key in
      view.withCard(key) { view.beginRenaming($0) }
    },
    KeyBinding(
      Key.typing("d"), or: [.delete], hint: onCards(8, "delete"), help: "delete the card"
    ) { view, key in view.withCard(key) { view.edits.delete($0) } },
    KeyBinding(
      [.shift(.up), .shift(.down), .shift(.left), .shift(.right)], hint: onCards(10, "move"),
      help: "move the card up and down, or to the column before and after"
    ) { view, key in .handled(view.move(key) || view.list.press(key)) },
    KeyBinding(
      Key.typing("u"), hint: onCards(7, "undo"), help: "take your last change back"
    ) { view, _ in
      view.edits.undo()
      return .handled(true)
    },
    KeyBinding([.escape], help: "remove the reason of a refusal, or the focus") { view, key in
      .handled(view.dismissRefusal() || view.list.press(key))
    },
  ]

  private nonisolated static let writing: [KeyBinding<BoardView>] = [
    KeyBinding(text: "go to the end of the title") { view, key in
      view.write(key)
      return .handled(true)
    },
    KeyBinding([.backspace], help: "delete the last character") { view, key in
      view.write(key)
      return .handled(true)
    },
    KeyBinding([.enter], hint: KeyHint(1, "save"), help: "give the title to the card") { view, _ in
      view.endLine(isSaved: true)
      return .handled(true)
    },
    KeyBinding([.escape], hint: KeyHint(2, "cancel"), help: "leave everything as it was") {
      view, _ in
      view.endLine(isSaved: false)
      return .handled(true)
    },
  ]
}
