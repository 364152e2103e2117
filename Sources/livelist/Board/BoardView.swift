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
  /// Why the server cannot be reached, in a few words; `nil` while it is reached.
  var offlineReason: String? {
    didSet { if offlineReason != oldValue { setNeedsDisplay() } }
  }
  /// What is said in the last line, until the next key.
  private(set) var message: String?
  var keyPage: KeyPage?
  /// The line that the user writes, and what it is for.
  private(set) var entry: Entry?
  /// A card that was added here, and gets the focus when it is on the screen.
  private var added: String?
  /// How long a user who quits waits for changes on which nobody has decided yet.
  var patience = Duration.seconds(3)
  /// Called when the user begins to wait: what waits is to be sent now.
  var sendHandler: @MainActor () -> Void = {}
  /// Called when the user has waited.
  var leaveHandler: @MainActor () -> Void = {}
  /// Waits, while the user quits.
  private var leaving: Task<Void, Never>?

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
    let edits = BoardEdits(board)
    self.edits = edits
    let cards = CellRegistration<TerminalCell, BoardCard> { cell, _, card in
      cell.drawing = { size, state in [edits.line(card, size, state)] }
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
    edits.messageHandler = { [weak self] in self?.say($0) }
    edits.decidedHandler = { [weak self] in self?.goOnLeaving() }
  }

  /// Waits until a revision is on the screen.
  func show(_ batch: BoardBatch) async {
    edits.pending = Set(batch.update.unconfirmedItems)
    await controller.displayed(batch.update.target)
    if let card = added, let path = controller.itemPath(for: card) {
      added = nil
      list.focus(on: path)
    }
    setNeedsDisplay()
  }

  func say(_ text: String) {
    // A user who quits stays to read it.
    stay()
    message = text
    setNeedsDisplay()
  }

  // MARK: Leaving

  var isLeaving: Bool { leaving != nil }

  /// Ends the command when all changes are decided on, at the latest after ``patience``.
  private func leave() {
    // The last line of the list says what the user waits for, and the help would hide it.
    keyPage = nil
    sendHandler()
    leaving = Task { [weak self, patience] in
      guard (try? await Task.sleep(for: patience)) != nil else { return }
      self?.leaveHandler()
    }
  }

  private func goOnLeaving() {
    guard isLeaving else { return }
    if edits.undecidedCount == 0 { leaveHandler() }
    setNeedsDisplay()
  }

  /// Stays, if the user has quit and waits.
  func stay() {
    leaving?.cancel()
    leaving = nil
  }

  // MARK: Keys

  func press(_ key: Key) -> TerminalProgram.KeyOutcome {
    // Who presses another key does not want to wait.
    guard !isLeaving else { return .quit }
    message = nil
    defer { setNeedsDisplay() }
    let outcome = obey(key)
    guard outcome == .quit, edits.undecidedCount > 0 else { return outcome }
    leave()
    return .handled(true)
  }

  /// The focused card.
  private var focusedCard: BoardCard? {
    list.focusedItemPath.flatMap(controller.snapshot.itemIdentifier(for:))
      .flatMap { controller.model(for: $0, as: BoardCard.self) }
  }

  /// Does something with the focused card; without one the list has the key.
  func withCard(_ key: Key, _ act: (BoardCard) -> Void) -> TerminalProgram.KeyOutcome {
    guard let card = focusedCard else { return .handled(list.press(key)) }
    act(card)
    return .handled(true)
  }

  func dismissRefusal() -> Bool {
    focusedCard.map { edits.dismissRefusal(of: $0.id) } ?? false
  }

  /// Begins a new card, or says why there can be none.
  func beginCard() {
    let section = list.focusedItemPath?.section ?? 0
    guard let column = controller.snapshot.sectionIdentifier(at: section) else {
      return say(
        "There is no column yet to add a card to: \(offlineReason ?? "the board is empty").")
    }
    entry = Entry(purpose: .adding(column: column), text: "")
  }

  func beginRenaming(_ card: BoardCard) {
    entry = Entry(purpose: .renaming(card), text: card.title)
  }

  /// Moves the focused card by one place, or to the column before or after.
  func move(_ arrow: Key) -> Bool {
    guard let card = focusedCard, let path = list.focusedItemPath else { return false }
    let snapshot = controller.snapshot
    var (section, item) = (path.section, path.item)
    switch arrow {
    case .shift(.up): item -= 1
    // Before the card after the next one.
    case .shift(.down): item += 2
    case .shift(.left): section -= 1
    case .shift(.right): section += 1
    default: return false
    }
    guard item >= 0, let column = snapshot.sectionIdentifier(at: section) else { return false }
    let cards = snapshot.items(inSectionAt: section)
    edits.move(card, before: item < cards.count ? cards[item] : nil, in: column)
    return true
  }

  /// Changes the line that the user writes.
  func write(_ key: Key) {
    switch key {
    case .character(let scalar): entry?.text.unicodeScalars.append(scalar)
    case .backspace: _ = entry?.text.popLast()
    default: break
    }
  }

  /// Ends the line that the user writes.
  ///
  /// - Parameter isSaved: Whether the card gets it.
  func endLine(isSaved: Bool) {
    defer { entry = nil }
    guard isSaved, let entry else { return }
    switch entry.purpose {
    case .adding(let column):
      guard !entry.text.isEmpty else { return }
      let card = BoardCard(id: UUID().uuidString.lowercased(), title: entry.text)
      added = card.id
      edits.add(card, to: column)
    case .renaming(let card): edits.setTitle(entry.text, of: card)
    }
  }
}
