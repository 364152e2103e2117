import Diffable
import Foundation
import ListSupport
import Synchronization
import TestScope
import Testing

/// Snapshots that are handed over without waiting.
@Suite(.deadline, .serialized) struct QueueTests {
  @Test func `A ticket tells what became of its snapshot`() async throws {
    let source = Source()
    let ticket = try source.enqueue(.list([1]))
    for _ in 0..<2 { #expect(await ticket.outcome == .applied(Revision(1))) }
    #expect(try await source.enqueue(.list([1])).outcome == .unchanged)
    let refused = try await source.enqueue(.duplicates()).outcome
    guard case .rejected(.invalidSnapshot(.duplicateItems)) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(try await source.snapshot == .list([1]))
  }

  @Test func `Every other write comes after what was enqueued before it`() async throws {
    let source = try Source(.list([0]))
    for round in 1...500 {
      let ticket = try source.enqueue(.list([-round]))
      switch round % 5 {
      case 0: try await source.apply(.list([round]))
      case 1: try await source.update { try $0.replaceItems(inSection: "list", with: [round]) }
      case 2:
        let revision = await source.revision
        try await source.merge(.list([round]), basedOn: revision)
      case 3:
        let undone = try #require(try await source.undo())
        #expect(undone.initialSnapshot == (try .list([-round])))
      default:
        await #expect(throws: DataSourceError.self) {
          try await source.apply(.list([round]), ifRevision: .empty)
        }
        #expect(try await source.snapshot == .list([-round]))
      }
      #expect(await ticket.outcome != .superseded)
      if round % 5 < 2 { #expect(try await source.snapshot == .list([round])) }
    }
  }

  @Test func `What is enqueued before the end is applied, what comes later rejected`() async throws
  {
    let source = Source()
    let before = try source.enqueue(.list([1]))
    await source.finish()
    let after = try source.enqueue(.list([2]))
    #expect(await before.outcome == .applied(Revision(1)))
    #expect(await after.outcome == .rejected(.finished))
    #expect(try await source.snapshot == .list([1]))
  }

  @Test func `A source that its owner drops still applies what is enqueued`() async throws {
    var source: Source? = Source()
    let batches = try #require(source).updates()
    let ticket = try #require(try source?.enqueue(.list([1])))
    source = nil
    #expect(await ticket.outcome == .applied(Revision(1)))
    var last: List?
    for await batch in batches { last = batch.snapshot }
    #expect(try last == .list([1]))
  }

  @Test func `A cancelled task enqueues all the same`() async throws {
    let source = Source()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await source.enqueue(.list([1])).outcome
    }
    #expect(try await task.value == .applied(Revision(1)))
  }

  /// Items that are counted while they are alive.
  private final class Counted: Hashable, Sendable {
    static let alive = Atomic<Int>(0)
    static let most = Atomic<Int>(0)
    let number: Int

    init(_ number: Int) {
      self.number = number
      let alive = Self.alive.wrappingAdd(1, ordering: .relaxed).newValue
      Self.most.max(alive, ordering: .relaxed)
    }

    deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }

