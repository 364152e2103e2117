import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// A clock of seconds that have fractions; its time is that for which somebody has slept last.
private final class RoundingClock: Clock {
  struct Instant: InstantProtocol {
    let seconds: Double

    func advanced(by duration: Duration) -> Instant {
      Instant(seconds: seconds + duration / .seconds(1))
    }
    func duration(to other: Instant) -> Duration { .seconds(other.seconds - seconds) }
    static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
  }

  private let time = Lock(Instant(seconds: 0.1))

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
  }
}

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

  @Test("A row goes although the clock has rounded its deadline") func rounded() async throws {
    let (base, clock) = (Notes(), RoundingClock())
    try await base.apply((0..<100).map { Note(id: $0) }, section: \.folder)
    let derived = base.derived { query in
      query.expiring(clock: clock) { .init(seconds: 1 + Double($0.id) * 0.7) }
    }
    var batches = derived.updates().makeAsyncIterator()
    var shown = 100
    while shown > 0 { shown = try #require(await batches.next()).snapshot.numberOfItems }
  }

  @Test("A row goes when its time comes, also if it shows nothing of that it has one now")
  func hiddenDeadline() async throws {
    let (base, clock) = (Notes(), ManualClock())
    try await base.apply([Note(id: 0), Note(id: 1)], section: \.folder)
    let derived = base.derived { query in
      query.expiring(clock: clock, at: QueryScript.deadline).map { Note(id: $0.id) }
    }
    let (taken, take) = AsyncStream.makeStream(of: ModelBatch<Folder, Note>.self)
    let reader = Task { for await batch in derived.updates() { take.yield(batch) } }
    defer { reader.cancel() }
    var batches = taken.makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0, 1])
    try await wait { derived.population.waiting == 1 }
    try await base.setModel(Note(id: 1, title: 1))
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(4))
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0])
  }

  /// There are so many rows that deadlines which no longer count are thrown away.
  @Test("The time counts that the model says now", arguments: 0..<rounds(10 as UInt64))
  func movedDeadlines(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (base, clock) = (Notes(), ManualClock())
    var notes = (0..<80).map { Note(id: $0, title: random.number(below: 30)) }
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
  @Test("However often a row says its deadline, the entries do not pile up")
  func saidAgain() {
    var deadlines = Deadlines<Int>()
    for _ in 0..<500 {
      for item in 0..<10 {
        deadlines.insert(item, at: .seconds(item))
        deadlines.compact { .seconds($0) == $1 }
      }
    }
    let due = deadlines.removeDue(at: .seconds(10))
    #expect(Set(due) == Set(0..<10))
    #expect(due.count <= 64)
  }
}
