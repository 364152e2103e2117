import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// An edit may insert a row with its model, and delete it again: nobody hears of it.
@Suite(.deadline) struct PassingRowTests {
  private typealias Replica = ReplicatedSource<ModelBatch<String, Card>>

  /// Inserts a row and a section with a row, gives models, deletes them, and inserts one that stays.
  private static func edit(_ draft: inout ModelDraft<String, Card>) throws {
    try draft.appendItems([Card(id: 8), Card(id: 9)], toSection: "s")
    draft.setModel(Card(id: 8, text: "gone"))
    draft.appendSections(["t"])
    try draft.appendItems([Card(id: 7)], toSection: "t")
    draft.setModel(Card(id: 7, text: "gone"))
    draft.snapshot.deleteSections(["t"])
    draft.deleteItems([8])
  }

  @Test func `In a shared list, at once and when it is accepted`() async throws {
    let log = MemoryLog()
    let mine = try await Replica(cards: log.participant())
    let other = try await Replica(cards: log.participant())
    try await mine.apply([Card(id: 1)], section: { _ in "s" })
    let revision = try await mine.update(Self.edit).revision
    try await other.reached(revision)
    let optimistic = await mine.optimistic()
    let write = try await optimistic.update { draft in
      draft.deleteItems([9])
      try Self.edit(&draft)
    }
    #expect(await optimistic.elements.map(\.id) == [1, 9])
    let accepted = try #require(await write.outcome.acceptance)
    try await other.reached(accepted.target)
    for list in [mine, other] {
      #expect(await list.elements.map(\.id) == [1, 9])
      #expect(await list.snapshot.sectionIdentifiers == ["s"])
    }
  }

  @Test func `Through the wire`() async throws {
    let link = try await ProposalLink.started(0..<2)
    let list = try await link.editable()
    let write = try await list.update(Self.edit)
    #expect(await list.elements.map(\.id) == [0, 1, 9])
    try await link.sending(1)
    try await wait { await link.server.snapshot.numberOfItems == 3 }
    try await link.deliverAll()
    try #require(await write.outcome.acceptance != nil)
    #expect(await link.server.elements.map(\.id) == [0, 1, 9])
    #expect(await link.mirror.snapshot == link.server.snapshot)
  }
}
