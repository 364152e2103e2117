import Diffable
import DiffableSync
import DiffableTerminal
import DiffableViews
import Foundation

/// The board in a terminal: columns one below the other, and a line to write in.
@MainActor
final class BoardView: ListScreen {
  static let headerKind = "header"

  let list: TerminalList
  let controller: ListController<String, String, TerminalList>
  let edits: BoardEdits
  /// Called when the screen has to be drawn again.
  var changeHandler: @MainActor () -> Void = {}
  /// Why the server cannot be reached, in a few words; `nil` while it is reached.
  var offlineReason: String? {
    didSet { if offlineReason != oldValue { changeHandler() } }
  }
  /// What is said in the last line, until the next key.
  private(set) var message: String?
  /// The line that the user writes, and what it is for.
  private(set) var entry: Entry?
  /// What the server does not have yet.
  private(set) var pending: Set<String> = []
  /// A card that was added here, and gets the focus when it is on the screen.
  private var added: String?

  struct Entry {
    enum Purpose {
      case adding(column: String)
      case renaming(BoardCard)
    }

    let purpose: Purpose
    var text: String
  }

  init(_ board: EditableMirror<BoardBatch>) {
    let list = TerminalList(
      size: TerminalSize(columns: 0, rows: 0), layout: .rows(headerKind: BoardView.headerKind))
    self.list = list
    edits = BoardEdits(board)
    let drawing = BoardDrawing()
    let cards = CellRegistration<TerminalCell, BoardCard> { cell, _, card in
      cell.drawing = { size, state in [drawing.line(card, size, state)] }
    }
    let headers = SupplementaryRegistration<TerminalCell, StyledText>(
      elementKind: BoardView.headerKind
    ) { view, _, line in view.line = line }
    controller = ListController(host: list, following: board) { cells, path, card in
      try cells.dequeueConfiguredReusableCell(using: cards, for: path, item: card)
    }
    controller.supplementaryProviders[BoardView.headerKind] = { views, path, column in
      try views.dequeueConfiguredReusableSupplementary(
        using: headers, for: path,
        model: StyledText(
          " " + column.printable(), TextStyle(color: .blue, isBold: true)))
    }
    drawing.view = self
    list.changeHandler = { [weak self] in self?.changeHandler() }
    edits.messageHandler = { [weak self] in self?.say($0) }
  }

  /// Waits until a revision is on the screen.
  func show(_ batch: BoardBatch) async {
    pending = Set(batch.update.unconfirmedItems)
    await controller.displayed(batch.update.target)
    if let card = added, let path = controller.itemPath(for: card) {
      added = nil
      list.focus(on: path)
    }
    changeHandler()
  }

  private func say(_ text: String) {
    message = text
    changeHandler()
  }

  // MARK: Keys

  func press(_ key: Key) -> TerminalProgram.KeyOutcome {
    message = nil
    if entry != nil {
      write(key)
    } else if key == .character("q") || key == .character("Q") {
      return .quit
    } else if !act(key) {
      return .handled(list.press(key))
    }
    changeHandler()
    return .handled(true)
  }

  private func act(_ key: Key) -> Bool {
    let snapshot = controller.snapshot
    let path = list.focusedItemPath
    let card = path.flatMap(snapshot.itemIdentifier(for:))
      .flatMap { controller.model(for: $0, as: BoardCard.self) }
    if key == .character("u") {
      edits.undo()
      return true
    }
    if key == .character("a") {
      guard let column = snapshot.sectionIdentifier(at: path?.section ?? 0) else {
        say("There is no column yet to add a card to: \(offlineReason ?? "the board is empty").")
        return true
      }
      entry = Entry(purpose: .adding(column: column), text: "")
      return true
    }
    guard let card, let path else { return false }
    switch key {
    case .character(" "): edits.tick(card)
    case .enter: entry = Entry(purpose: .renaming(card), text: card.title)
    case .character("d"), .delete: edits.delete(card)
    case .escape: return edits.dismissRefusal(of: card.id)
    case .shift(let arrow): return move(card, path, arrow)
    default: return false
    }
    return true
  }

  /// Moves a card by one place, or to the column before or after.
  private func move(_ card: BoardCard, _ path: ItemPath, _ arrow: Key) -> Bool {
    let snapshot = controller.snapshot
    var (section, item) = (path.section, path.item)
    switch arrow {
    case .up: item -= 1
    // Before the card after the next one.
    case .down: item += 2
    case .left: section -= 1
    case .right: section += 1
    default: return false
    }
    guard item >= 0, let column = snapshot.sectionIdentifier(at: section) else { return false }
    let cards = snapshot.items(inSectionAt: section)
    edits.move(card, before: item < cards.count ? cards[item] : nil, in: column)
    return true
  }

  private func write(_ key: Key) {
    guard var line = entry else { return }
    switch key {
    case .character(let scalar): line.text.unicodeScalars.append(scalar)
    case .backspace: _ = line.text.popLast()
    case .escape:
      entry = nil
      return
    case .enter:
      entry = nil
      switch line.purpose {
      case .adding(let column):
        guard !line.text.isEmpty else { return }
        let card = BoardCard(id: UUID().uuidString.lowercased(), title: line.text)
        added = card.id
        edits.add(card, to: column)
      case .renaming(let card): edits.setTitle(line.text, of: card)
      }
      return
    default: return
    }
    entry = line
  }
}
