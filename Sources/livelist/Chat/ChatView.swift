import Diffable
import DiffablePages
import DiffableTerminal
import DiffableViews

/// The chat in a terminal: the messages, and a line that says how many are new.
///
/// It sticks to its end until the reader scrolls away.
@MainActor
final class ChatView: ListScreen {
  let list: TerminalList
  let controller: ListController<ChatSection, Int, TerminalList>
  var keyPage: KeyPage?

  nonisolated static let keyTables: [KeyTable<ChatView>] = [
    KeyTable(
      "Keys",
      [
        .quit(), .help,
        KeyBinding(
          [.enter], hint: KeyHint(5, "ask"), help: "ask a question, and go to the newest message"
        ) { view, _ in view.ask() },
        .list(
          [.up, .down], or: Key.typing("kj"), hint: KeyHint(6, "scroll"), help: "scroll by a line"),
      ] + KeyBinding<ChatView>.far(end: KeyHint(4, "newest")))
  ]

  private let source: ChatSource
  private let room: ChatRoom
  /// The last message that was on the screen.
  private var lastSeen: Int?

  init(_ source: ChatSource, _ loader: ChatLoader, _ room: ChatRoom) {
    (self.source, self.room) = (source, room)
    let list = TerminalList(
      size: TerminalSize(columns: 0, rows: 0), layout: .rows(estimatedHeight: 4))
    list.allowsFocus = false
    self.list = list
    let messages = CellRegistration<TerminalCell, Message> { cell, _, message in
      cell.drawing = { size, _ in MessageDrawing.lines(message, columns: size.columns) }
    }
    controller = ListController(host: list, following: source) { cells, path, message in
      loader.willShow([message.id])
      return try cells.dequeueConfiguredReusableCell(using: messages, for: path, item: message)
    }
    controller.sticksToEnd = true
  }

  /// Waits until the newest messages are on the screen.
  func showNewest() async {
    await controller.displayed(source.revision)
  }

  private func ask() -> TerminalProgram.KeyOutcome {
    // A chat that has finished takes no questions.
    Task { [room] in try? await room.ask() }
    controller.scroll(to: .end)
    return .handled(true)
  }

  // MARK: Drawing

  /// The screen for a size; the list gets the space that title and keys leave.
  func screen(_ size: TerminalSize) -> Screen {
    let screen = self.screen(size, below: [title(size)], from: 4) {
      keys(size, newMessages)
    }
    // Also if no line says so, the messages on the screen have been seen.
    if keyPage == nil { _ = newMessages }
    return screen
  }

  /// The number of messages that came below what the reader has seen.
  private var newMessages: Int {
    let snapshot = controller.snapshot
    guard let section = snapshot.indexOfSection(.messages) else { return 0 }
    let messages = snapshot.items(inSectionAt: section)
    func index(of message: Int?) -> Int { message.flatMap(snapshot.itemPath(for:))?.item ?? -1 }
    let shown = list.viewport.rows.last { $0.path.section == section }?.path.item ?? -1
    if shown > index(of: lastSeen) { lastSeen = messages[shown] }
    return lastSeen == nil ? 0 : messages.count - 1 - index(of: lastSeen)
  }

  private func title(_ size: TerminalSize) -> StyledText {
    var line = StyledText(" livelist chat ", TextStyle(color: .cyan, isBold: true))
    let count = controller.snapshot.numberOfItems(inSection: .messages)
    line.append("  \(Figure.count(count, "message", "messages"))")
    if let revision = controller.revision { line.append("   \(revision)", .dim) }
    return line
  }

  private func keys(_ size: TerminalSize, _ new: Int) -> StyledText {
    let count = Figure.count(new, "new message", "new messages")
    let style = TextStyle(color: .yellow, isBold: true, isReversed: true)
    // How to quit comes before the news.
    let texts = new == 0 ? [] : [" ↓ \(count) ", " ↓ \(new) "]
    let hints = hints
    let text = texts.first { $0.columnCount + hints.text(1).columnCount <= size.columns } ?? ""
    let news = StyledText(text, style)
    return hints.line(columns: size.columns - news.columnCount) + news
  }
}

/// Draws messages in as many lines as their texts need.
enum MessageDrawing {
  static func lines(_ message: Message, columns: Int) -> [StyledText] {
    guard let author = message.author else {
      return [StyledText(" " + message.text, .dim), StyledText()]
    }
    let name = StyledText(" " + author, TextStyle(color: color(of: author), isBold: true))
    var text = StyledText(message.text)
    if message.isUnderWay { text.append(" ▍", TextStyle(color: .cyan)) }
    let lines = text.wrapped(toColumns: columns - 2).map { StyledText(" ") + $0 }
    return [name] + lines + [StyledText()]
  }

  private static func color(of author: String) -> TextColor {
    let colors: [TextColor] = [.green, .yellow, .blue, .magenta, .red]
    switch author {
    case ChatScript.assistant: return .cyan
    case ChatScript.reader: return .white
    default:
      let sum = author.unicodeScalars.reduce(0) { $0 + Int($1.value) }
      return colors[sum % colors.count]
    }
  }
}
