import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import Testing

@testable import WebLists

/// What `livelist board` does, without a screen: it follows the list over HTTP, and edits it as its keys do.
@MainActor
final class BoardTerminal {
  /// What must be there at the end: the titles of its own cards.
  private(set) var ledger: [String: String] = [:]

  private let board: EditableMirror<BoardBatch>
  private let edits: BoardEdits
  private let following: Task<Void, any Error>
  private var next = 0

  init(_ address: URL) async throws {
    guard let server = BoardServer(address.absoluteString) else { throw URLError(.badURL) }
    let mirror = MirrorSource<BoardBatch>()
    let options = ProposalOptions(pause: .milliseconds(20), longestPause: .milliseconds(200))
    board = try await mirror.editable(options: options, mergeHandler: BoardCard.merged) {
      try await server.answer(to: $0)
    }
    edits = BoardEdits(board)
    following = Task {
      try await mirror.follow(longestWait: .milliseconds(200)) {
        try await server.events(after: $0)
      } decode: {
        try JSONDecoder().decode(ModelDelta.self, from: Data($0))
      }
    }
  }

  nonisolated func stop() { following.cancel() }

  /// Makes random edits.
  func edit(seed: UInt64, times: Int) async throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<times {
      let snapshot = await board.snapshot
      func any<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
        elements.randomElement(using: &random)
      }
      let own = ledger.keys.sorted().filter(snapshot.containsItem)
      guard let column = any(snapshot.sectionIdentifiers), let item = any(snapshot.itemIdentifiers),
        let card = await board.element(for: item)
      else { continue }
      let anchor = any(snapshot.items(inSection: column))
      next += 1
      switch (Int.random(in: 0..<8, using: &random), any(own)) {
      case (0, _), (1, _), (_, nil):
        let new = BoardCard(id: "t-\(next)", title: "t \(next)")
        edits.add(new, to: column)
        ledger[new.id] = new.title
      case (2, _), (3, _): edits.tick(card)
      case (4, _): edits.move(card, before: anchor, in: column)
      case (5, let mine?):
        guard let card = await board.element(for: mine) else { continue }
        edits.setTitle("t \(next)", of: card)
        ledger[mine] = "t \(next)"
      case (6, let mine?):
        guard let card = await board.element(for: mine) else { continue }
        edits.setTitle("  ", of: card)
      case (_, let mine?):
        guard let card = await board.element(for: mine) else { continue }
        edits.delete(card)
        ledger[mine] = nil
      }
      await edits.settle()
    }
  }

  /// Waits until the server has everything: edits are sent in their order, and this one is the last.
  func settle() async throws {
    let card = BoardCard(id: "t-end", title: "The end")
    ledger[card.id] = card.title
    let write = try await board.update { try $0.appendItems([card], toSection: "Done") }
    _ = await write.outcome
  }

  /// Waits until it shows what the server has.
  func wait(for source: BoardSource) async {
    for await batch in board.updates() {
      if await batch.snapshot == source.snapshot { return }
    }
    Issue.record("The board of the terminal has ended")
  }
}
