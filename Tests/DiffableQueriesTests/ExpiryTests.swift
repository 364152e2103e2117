import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A row that expires goes by itself", .deadline)
struct ExpiryTests {
  @Test("Who waits is told when the time comes, and one who rests is not woken")
  func waking() async throws {
    let (base, clock) = (Notes(), ManualClock())
    try await base.apply((0..<4).map { Note(id: $0, title: $0) }, section: \.folder)
    let derived = base.derived { $0.expiring(clock: clock, at: QueryScript.deadline) }
    let (taken, take) = AsyncStream.makeStream(of: ModelBatch<Folder, Note>.self)
    let reader = Task {
      for await batch in derived.updates() { take.yield(batch) }
      take.finish()
    }
    var batches = taken.makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0, 1, 2, 3])
    for (seconds, rest) in [(4, [0, 2, 3]), (4, [0, 3]), (4, [0])] {
      try await wait { clock.sleeping == 1 }
      clock.advance(by: .seconds(seconds))
      let batch = try #require(await batches.next())
      #expect(batch.snapshot.itemIdentifiers == rest)
      #expect(batch.difference.itemDeletes.count == 1)
    }
    // A later time brings a row back, and an earlier one takes it away.
    try await base.setModels([Note(id: 1, title: 4)])
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0, 1])
    try await base.setModels([Note(id: 1, title: 1)])
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0])
    reader.cancel()
    #expect(await batches.next() == nil)
    try await wait { clock.sleeping == 0 }
  }

  @Test("The time counts that the model says now", arguments: 0..<rounds(10 as UInt64))
  func movedDeadlines(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (base, clock) = (Notes(), ManualClock())
    var notes = (0..<60).map { Note(id: $0, title: random.number(below: 30)) }
    try await base.apply(notes, section: \.folder)
    let derived = base.derived { $0.expiring(clock: clock, at: QueryScript.deadline) }
    for step in 0..<60 {
      if random.chance(oneIn: 2) {
        clock.advance(by: .seconds(random.number(below: 5)))
      } else {
        let index = random.number(below: notes.count)
        notes[index].title = random.number(below: 30)
        try await base.setModels([notes[index]])
      }
      let expected = notes.filter { note in
        QueryScript.deadline(note).map { $0 > clock.now } ?? true
      }
      let shown = await derived.snapshot.itemIdentifiers
      #expect(Array(shown) == expected.map(\.id), "seed \(seed), step \(step)")
    }
  }
}