    static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test func `Threads that flood the queue end on the right state in little memory`() async throws {
    let threads = 8
    let calls = scoped(usual: 500, wide: 2_500, long: 125_000)
    let source = DataSourceActor<String, Counted>(options: SourceOptions(history: 4))
    let outcomes = await withTaskGroup(of: [Ticket].self) { group in
      for thread in 0..<threads {
        group.addTask {
          await withCheckedContinuation { done in
            // Threads of their own, as those of a network library would be.
            Thread {
              let tickets = (0..<calls).map { call in
                var snapshot = Snapshot<String, Counted>()
                snapshot.appendSections(["list"])
                let first = (call * threads + thread) * 16
                try? snapshot.appendItems((first..<first + 16).map(Counted.init))
                return source.enqueue(snapshot)
              }
              done.resume(returning: tickets)
            }.start()
          }
        }
      }
      var applied = 0
      var newest = Revision.empty
      for await tickets in group {
        var previous = Revision.empty
        for ticket in tickets {
          guard case .applied(let revision) = await ticket.outcome else { continue }
          #expect(previous < revision)
          previous = revision
          applied += 1
        }
        newest = max(newest, previous)
      }
      return (applied: applied, newest: newest)
    }
    #expect(await source.revision == outcomes.newest)
    #expect(outcomes.newest.number == outcomes.applied)
    #expect(source.metrics.superseded == threads * calls - outcomes.applied)
    // 16 items in each of: one a thread that it makes, one it replaces, the one that waits, the one
    // that is applied, the live one and the history.
    #expect(Counted.most.load(ordering: .relaxed) <= 16 * (2 * threads + 3 + 4) * 2)
    let last = Snapshot<String, Counted>()
    #expect(await source.enqueue(last).outcome == .applied(Revision(outcomes.applied + 1)))
  }
}

/// Sources that follow a sequence of snapshots.
@Suite(.deadline) struct FollowTests {
  private struct Broken: Error {}

  @Test func `An error of the sequence surfaces`() async throws {
    let source = Source()
    let (stream, input) = AsyncThrowingStream.makeStream(of: List.self)
    input.yield(try .list([1]))
    input.finish(throwing: Broken())
    await #expect(throws: Broken.self) { try await source.follow(stream) }
    #expect(try await source.snapshot == .list([1]))
  }

  @Test func `A snapshot that is rejected ends it`() async throws {
    let source = Source()
    let (stream, input) = AsyncStream.makeStream(of: List.self)
    input.yield(try .list([1]))
    input.yield(try .duplicates())
    input.yield(try .list([2]))
    await #expect(throws: DataSourceError.self) { try await source.follow(stream) }
    #expect(try await source.snapshot == .list([1]))
    await source.finish()
    await #expect(throws: DataSourceError.finished) { try await source.follow(stream) }
  }

