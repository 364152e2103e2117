import Diffable
import DiffableSync
import DiffableTerminal
import DiffableViews
import Foundation
import Synchronization
import TestScope
import Testing

@testable import livelist

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Board", .deadline)
@MainActor
struct BoardTests {
  /// A board on a screen, and its server.
  @MainActor
  private final class Shared {
    let source = ModelSource<String, BoardCard>(mergeHandler: BoardCard.merged)
    let view: BoardView
    var size = TerminalSize(columns: 60, rows: 14)
    private let network = Network()
    private var tasks: [Task<Void, any Error>] = []

    private final class Network: Sendable {
      struct Unreachable: Error {}

      let isDown = Mutex(false)
    }

    init() async throws {
      try await source.update { draft in
        draft.snapshot.appendSections(["To do", "Done"])
        try draft.appendItems(
          [BoardCard(id: "a", title: "Paint"), BoardCard(id: "b", title: "Gutter")],
          toSection: "To do")
        try draft.appendItems([BoardCard(id: "c", title: "Door", isDone: true)], toSection: "Done")
      }
      let mirror = MirrorSource<BoardBatch>()
      let options = ProposalOptions(pause: .milliseconds(1), longestPause: .milliseconds(2))
      let board = try await mirror.editable(options: options, mergeHandler: BoardCard.merged) {
        [source, network] proposal in
        guard !network.isDown.withLock({ $0 }) else { throw Network.Unreachable() }
        return try await source.accept(proposal) { _, draft in
          for card in draft.snapshot.itemIdentifiers.compactMap({ draft.model(for: $0) })
          where card.title.isEmpty {
            throw Refusal(code: "title", reason: "A card needs a title.")
          }
        }
      }
      view = BoardView(board)
      _ = screen
      tasks = [
        Task { [source] in
          try await mirror.follow {
            source.events(after: $0) { try Array(JSONEncoder().encode($0)) }
          } decode: {
            try JSONDecoder().decode(ModelDelta.self, from: Data($0))
          }
        },
        Task { [view] in
          for await batch in board.updates() { await view.show(batch) }
        },
      ]
      try await wait { self.view.controller.snapshot.numberOfItems == 3 }
      press(.down, .home)
    }

    deinit { for task in tasks { task.cancel() } }

    func become(offline reason: String?) {
      network.isDown.withLock { $0 = reason != nil }
      view.offlineReason = reason
    }

    var screen: [String] { view.screen(size).lines.map(\.text) }

    func press(_ keys: Key...) {
      for key in keys {
        _ = screen
        _ = view.press(key)
      }
    }

    func type(_ text: String) { for scalar in text.unicodeScalars { press(.character(scalar)) } }

    /// Waits until the server has what is expected, and the screen shows it as confirmed.
    func settle(_ expected: String) async throws {
      try await wait {
        let (text, snapshot) = (await self.source.text, await self.source.snapshot)
        return text == expected && self.view.edits.pending.isEmpty
          && self.view.controller.snapshot == snapshot
      }
    }
  }

  @Test("Keys change cards at once, and the server makes the same")
  func keys() async throws {
    let board = try await Shared()
    board.press(.character(" "))
    try await board.settle("To do[Paint* Gutter] Done[Door*]")
    board.press(.shift(.down))
    try await board.settle("To do[Gutter Paint*] Done[Door*]")
    board.press(.shift(.right))
    try await board.settle("To do[Gutter] Done[Door* Paint*]")
    board.press(.shift(.up))
    try await board.settle("To do[Gutter] Done[Paint* Door*]")
    board.press(.enter)
    board.type("er")
    board.press(.backspace, .enter)
    try await board.settle("To do[Gutter] Done[Painte* Door*]")
    board.press(.character("u"))
    try await board.settle("To do[Gutter] Done[Paint* Door*]")
    board.press(.character("a"))
    board.type("Lamp")
    #expect(board.screen.last?.hasPrefix(" Add to Done: Lamp  ") == true)
    board.press(.enter)
    try await board.settle("To do[Gutter] Done[Paint* Door* Lamp]")
    try await wait { board.view.list.focusedItemPath == ItemPath(section: 1, item: 2) }
    board.press(.character("d"))
    try await board.settle("To do[Gutter] Done[Paint* Door*]")
  }

