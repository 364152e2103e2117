import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine
@testable import DiffableQueries

@Suite("A derived source works out what it delivers, and nothing else", .deadline)
struct WorkTests {
  @Test("However fast its base changes while it works", arguments: [false, true])
  func everyRevisionIsDelivered(isThrottled: Bool) async throws {
    let base = try await Notes.of((0..<64).map { Note(id: $0) })
    let clock = ManualClock()
    let derived = base.derived(options: SourceOptions(clock: clock)) { query in
      query.filter { note in
        // Two more revisions come whenever a row is looked at that has changed.
        for text in 1...2 where note.text < 200 && note.text > 0 {
          var next = note
          next.text = note.text + text
          Task { [next] in try await base.setModel(next) }
        }
        return true
      }
    }
    let policy: UpdatePolicy = isThrottled ? .coalesced(throttle: .seconds(1)) : .coalesced
    let time = Task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    defer { time.cancel() }
    let reader = Task {
      var delivered = 0
      for await batch in derived.updates(policy) {
        delivered += 1
        if batch.model(for: 0).map({ $0.text >= 200 }) ?? false { break }
      }
      return delivered
    }
    try await wait { derived.population.subscribers == 1 }
    try await base.setModel(Note(id: 0, text: 1))
    let delivered = try await ended { await reader.value }
    // To ask for it would be one more request.
    let revision = derived.reader.hub.revision
    #expect(revision.number == delivered)
  }

  @Test("A filter that keeps everything shares all leaves of its base") func sharing() async throws
  {
    let base = ModelSource<Int, Note>()
    try await base.apply((0..<500).map { Note(id: $0) }, section: { _ in 0 })
    let derived = base.derived { $0.filter { $0.id >= 0 } }
    let (below, above) = (await base.snapshot, await derived.snapshot)
    let (leaves, shared) = (below.leaves, above.leaves)
    #expect(leaves.count > 5 && leaves.count == shared.count)
    #expect(zip(leaves, shared).allSatisfy { $0 === $1 })
    try await derived.setQuery { $0.filter { $0.id < 300 } }
    let fewer = await derived.snapshot.leaves
    #expect(fewer.dropLast().allSatisfy { leaf in leaves.contains { $0 === leaf } })
  }
}

extension Snapshot {
  fileprivate var leaves: [Leaf] { records.flatMap { $0.items.tree.base.leaves } }
}