  @Test func `A task that is cancelled stops following`() async throws {
    let source = Source()
    let (stream, input) = AsyncStream.makeStream(of: List.self)
    input.yield(try .list([1]))
    let task = Task { try await source.follow(stream) }
    try await wait { await source.revision == Revision(1) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    input.yield(try .list([2]))
    #expect(try await source.snapshot == .list([1]))
  }

  /// A sequence that does not end with its task, which is cancelled while it makes its third snapshot.
  private struct Stubborn: AsyncSequence {
    struct Iterator: AsyncIteratorProtocol {
      var count = 0

      mutating func next() async throws -> List? {
        count += 1
        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        return count > 5 ? nil : try .list(0..<count)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
  }

  @Test func `A task that is cancelled takes no more of a sequence that goes on`() async throws {
    let source = Source()
    let task = Task { try await source.follow(Stubborn()) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await source.snapshot == .list(0..<2))
  }

  /// A sequence that cannot be sent, and checks that the snapshot before was applied.
  private struct Steps: AsyncSequence {
    let source: Source
    var cache: NotSendable = NotSendable()

    final class NotSendable {}

    struct Iterator: AsyncIteratorProtocol {
      let steps: Steps
      var count = 0

      mutating func next() async throws -> List? {
        #expect(await steps.source.revision == Revision(count))
        count += 1
        return count > 3 ? nil : try .list(0..<count)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(steps: self) }
  }

  @Test @MainActor func `A sequence that stays on the main actor is asked when there is time`()
    async throws
  {
    let source = Source()
    let steps = Steps(source: source)
    try await source.follow(steps)
    #expect(try await source.snapshot == .list(0..<3))
    _ = steps.cache
  }
}

/// A clock on which no time passes, and that nobody can wait for.
private struct StoppedClock: Clock {
  struct Failure: Error {}

  let now = ContinuousClock().now
  let minimumResolution = Duration.zero

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) throws {
    throw Failure()
  }
}

@Suite(.deadline) struct ThrottleTests {
  private static let policy = UpdatePolicy.coalesced(throttle: .seconds(1))

  @Test func `A throttled subscriber is woken once in an interval, and misses nothing`()
    async throws
  {
    let clock = ManualClock()
    let source = Source(options: SourceOptions(clock: clock))
    let (taken, take) = AsyncStream.makeStream(of: UpdateBatch<String, Int>.self)
    let reader = Task {
      for await batch in source.updates(Self.policy) { take.yield(batch) }
      take.finish()
    }
    var batches = taken.makeAsyncIterator()
    #expect(await batches.next()?.target == .empty)
    for interval in 1...3 {
      try await wait { clock.sleeping == 1 }
      for change in 1...4 { try await source.apply(.list([interval, -change])) }
      // It sleeps, however much there is to take.
      #expect(clock.sleeping == 1)
      clock.advance(by: .milliseconds(999))
      #expect(clock.sleeping == 1)
      clock.advance(by: .milliseconds(1))
      let batch = try #require(await batches.next())
      #expect(batch.base == Revision(4 * (interval - 1)) && batch.target == Revision(4 * interval))
    }
    // After a quiet interval the next change comes at once.
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(5))
    try await wait { source.population.waiting == 1 }
    try await source.apply(.list([77]))
    #expect(await batches.next()?.target == Revision(13))
    reader.cancel()
    await reader.value
    #expect(clock.sleeping == 0)
    #expect(source.population.subscribers == 0)
  }

  @Test func `Tasks that share a stream get one batch in an interval between them`() async throws {
    let clock = ManualClock()
    let source = Source(options: SourceOptions(clock: clock))
    let stream = source.updates(Self.policy)
    let (taken, take) = AsyncStream.makeStream(of: UpdateBatch<String, Int>.self)
    let readers = (0..<3).map { _ in
      Task { for await batch in stream { take.yield(batch) } }
    }
    var batches = taken.makeAsyncIterator()
    #expect(await batches.next()?.target == .empty)
    for change in 1...4 {
      // One of them sleeps for all.
      try await wait { clock.sleeping == 1 }
      #expect(source.population.waiting == 0)
      try await source.apply(.list([-change]))
      clock.advance(by: .milliseconds(999))
      #expect(clock.sleeping == 1)
      clock.advance(by: .milliseconds(1))
      let batch = try #require(await batches.next())
      #expect(batch.base == Revision(change - 1) && batch.target == Revision(change))
    }
    for reader in readers { reader.cancel() }
    for reader in readers { await reader.value }
    #expect(source.population.subscribers == 0)
  }

  @Test func `A clock that fails does not keep a subscriber waiting`() async throws {
    let source = Source(options: SourceOptions(clock: StoppedClock()))
    var batches = source.updates(Self.policy).makeAsyncIterator()
    #expect(await batches.next()?.target == .empty)
    for change in 1...3 {
      try await source.apply(.list([change]))
      #expect(await batches.next()?.target == Revision(change))
    }
  }

  @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
  func `However long the interval, the clock of the system can wait for it`(interval: Duration)
    async throws
  {
    let source = DataSourceActor<String, Int>()
    var batches = source.updates(.coalesced(throttle: interval)).makeAsyncIterator()
    #expect(await batches.next()?.target == .empty)
    try await source.apply(.list([1]))
    let reader = Task { [batches] in
      var batches = batches
      return await batches.next()
    }
    reader.cancel()
    #expect(await reader.value == nil)
    #expect(
      UpdatePolicy.coalesced(throttle: interval)
        == .coalesced(throttle: .seconds(100 * 365 * 86_400)))
  }

  @Test func `Policies say what they are`() {
    #expect(UpdatePolicy.coalesced(throttle: .zero) == .coalesced)
    #expect(Self.policy != .coalesced)
    #expect(Self.policy.description == "coalesced(throttle: 1.0 seconds)")
  }
}
