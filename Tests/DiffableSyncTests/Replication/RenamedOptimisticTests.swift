import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

extension ReplicatedSource<ModelBatch<String, Card>> {
  /// A participant that writes cards as JSON.
  init(
    cards log: any RevisionLog, options: ReplicationOptions = .quick,
    mergeHandler: (@Sendable (_ base: Card, _ theirs: Card, _ mine: Card) -> Card)? = nil
  ) async throws {
    try await self.init(log, options: options, mergeHandler: mergeHandler) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(ModelDelta<String, Card>.self, from: Data($0))
    }
  }
}

@Suite("An optimistic change follows rows that others rename", .deadline)
struct RenamedOptimisticTests {
  typealias Replica = ReplicatedSource<ModelBatch<String, Card>>

  private func replica(_ log: any RevisionLog) async throws -> Replica {
    try await Replica(cards: log)
  }

  @Test func `An optimistic change applies to the row under its new name`() async throws {
    let log = MemoryLog()
    let (near, far) = (log.participant(), log.participant())
    let (mine, other) = (try await replica(near), try await replica(far))
    try await mine.apply((1...3).map { Card(id: $0) }, section: \.column, sections: ["a", "b"])
    try await other.reached(Revision(1))
    let list = await mine.optimistic()
    near.disturb { $0 == .append ? .loseRequest : nil }
    // Made under the old names, in all ways that there are.
    let writes = [
      try await list.update { try $0.update(2) { $0.text = "edited" } },
      try await list.update { try $0.moveItem(2, toSection: "b") },
      try await list.update { draft in
        let text = draft.model(for: 2)?.text ?? ""
        draft.setModel(Card(id: 2, column: "b", text: text + " twice"))
      },
      try await list.update { try $0.renameItem(3, to: Card(id: 30)) },
      try await list.update { try $0.update(30) { $0.text = "own" } },
      try await list.update { draft in
        // This too is a move for many programs.
        draft.deleteItems([2])
        try draft.appendItems([Card(id: 2, column: "b", text: "again")], toSection: "b")
      },
    ]
    try await other.update { draft in
      try draft.renameItem(2, to: Card(id: 20))
      try draft.renameItem(1, to: Card(id: 10))
    }
    try await mine.reached(Revision(2))
    #expect(await "\(list.snapshot)" == "a[10 30] b[20]")
    #expect(await list.snapshot.model(of: 20, as: Card.self)?.text == "again")
    // This one knows the new name.
    let last = try await list.update { try $0.update(20) { $0.text += " more" } }
    near.heal()
    for write in writes + [last] { try #require(await write.outcome.acceptance != nil) }
    #expect(await "\(mine.snapshot)" == "a[10 30] b[20]")
    let card = await mine.element(for: 20)
    #expect(card == Card(id: 20, column: "b", text: "again more"))
    #expect(await mine.element(for: 30)?.text == "own")
    #expect(await list.snapshot == mine.snapshot)
  }

  @Test("Optimistic moves follow rows whoever renames them", arguments: 0..<rounds(10 as UInt64))
  func optimistic(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (near, mine, other) = try await ReplicatedSourceTests.two { $0 = try .list(0..<6) }
    let list = await mine.optimistic()
    near.disturb { $0 == .append ? .loseRequest : nil }
    // By row: the name that the user of the list sees, and that of the others.
    var (seen, names) = (Array(0..<6), Array(0..<6))
    var order = Array(0..<6)
    var writes: [OptimisticWrite<String, Int>] = []
    for step in 0..<12 {
      let row = random.number(below: 6)
      switch random.number(below: 3) {
      case 0 where names[row] == row && seen[row] == row:
        let (old, new) = (names[row], 100 + step)
        let revision = try await other.update { try $0.renameItem(old, to: new) }.revision
        try await mine.reached(revision)
        (names[row], seen[row]) = (new, new)
      case 1 where seen[row] == row:
        let (old, new) = (seen[row], 200 + step)
        writes.append(try await list.update { try $0.renameItem(old, to: new) })
        seen[row] = new
      default:
        let item = seen[row]
        writes.append(
          try await list.update { snapshot in
            guard let first = snapshot.itemIdentifiers.first, first != item else { return }
            try snapshot.moveItem(item, beforeItem: first)
          })
        order.removeAll { $0 == row }
        order.insert(row, at: 0)
      }
      #expect(
        await list.snapshot.itemIdentifiers == order.map { seen[$0] }, "seed \(seed), step \(step)")
    }
    near.heal()
    for write in writes {
      if case .failed(let error) = await write.outcome { Issue.record("seed \(seed): \(error)") }
    }
    #expect(await mine.snapshot.itemIdentifiers == order.map { seen[$0] }, "seed \(seed)")
  }
}
