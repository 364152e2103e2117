import Diffable
import DiffablePages
import DiffableQueries
import DiffableSync
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing

@testable import livelist

extension Key {
  /// All keys that a terminal sends, and that views may have.
  static let all: [Key] =
    (0x20...0x7E).compactMap(Unicode.Scalar.init).map(Key.character) + named
    + named.map(Key.shift)

  private static let named: [Key] = [
    .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .tab, .escape, .backspace,
    .delete,
  ]
}

/// A view that does one thing, in which keys are pressed.
@MainActor
protocol Stage {
  associatedtype View: ListScreen
  var name: String { get }
  var view: View { get }
  /// Takes back what a key has done to the view, as far as its keys depend on that.
  var reset: @MainActor () -> Void { get }
}

struct KeyStage<View: ListScreen>: Stage {
  let name: String
  let view: View
  let reset: @MainActor () -> Void
}

/// Every view, in all that it can be doing.
@MainActor
func allStages() async throws -> [any Stage] {
  var stages: [any Stage] = []
  for grouping in ProcessArrangement.Grouping.allCases {
    let view = try await ProcessView.filled(grouping)
    stages.append(KeyStage(name: "processes, \(grouping)", view: view) { view.type("") })
    stages.append(KeyStage(name: "search, \(grouping)", view: view) { view.type("/") })
  }
  let gallery = try await GalleryView.filled()
  stages.append(KeyStage(name: "gallery", view: gallery) { gallery.type("") })
  stages.append(KeyStage(name: "search in the gallery", view: gallery) { gallery.type("/") })
  let source = ChatSource()
  let loader = ChatArchive(latency: .zero).loader(into: source)
  let chat = ChatView(source, loader, ChatRoom(source))
  stages.append(KeyStage(name: "chat", view: chat) { chat.keyPage = nil })
  let board = try await BoardView.filled()
  stages.append(KeyStage(name: "board", view: board) { board.restart() })
  stages.append(
    KeyStage(name: "writing on the board", view: board) {
      board.restart()
      board.beginCard()
    })
  return stages
}

extension ListScreen {
  /// Expects that what is drawn fits, however small the terminal is, and says how to quit.
  func expectFits() {
    for columns in [0, 1, 2, 3, 5, 8, 13, 30, 200] {
      for rows in [0, 1, 2, 3, 4, 5, 6, 7, 40] {
        let lines = screen(TerminalSize(columns: columns, rows: rows)).lines
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.columnCount <= columns })
        #expect(list.layoutError == nil)
        let saysHowToQuit = lines.last?.text.contains("q quit") ?? false
        #expect(saysHowToQuit == (rows >= 2 && columns >= 6), "\(columns)×\(rows)")
      }
    }
  }
}

extension Stage {
  /// The table of the keys that the view obeys now.
  var table: KeyTable<View>? { View.keyTables.first { $0.isActive(view) } }

  /// Whether the last line is one that the user writes in.
  var writesInLastLine: Bool { name.hasPrefix("search,") || name.hasPrefix("writing") }
}

extension SearchScreen {
  /// Shows the list without a search, and types something.
  func type(_ text: String) {
    keyPage = nil
    _ = edit(.character("/"))
    _ = edit(.escape)
    for scalar in text.unicodeScalars { _ = edit(.character(scalar)) }
  }
}

extension ProcessView {
  /// A view of five processes of two users.
  static func filled(
    _ grouping: ProcessArrangement.Grouping = .users, order: ProcessOrder = .cpu
  ) async throws -> ProcessView {
    let source = ProcessSource()
    try await source.write(
      listed(
        [(1, "root"), (77, "root"), (4321, "ann"), (4322, "ann"), (4323, "ann")],
        parents: [77: 1, 4322: 4321]),
      permille: [77: 3, 4321: 1234, 4322: 250], memory: [1: 12_345_678, 4321: 3 << 30],
      machineMemory: MachineMemory(total: 8 << 30, used: 3 << 30))
    let arrangement = ProcessArrangement(order: order, grouping: grouping)
    let view = ProcessView(source.derived { arrangement.query($0) }, arrangement, cores: 2)
    _ = view.screen(.standard)
    _ = await view.shown.snapshot
    let summary = try #require(await source.sectionModel(for: .everybody))
    await view.show(await view.shown.revision, summary)
    return view
  }
}

extension GalleryView {
  /// A view of the gallery when it opens; nobody writes.
  static func filled() async throws -> GalleryView {
    let source = GallerySource()
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    let view = GalleryView(source)
    _ = view.screen(.standard)
    await view.showNewest()
    return view
  }
}

extension BoardView {
  /// A view of a board that nobody has been able to reach.
  static func unreached(_ reason: String?) async throws -> BoardView {
    let mirror = MirrorSource<BoardBatch>()
    let board = try await mirror.editable(mergeHandler: BoardCard.merged) { _ in
      throw CancellationError()
    }
    let view = BoardView(board)
    view.offlineReason = reason
    return view
  }

  /// A view of a board with two columns and two cards.
  static func filled() async throws -> BoardView {
    let source = ModelSource<String, BoardCard>(mergeHandler: BoardCard.merged)
    try await source.update { draft in
      draft.snapshot.appendSections(["To do", "Done"])
      try draft.appendItems(
        [BoardCard(id: "a", title: "Paint"), BoardCard(id: "b", title: "Gutter")],
        toSection: "To do")
    }
    let mirror = MirrorSource<BoardBatch>()
    let board = try await mirror.editable(mergeHandler: BoardCard.merged) { proposal in
      try await source.accept(proposal) { _, _ in }
    }
    let view = BoardView(board)
    _ = view.screen(.standard)
    var batches = source.updates().makeAsyncIterator()
    _ = try await mirror.apply(ModelDelta(#require(await batches.next())))
    await view.controller.displayed(await board.revision)
    return view
  }

  fileprivate func restart() {
    stay()
    keyPage = nil
    endLine(isSaved: false)
    _ = list.press(.home)
  }
}
