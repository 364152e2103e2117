import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// The law of models: who keeps what batches carry, and drops what they say is gone, has the
/// source's models.
@Suite(.deadline) struct ModelFollowerTests {
  @Test("Tasks that write and tasks that follow, all at once")
  func concurrently() async throws {
    let source = Notes(options: SourceOptions(history: 3))
    try await source.apply((0..<40).map { Note(id: $0) }, section: \.folder)
    let keepers = await withTaskGroup(of: Keeper?.self, returning: [Keeper].self) { group in
      for follower in 0..<4 {
        let batches = source.updates(follower % 2 == 0 ? .coalesced : .every(limit: follower))
        group.addTask {
          var keeper = Keeper()
          for await batch in batches {
            guard keeper.take(batch) else { return Keeper() }
            if follower > 1 { await Task.yield() }
          }
          return keeper
        }
      }
      group.addTask {
        await withTaskGroup(of: Void.self) { writers in
          for writer in 0..<4 {
            writers.addTask { await write(source, seed: UInt64(writer)) }
          }
        }
        await source.finish()
        return nil
      }
      return await group.reduce(into: []) { keepers, keeper in
        if let keeper { keepers.append(keeper) }
      }
    }
    let models = Dictionary(uniqueKeysWithValues: await source.elements.map { ($0.id, $0) })
    let header = await source.sectionModel(for: 0)
    #expect(keepers.count == 4)
    for keeper in keepers {
      #expect(keeper.revision == (await source.revision))
      #expect(keeper.models == models && keeper.headers[0] == header)
    }
  }

  @Test("A source that is dropped frees its models, and so do revisions that leave the history")
  func memory() async throws {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      let counted: Payload

      static func == (left: Row, right: Row) -> Bool { left.counted === right.counted }
    }
    let census = PayloadCensus()
    var source: ModelSource<Int, Row>? = ModelSource(options: SourceOptions(history: 4))
    try await source?.apply((0..<5_000).map { Row(id: $0, counted: Payload(census)) }) { _ in 0 }
    #expect(census.population == 5_000)
    for id in 0..<50 { try await source?.setModel(Row(id: id, counted: Payload(census))) }
    #expect(census.population == 5_004, "each kept revision has one model that the next has not")
    var batches = source?.updates().makeAsyncIterator()
    #expect(await batches?.next()?.model(for: 7) != nil)
    batches = nil
    source = nil
    try await wait { census.population == 0 }
  }
}

private func write(_ source: Notes, seed: UInt64) async {
  var random = SplitMix64(seed: seed)
  for step in 0..<rounds(150, least: 50) {
    let id = random.number(below: 60)
    let note = Note(id: id, title: Int(seed), text: step)
    switch random.number(below: 4) {
    case 0: _ = try? await source.setModel(note)
    case 1: _ = try? await source.setSectionModel("\(step)", for: 0)
    case 2: _ = try? await source.update { draft in draft.snapshot.deleteItems([id]) }
    default: _ = try? await source.update { draft in try draft.appendItems([note], toSection: 0) }
    }
  }
}