  @Test("Each card moves by one place in each direction, and not beyond the ends of the board")
  func moves() async throws {
    let columns = [["Paint", "Gutter"], ["Door*"]]
    for (section, item) in [(0, 0), (0, 1), (1, 0)] {
      for arrow in [Key.up, .down, .left, .right] {
        let board = try await Shared()
        for _ in 0..<section * 2 + item { board.press(.down) }
        #expect(board.view.list.focusedItemPath == ItemPath(section: section, item: item))
        var expected = columns
        let card = expected[section].remove(at: item)
        let target =
          switch arrow {
          case .up: (section, max(0, item - 1))
          case .down: (section, min(item + 1, expected[section].count))
          case .left: section == 0 ? (section, item) : (section - 1, item)
          default: section == 1 ? (section, item) : (section + 1, item)
          }
        let place = min(target.1, expected[target.0].count)
        expected[target.0].insert(card, at: place)
        board.press(.shift(arrow))
        await board.view.edits.settle()
        let texts = expected.map { $0.joined(separator: " ") }
        try await board.settle("To do[\(texts[0])] Done[\(texts[1])]")
      }
    }
  }

  @Test("A line that is left, or a new card without a title, changes nothing")
  func leftLines() async throws {
    let board = try await Shared()
    for keys: [Key] in [
      [.character("a"), .character("x"), .escape], [.character("a"), .enter],
      [.character("a"), .character("x"), .backspace, .backspace, .enter],
      [.enter, .character("x"), .escape], [.enter, .enter],
    ] {
      for key in keys { board.press(key) }
      #expect(board.view.entry == nil, "\(keys)")
      await board.view.edits.settle()
      try await board.settle("To do[Paint Gutter] Done[Door*]")
    }
    // Keys that move the focus are letters in a title.
    board.press(.enter)
    board.type("jq?u")
    #expect(board.screen.last?.contains("Paintjq?u") == true)
    #expect(board.view.list.focusedItemPath == ItemPath(section: 0, item: 0))
    board.press(.enter)
    try await board.settle("To do[Paintjq?u Gutter] Done[Door*]")
    board.press(.character("u"))
    try await board.settle("To do[Paint Gutter] Done[Door*]")
  }

  @Test("A new card has the focus, also on an empty board")
  func focus() async throws {
    let board = try await Shared()
    try await board.source.update { $0.deleteItems(["a", "b", "c"]) }
    try await board.settle("To do[] Done[]")
    #expect(board.view.list.focusedItemPath == nil)
    for (number, title) in ["Lamp", "Fence"].enumerated() {
      board.press(.character("a"))
      board.type(title)
      board.press(.enter)
      try await wait { board.view.list.focusedItemPath == ItemPath(section: 0, item: number) }
      board.press(.character(" "))
    }
    try await board.settle("To do[Lamp* Fence*] Done[]")
  }

  @Test("While nothing can be reached, the reason is shown, changes wait, and can be taken back")
  func offline() async throws {
    let board = try await Shared()
    board.become(offline: "there is no network")
    board.press(.character(" "), .shift(.right))
    try await wait { board.view.controller.snapshot.items(inSection: "Done").count == 2 }
    #expect(board.screen[1].hasPrefix(" Offline, there is no network: 1 card waits "))
    // Where both do not fit, the cards show that they wait.
    board.size.columns = 40
    #expect(board.screen[1] == " Offline, there is no network ".aligned(.left, columns: 40))
    board.size.columns = 60
    #expect(board.screen.contains { $0.hasPrefix(" … [x] Paint") })
    board.press(.character("u"))
    try await wait { board.view.controller.snapshot.items(inSection: "Done").count == 1 }
    // Others go on.
    try await board.source.update { try $0.moveItem("b", beforeItem: "c") }
    board.become(offline: nil)
    try await board.settle("To do[Paint*] Done[Gutter Door*]")
    #expect(!board.screen.contains { $0.contains("Offline") || $0.contains("…") })
  }

  @Test("A card stays in its column if the one that it was moved before has left it meanwhile")
  func leftColumn() async throws {
    let board = try await Shared()
    board.become(offline: "there is no network")
    board.press(.down, .shift(.up))
    try await wait { board.view.controller.snapshot.items(inSection: "To do").first == "b" }
    try await board.source.update { try $0.moveItem("a", toSection: "Done") }
    try await wait { board.view.controller.snapshot.items(inSection: "Done").contains("a") }
    #expect(Array(board.view.controller.snapshot.items(inSection: "To do")) == ["b"])
    board.become(offline: nil)
    try await board.settle("To do[Gutter] Done[Door* Paint]")
  }

  @Test("A refusal is shown at the card, until it is dismissed")
  func refusal() async throws {
    let board = try await Shared()
    board.press(.enter)
    for _ in "Paint" { board.press(.backspace) }
    board.press(.enter)
    let reason = "not saved: A card needs a title."
    try await wait { board.screen.contains { $0.contains("[ ] Paint  \(reason)") } }
    #expect(board.screen.last?.contains("“Paint” was not saved") == true)
    board.press(.escape)
    #expect(!board.screen.contains { $0.contains("not saved") })
    try await board.settle("To do[Paint Gutter] Done[Door*]")
  }

  @MainActor
  private final class Counter {
    private(set) var number = 0

    func count() { number += 1 }
  }

