import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

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

@Suite("An edit that runs again finds the rows that others have renamed", .deadline)
struct RenamedUpdateTests {
  private typealias Cards = ReplicatedSource<ModelBatch<String, Card>>

  /// Lets requests to append get lost, and says when the first one was.
  private func disturb(_ way: MemoryLog.Participant) -> Flag {
    let isOffered = Flag()
    way.disturb { request in
      guard request == .append else { return nil }
      isOffered.raise()
      return .loseRequest
    }
    return isOffered
  }

  @Test func `It applies to the row under its new name, with its model`() async throws {
    let log = MemoryLog()
    let near = log.participant()
    let (mine, other) = (try await Cards(cards: near), try await Cards(cards: log.participant()))
    try await mine.apply((1...3).map { Card(id: $0) }, section: \.column, sections: ["a", "b"])
    try await other.reached(Revision(1))
    let isOffered = disturb(near)
    let write = Task {
      try await mine.update { draft -> String? in
        try draft.update(2) { $0.text += "edited" }
        try draft.moveItem(2, toSection: "b")
        return draft.model(for: 2)?.text
      }
    }
    try await wait { isOffered.isRaised }
    let last = try await other.update { draft in
      try draft.renameItem(2, to: Card(id: 20, text: "renamed "))
      try draft.renameItem(1, to: Card(id: 10))
    }.revision
    try await mine.reached(last)
    near.heal()
    #expect(try await write.value.value == "renamed edited")
    #expect(await "\(mine.snapshot)" == "a[10 3] b[20]")
    #expect(await mine.element(for: 20)?.text == "renamed edited")
  }

  @Test("Moves follow rows, however often others rename them", arguments: 0..<rounds(40 as UInt64))
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    // Nothing of the history stays but what a write needs.
    let (near, mine, other) = try await ReplicatedSourceTests.two(history: 0) {
      $0 = try .list(0..<6)
    }
    /// The rows from top to bottom, and their names.
    var (order, names) = (Array(0..<6), Array(0..<6))
    for step in 0..<4 {
      let isOffered = disturb(near)
      let (row, target) = (random.number(below: 6), random.number(below: 6))
      let (item, first) = (names[row], names[target])
      let write = Task {
        try await mine.update { snapshot -> Int? in
          if item != first { try snapshot.moveItem(item, beforeItem: first) }
          snapshot.appendSections(["\(step)"])
          return snapshot.itemPath(for: item)?.item
        }
      }
      try await wait { isOffered.isRaised }
      var last = Revision.empty
      for rename in 0...random.number(below: 3) {
        let renamed = random.number(below: 6)
        let (old, new) = (names[renamed], 100 * step + 10 * rename + 10)
        last = try await other.update { try $0.renameItem(old, to: new) }.revision
        names[renamed] = new
      }
      try await mine.reached(last)
      near.heal()
      let place = try await write.value.value
      if row != target {
        order.removeAll { $0 == row }
        order.insert(row, at: order.firstIndex(of: target) ?? 0)
      }
      #expect(place == order.firstIndex(of: row), "seed \(seed), step \(step)")
      #expect(
        await mine.snapshot.itemIdentifiers == order.map { names[$0] }, "seed \(seed), step \(step)"
      )
      try await other.reached(await mine.revision)
    }
  }

  @Test func `An optimistic change applies to the row under its new name`() async throws {
    let log = MemoryLog()
    let (near, far) = (log.participant(), log.participant())
    let (mine, other) = (try await Cards(cards: near), try await Cards(cards: far))
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

  /// Others may have renamed it before and after, and all of it may be read at once.
  @Test(
    "A row that an optimistic change has renamed stays the same row when that is confirmed",
    arguments: [false, true], [false, true])
  func confirmed(isRenamedBefore: Bool, isRenamedAfter: Bool) throws {
    let below = SourceCore<Int, Int>(SourceOptions(), kernels: .ofNumbers(), children: nil)
    try below.begin(with: [1, 2], in: 0)
    let core = SourceCore<Int, Int>(SourceOptions(), kernels: .ofNumbers(), children: nil)
    let overlay = Overlay<UpdateBatch<Int, Int>, Bool>(core, on: below, released: false)
    overlay.rebase(.reset)
    let edit = try overlay.add(
      { state, _, _ in
        try state.renameItem(1, to: 5)
        return Contradictions()
      }, named: nil, .animated
    ).edit
    #expect(core.snapshot.itemIdentifiers == [5, 2])
    let cursor = CursorToken(hub: core.hub, policy: .coalesced, after: core.revision)

    if isRenamedBefore { try below.write { try $0.renameItem(1, to: 7) } }
    try below.write { try $0.renameItem(isRenamedBefore ? 7 : 1, to: 5) }
    let own = below.revision
    if isRenamedAfter { try below.write { try $0.renameItem(5, to: 9) } }
    overlay.remove(edit.id)
    overlay.rebase(showing: [own])

    #expect(core.snapshot.itemIdentifiers == (isRenamedAfter ? [9, 2] : [5, 2]))
    let batch = try #require(RevisionReader<Int, Int>(hub: core.hub).poll(cursor))
    #expect(batch.renamedItems == (isRenamedAfter ? [ItemRename(old: 5, new: 9)] : []))
    #expect(batch.difference.itemDeletes.isEmpty && batch.difference.itemInserts.isEmpty)
    #expect(batch.unconfirmedItems.isEmpty)
  }
}
