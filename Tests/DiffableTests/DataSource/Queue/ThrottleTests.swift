import Diffable
import ListSupport
import TestScope
import Testing

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