  @Test("Who quits waits for changes on which nobody has decided, for a while or until another key")
  func leaving() async throws {
    let board = try await Shared()
    let (departures, attempts) = (Counter(), Counter())
    board.view.leaveHandler = departures.count
    board.view.sendHandler = attempts.count
    board.view.patience = .seconds(3600)
    #expect(board.view.press(.character("q")) == .quit)
    for (key, end) in [("d", "To do[Gutter] Done[Door*]"), ("u", "To do[Gutter] Done[Door*]")] {
      let former = departures.number
      board.become(offline: "there is no network")
      board.press(.down, .home, .character(" "))
      board.type(key)
      #expect(board.view.press(.character("q")) == .handled(true))
      #expect(board.screen.last?.hasPrefix(" Sending 2 changes; any key ends") == true)
      #expect(board.view.press(.down) == .quit)
      #expect(departures.number == former && attempts.number == former + 1)
      board.become(offline: nil)
      try await wait { departures.number == former + 1 }
      try await board.settle(end)
      #expect(board.view.edits.undecidedCount == 0)
      board.view.stay()
    }
    // Nobody answers.
    board.view.patience = .zero
    board.become(offline: "there is no network")
    board.press(.down, .home, .character(" "))
    #expect(board.view.press(.character("q")) == .handled(true))
    try await wait { departures.number == 3 }
    #expect(board.view.edits.undecidedCount == 1)
  }

  @Test("Who quits while a change is refused stays to read why")
  func refusedWhileLeaving() async throws {
    let board = try await Shared()
    let hasLeft = Mutex(false)
    board.view.leaveHandler = { hasLeft.withLock { $0 = true } }
    board.view.patience = .seconds(3600)
    board.become(offline: "there is no network")
    board.press(.enter)
    for _ in "Paint" { board.press(.backspace) }
    board.press(.enter)
    #expect(board.view.press(.character("q")) == .handled(true))
    board.become(offline: nil)
    try await wait { !board.view.isLeaving }
    #expect(board.screen.last?.contains("“Paint” was not saved") == true)
    #expect(!hasLeft.withLock { $0 })
    try await wait { board.view.edits.undecidedCount == 0 }
    #expect(board.view.press(.character("q")) == .quit)
  }

  @Test("Undo says so if there is nothing to undo")
  func nothingToUndo() async throws {
    let board = try await Shared()
    board.press(.character("u"))
    try await wait { board.screen.last?.contains("There is nothing to undo") == true }
    board.press(.character(" "))
    #expect(board.screen.last?.contains("There is nothing to undo") == false)
    try await board.settle("To do[Paint* Gutter] Done[Door*]")
    board.press(.character("u"))
    try await board.settle("To do[Paint Gutter] Done[Door*]")
    #expect(board.screen.last?.contains("There is nothing to undo") == false)
  }

  @Test("What is drawn fits, however small the terminal is")
  func sizes() async throws {
    let board = try await Shared()
    board.view.offlineReason = "there is no network"
    board.view.expectFits()
  }

  @Test("Why the server cannot be reached is said in a few words")
  func reasons() {
    let texts = [NSLocalizedDescriptionKey: "SSL certificate problem: self-signed certificate"]
    let expected: [(any Error, String)] = [
      (URLError(.cannotConnectToHost), "cannot connect to the server"),
      (URLError(.cannotFindHost), "there is no such host"),
      (URLError(.serverCertificateUntrusted), "the certificate was refused"),
      (URLError(.unknown, userInfo: texts), "the certificate was refused"),
      (URLError(.timedOut), "the server does not answer"),
      (EventStreamError.silent(.seconds(45)), "the server says nothing"),
      (BoardServerError(status: 503), "the server said 503"),
      (
        DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "{")),
        "the server's answer cannot be read"
      ),
    ]
    for (error, words) in expected {
      #expect(BoardServer.words(for: error) == words)
    }
  }

  @Test("The address that the server prints names the list and the ticket")
  func addresses() {
    for (text, list) in [
      ("http://127.0.0.1:8080/?ticket=abc", "http://127.0.0.1:8080/lists/board"),
      ("https://example.org/?ticket=a#board", "https://example.org/lists/board"),
      ("http://[::1]:80", "http://[::1]:80/lists/board"),
    ] {
      #expect(BoardServer(text)?.list.absoluteString == list)
    }
    for text in ["", "127.0.0.1", "ftp://example.org", "http://", "nats://a"] {
      #expect(BoardServer(text) == nil)
    }
  }
}

extension ModelSource<String, BoardCard> {
  fileprivate var text: String {
    snapshot.sectionIdentifiers.map { column in
      let cards = snapshot.items(inSection: column).compactMap { model(for: $0) }
      return column + "[" + cards.map { $0.title + ($0.isDone ? "*" : "") }.joined(separator: " ")
        + "]"
    }.joined(separator: " ")
  }
}
