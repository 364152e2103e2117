import Diffable
import DiffableSync
import ListSupport
import TestScope
import Testing

/// What a follower learns from answers, while its stream is late.
@Suite("Changes that wait go out in a row", .deadline) struct WholeAnswerTests {
  typealias Batch = ModelBatch<String, Card>

  private func areAccepted(_ writes: [ProposedWrite<Batch>]) async -> Bool {
    for write in writes { guard case .accepted = await write.outcome else { return false } }
    return true
  }

  @Test("A row that the owner calls otherwise stays the same row, also for the next change")
  func renames() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.answerWhole()
    await link.decide { change, draft in
      for case .insertItem(let id, _) in change.changes {
        guard var card = draft.model(for: id) else { continue }
        card = Card(id: id + 1000, column: card.column, text: "given")
        try draft.renameItem(id, to: card)
      }
    }
    await link.will(.waits)
    let list = try await link.editable()
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0])
    let first = try await list.update { try $0.appendItems([Card(id: 1)], toSection: "s") }
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0, 1])
    let second = try await list.update { try $0.moveItem(1, beforeItem: 0) }
    #expect(await batches.next()?.snapshot.itemIdentifiers == [1, 0])
    try await link.sending(1)
    await link.release()
    #expect(await areAccepted([first, second]))
    while let batch = await batches.next() {
      #expect(batch.difference.itemInserts.isEmpty && batch.difference.itemDeletes.isEmpty)
      if batch.update.unconfirmedItems.isEmpty, batch.snapshot.itemIdentifiers == [1001, 0] {
        break
      }
    }
    #expect(await link.server.snapshot.itemIdentifiers == [1001, 0])
    #expect(await link.server.model(for: 1001)?.text == "given")
    // The late stream renames nothing twice.
    try await link.server.setModel(Card(id: 0, text: "theirs"))
    for _ in 0..<3 { try await link.deliver() }
    #expect(await list.snapshot.itemIdentifiers == [1001, 0])
    #expect(await list.element(for: 0)?.text == "theirs")
    #expect(await list.element(for: 1001)?.text == "given")
  }

  @Test("A row that others rename once more stays the same row in a stream that joins both")
  func renamedAgain() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.answerWhole()
    await link.decide { _, draft in try draft.renameItem(0, to: Card(id: 100, text: "given")) }
    var shown = link.mirror.updates(.every(limit: 100)).makeAsyncIterator()
    #expect(await shown.next()?.snapshot.itemIdentifiers == [0, 1])
    let list = try await link.editable()
    let token = await link.mirror.resumeToken
    let write = try await list.update { $0.setModel(Card(id: 1, text: "mine")) }
    #expect(await areAccepted([write]))
    #expect(await shown.next()?.snapshot.itemIdentifiers == [100, 1])
    try await link.server.update { try $0.renameItem(100, to: Card(id: 200, text: "theirs")) }
    for await batch in link.server.updates(after: token) {
      #expect(batch.update.renamedItems == [ItemRename(old: 0, new: 200)])
      try await link.mirror.apply(batch.delta)
      break
    }
    let batch = try #require(await shown.next())
    #expect(batch.snapshot.itemIdentifiers == [200, 1])
    #expect(batch.difference.itemInserts.isEmpty && batch.difference.itemDeletes.isEmpty)
    #expect(batch.update.renamedItems == [ItemRename(old: 100, new: 200)])
    #expect(await list.element(for: 200)?.text == "theirs")
  }
}
