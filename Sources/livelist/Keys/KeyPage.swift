import DiffableTerminal

/// The help of a view in place of the view, until it is closed.
@MainActor
final class KeyPage {
  nonisolated static let keyTable = KeyTable<KeyPage>(
    "Keys of this help",
    [
      KeyBinding(
        Key.typing("?") + [.escape], hint: KeyHint(1, "back"), help: "go back to what was shown"
      ) { page, _ in
        page.isClosed = true
        return .handled(true)
      },
      .quit(rank: 2),
      KeyBinding(
        [.up, .down], or: Key.typing("kj"), hint: KeyHint(3) { $0.isWhole ? nil : "scroll" },
        help: "scroll by a line"
      ) { page, key in page.scroll(by: [.up, .character("k")].contains(key) ? -1 : 1) },
      KeyBinding([.pageUp], or: Key.typing("b"), help: "scroll back by a screen") { page, _ in
        page.scroll(by: -page.room)
      },
      KeyBinding([.pageDown], or: Key.typing(" f"), help: "scroll on by a screen") { page, _ in
        page.scroll(by: page.room)
      },
      KeyBinding([.home], or: Key.typing("g"), help: "go to the beginning") { page, _ in
        page.scroll(by: -page.lines.count)
      },
      KeyBinding([.end], or: Key.typing("G"), help: "go to the end") { page, _ in
        page.scroll(by: page.lines.count)
      },
    ])

  private(set) var isClosed = false
  private let help: [KeyHelp]
  /// All lines, as wide as the last screen.
  private var lines: [StyledText] = []
  /// The number of lines for which the last screen had space.
  private var room = 0
  private var first = 0

  init(_ help: [KeyHelp]) { self.help = help }

  func press(_ key: Key) -> TerminalProgram.KeyOutcome { Self.keyTable.press(key, in: self) }

  /// The page in a size: a title if there is space, and a line with the keys of the page itself.
  func screen(_ size: TerminalSize) -> Screen {
    let above =
      size.rows >= 4 ? [StyledText(" livelist: keys", TextStyle(color: .cyan, isBold: true))] : []
    let hasKeys = size.rows >= 2
    room = max(0, size.rows - above.count - (hasKeys ? 1 : 0))
    lines = KeyHelp.lines(help + [Self.keyTable.help(in: self)], columns: size.columns)
    scroll(by: 0)
    let shown = lines[first..<min(lines.count, first + room)]
    let missing = Array(repeating: StyledText(), count: room - shown.count)
    return Screen(size: size, lines: above + shown + missing + (hasKeys ? [keys(size)] : []))
  }

  private var isWhole: Bool { lines.count <= room }

  @discardableResult private func scroll(by distance: Int) -> TerminalProgram.KeyOutcome {
    first = max(0, min(first + distance, lines.count - room))
    return .handled(true)
  }

  private func keys(_ size: TerminalSize) -> StyledText {
    let hints = Self.keyTable.hints(in: self)
    let place = isWhole ? "" : " lines \(first + 1)–\(first + room) of \(lines.count) "
    let isShown = hints.text(1).columnCount + place.columnCount <= size.columns
    let text = StyledText(isShown ? place : "", .reversed)
    return hints.line(columns: size.columns - text.columnCount) + text
  }
}
