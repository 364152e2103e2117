import ListSupport
import TestScope
import Testing

@testable import Diffable
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
}
