import Diffable
import DiffableTesting
import Testing
import TestScope

@Suite("A source of identifiers and one of models are the same source")
struct SourceLawTests {
  struct Row: Identifiable, Equatable {
    let id: Int
  }

  private typealias Source = DataSourceActor<Int, Int>
  private typealias Models = ModelSource<Int, Row>

  @Test func `What waits in the queue and what is named outside is the same`() async throws {
    let (identifiers, models) = (Source(), Models())
    try await models.apply([Row(id: 1), Row(id: 2)]) { _ in 0 }
    try await identifiers.apply(await models.snapshot)
    var order = await models.snapshot
    try order.moveItem(2, beforeItem: 1)
    for ticket in [identifiers.enqueue(order), models.enqueue(order)] {
      #expect(await ticket.outcome == .applied(Revision(2)))
    }
    var unknown = order
    try unknown.appendItems([3])
    #expect(
      await models.enqueue(unknown).outcome
        == .rejected(.invalidSnapshot(.missingModel([AnyItemID(3)]))))
    #expect(await models.snapshot == order)
    #expect(models.revision(for: models.token(for: Revision(1))) == Revision(1))
    #expect(models.revision(for: identifiers.token(for: Revision(1))) == nil)
    await models.finish()
    await #expect(throws: DataSourceError.finished) { try await models.apply(order) }
  }

  @Test func `A batch that is taken for one of other models answers with none`() async throws {
    struct Other: Identifiable, Equatable {
      let id: Int
      var text = "text"
    }
    let models = Models()
    try await models.apply([Row(id: 1)]) { _ in 0 }
    var batches = models.updates().makeAsyncIterator()
    let batch = try #require(await batches.next())
    #expect(batch.model(for: 1) == Row(id: 1))
    #expect(ModelBatch<Int, Other>(batch.update).model(for: 1) == nil)
    #expect(ModelBatch<Int, Other>(batch.update).models.isEmpty)
  }
}
