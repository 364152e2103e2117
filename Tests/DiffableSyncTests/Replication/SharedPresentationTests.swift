import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("A change of a shared list is shown as its writer has chosen", .deadline)
struct SharedPresentationTests {
  typealias Replica = ReplicatedSource<ModelBatch<String, Card>>
  typealias Write = @Sendable (Replica, Presentation) async throws -> Void

  private static func moved(_ source: Replica) async throws -> Snapshot<String, Int> {
    var list = await source.snapshot
    try list.moveItem(2, beforeItem: 1)
    return list
  }

  static let writes: [String: Write] = [
    "update": { source, shown in
      try await source.update(presentation: shown) { try $0.moveItem(2, beforeItem: 1) }
    },
    "apply": { try await $0.apply(moved($0), presentation: $1) },
    "apply of models": {
      try await $0.apply([Card(id: 3)], section: { _ in "s" }, presentation: $1)
    },
    "setModel": { try await $0.setModel(Card(id: 1, text: "x"), presentation: $1) },
    "setModels": { try await $0.setModels([Card(id: 1, text: "x")], presentation: $1) },
    "merge": { try await $0.merge(moved($0), basedOn: $0.revision, presentation: $1) },
    "merge of models": {
      try await $0.merge(
        $0.snapshot, models: [Card(id: 1, text: "x")], basedOn: $0.revision, presentation: $1)
    },
    "undo": { try await $0.undo(presentation: $1) },
    "redo": { try await $0.redo(presentation: $1) },
    "revert": { try await $0.revert($0.change(of: Revision(2)), presentation: $1) },
    "optimistic update": { source, shown in
      let list = await source.optimistic()
      let write = try await list.update(presentation: shown) { try $0.moveItem(2, beforeItem: 1) }
      try #require(await write.outcome.acceptance != nil)
    },
  ]

  @Test("By its own participant and by others", arguments: writes.keys.sorted())
  func presentation(name: String) async throws {
    let log = MemoryLog()
    let mine = try await Replica(cards: log.participant())
    try await mine.apply([Card(id: 1), Card(id: 2)], section: { _ in "s" })
    try await mine.update(named: "First") { try $0.update(1) { $0.text = "first" } }
    try await mine.update(named: "Second") { try $0.update(2) { $0.text = "second" } }
    let last = try #require(await mine.undo()).target
    let other = try await Replica(cards: log.participant())
    try await other.reached(last)
    var batches = [mine, other].map { $0.updates(.every(limit: 10)).makeAsyncIterator() }
    for index in batches.indices { _ = await batches[index].next() }
    try await Self.writes[name]?(mine, .inPlace)
    for index in batches.indices {
      let batch = await batches[index].next()
      #expect(batch?.target == last.next && batch?.presentation == .inPlace)
    }
  }
}
