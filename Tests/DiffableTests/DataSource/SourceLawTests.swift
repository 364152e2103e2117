import Diffable
import DiffableTesting
import Testing
import TestScope

@Suite("A source of identifiers and one of models are the same source")
struct SourceLawTests {
  struct Row: Identifiable, Equatable {
    let id: Int
  }

  private typealias List = Snapshot<Int, Int>
  private typealias Source = DataSourceActor<Int, Int>
  private typealias Models = ModelSource<Int, Row>

  /// What some source can do, whatever its kind.
  private struct Trial<AnySource: EditableListSource<Int, Int>> {
    let source: AnySource
    let apply: (Snapshot<Int, Int>) async throws -> Void
    var batches: AsyncStream<AnySource.Batch>.Iterator

    /// Does what a seed says; the same in every source.
    mutating func perform(
      _ step: Int, _ generator: inout SnapshotGenerator<Int, Int>,
      _ stale: inout [(Snapshot<Int, Int>, Revision)]
    ) async throws -> String {
      let state = await source.snapshot
      let choice = generator.random.number(below: 8)
      let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
      let next = generator.changing(state, by: change)
      let base = generator.random.element(of: stale)
      if choice == 7 { stale.append((next, await source.revision)) }
      switch choice {
      case 0, 1: try await apply(next)
      case 2:
        let items = state.itemIdentifiers
        let (item, anchor) = (generator.random.element(of: items), items.first)
        try await source.updateOrder(named: "move \(step)") { order in
          guard let item, let anchor, item != anchor else { return }
          try order.moveItem(item, beforeItem: anchor)
        }
      case 3: return describe(try await source.undo(step % 2 == 0 ? .everything : .named))
      case 4: return describe(try await source.redo())
      case 5:
        // Both know the items of the base, and no others come.
        guard let base, let old = source.snapshot(at: base.1) else { break }
        var theirs = old
        theirs.deleteItems(old.itemIdentifiers.suffix(2))
        return describe(try await source.merge(theirs, basedOn: base.1, named: "merge"))
      case 6:
        guard let item = state.itemIdentifiers.last, let first = state.itemIdentifiers.first,
          var drag = try await source.beginReorder([item])
        else { break }
        let batch = try drag.proposed(to: .before(first))
        return "\(batch) " + describe(try await drag.commit(named: "drag"))
      default: break
      }
      return "\(await source.snapshot)"
    }

    private func describe(_ transaction: Transaction<Int, Int>?) -> String {
      guard let transaction else { return "nothing" }
      return "\(transaction.target) \(transaction.difference) \(transaction.conflicts)"
    }

    mutating func nextBatch() async -> UpdateBatch<Int, Int>? { await batches.next()?.update }
  }

  @Test(
    "The same orders lead to the same batches, transactions and questions",
    arguments: 1...rounds(30 as UInt64))
  func sameOrders(seed: UInt64) async throws {
    let epoch = Epoch()
    let (identifiers, models) = (
      Source(options: SourceOptions(epoch: epoch)), Models(options: SourceOptions(epoch: epoch))
    )
    var left = Trial(
      source: identifiers, apply: { try await identifiers.apply($0) },
      batches: identifiers.updates().makeAsyncIterator())
    var right = Trial(
      source: models,
      apply: { try await models.apply($0, models: $0.itemIdentifiers.map(Row.init)) },
      batches: models.updates().makeAsyncIterator())
    var generators = Array(
      repeating: SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 }), count: 2)
    var stale: [[(Snapshot<Int, Int>, Revision)]] = [[], []]
    var shown: Revision?
    for step in 0..<30 {
      let comment: Comment = "seed \(seed), step \(step)"
      let told = try await left.perform(step, &generators[0], &stale[0])
      #expect(try await right.perform(step, &generators[1], &stale[1]) == told, comment)
      #expect(identifiers.nextUndo() == models.nextUndo(), comment)
      #expect(identifiers.nextRedo(.named) == models.nextRedo(.named), comment)
      #expect(await identifiers.revision == models.revision, comment)
      // Those who ask seldom get batches of several revisions.
      let asks = generators.indices.map { generators[$0].random.chance(oneIn: 2) }
      guard asks[0], await identifiers.revision != shown else { continue }
      let batch = await left.nextBatch()
      #expect(await right.nextBatch() == batch, comment)
      if let base = batch?.base, let target = batch?.target {
        for difference in [
          await identifiers.difference(from: base, to: target),
          await models.difference(from: base, to: target),
        ] {
          #expect(difference == batch?.difference, comment)
        }
      }
      shown = batch?.target
    }
  }

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
