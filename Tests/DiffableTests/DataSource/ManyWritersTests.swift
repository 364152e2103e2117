import Diffable
import Foundation
import ListSupport
import Testing
import TestScope

/// Many writers and many kinds of subscribers at once.
@Suite(.deadline, .serialized) struct ManyWritersTests {
  private static let writers = 64
  private static let rounds = scoped(usual: 25, wide: 100, long: 1_000)

  /// Follows a source to its end and checks that the batches lead from one state to the next.
  ///
  /// - Parameters:
  ///   - sample: Each so many batches, the difference is replayed.
  ///   - pause: Called between batches.
  private static func follow(
    _ stream: AsyncStream<UpdateBatch<String, Int>>, replayingEvery sample: Int = 1,
    pause: () async -> Void = {}
  ) async throws -> (shown: List, revision: Revision?, batches: Int) {
    var shown = List()
    var revision: Revision?
    var batches = 0
    for await batch in stream {
      if batches > 0 {
        #expect(batch.base == revision && batch.previousSnapshot == shown)
        if batches % sample == 0 {
          let replayed = try shown.applying(batch.difference, insertsFrom: batch.snapshot)
          #expect(replayed == batch.snapshot)
        }
      }
      shown = batch.snapshot
      revision = batch.target
      batches += 1
      await pause()
    }
    return (shown, revision, batches)
  }

  @Test func `No update is lost, and every subscriber ends on the same snapshot`() async throws {
    var start = List()
    start.appendSections(["counters"])
    // Writer w counts by replacing its item w·(rounds + 1) + n by the next one.
    try start.appendItems((0..<Self.writers).map { $0 * (Self.rounds + 1) })
    let source = try Source(start)

    let fast = Task { try await Self.follow(source.updates(), replayingEvery: 100) }
    let stepwise = Task {
      try await Self.follow(source.updates(.every(limit: 32)), replayingEvery: 100)
    }
    // The slow one takes a batch only after each quarter of the writers has finished.
    let (progress, step) = AsyncStream.makeStream(of: Void.self)
    let slow = Task {
      var steps = progress.makeAsyncIterator()
      var batches = 0
      return try await Self.follow(source.updates()) {
        batches += 1
        if batches <= 4 { await steps.next(isolation: nil) }
      }
    }
    let cancelled = Task { try await Self.follow(source.updates(), replayingEvery: 100) }
    let stopped = source.updates()
    var stoppedBatches = stopped.makeAsyncIterator()
    _ = await stoppedBatches.next()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<Self.writers {
        group.addTask {
          for round in 0..<Self.rounds {
            let item = writer * (Self.rounds + 1) + round
            try await source.update { snapshot in
              try snapshot.insertItems([item + 1], afterItem: item)
              snapshot.deleteItems([item])
            }
          }
        }
      }
      var finished = 0
      for try await _ in group {
        finished += 1
        if finished == Self.writers / 2 { cancelled.cancel() }
        if finished % (Self.writers / 4) == 0 { step.yield() }
      }
    }
    let late = Task { try await Self.follow(source.updates()) }
    let last = await source.snapshot
    let revision = await source.revision
    await source.finish()

    #expect(revision.number == 1 + Self.writers * Self.rounds)
    #expect(
      last.itemIdentifiers
        == (0..<Self.writers).map { $0 * (Self.rounds + 1) + Self.rounds })
    for subscriber in [fast, stepwise, slow, late] {
      let end = try await subscriber.value
      #expect(end.shown == last && end.revision == revision)
    }
    #expect(try await slow.value.batches <= 7)
    _ = try await cancelled.value
    let batch = try #require(await stoppedBatches.next())
    #expect(batch.target == revision)
    #expect(await stoppedBatches.next() == nil)
    #expect(source.population == Population())
  }

  @Test func `A slow writer holds up neither subscribers nor whoever unsubscribes`() async throws {
    let source = try Source(.list([1]))
    var behind = source.updates().makeAsyncIterator()
    _ = await behind.next()
    try await source.apply(.list([1, 2]))
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    // The update blocks its thread, which must not be one of the few that all tests share.
    let writer = Task(executorPreference: QueueExecutor()) {
      try await source.update { snapshot in
        enter.yield()
        #expect(gate.pass())
        try snapshot.appendItems([3])
      }
    }
    for await _ in entered { break }
    // The actor is busy now. None of this may wait for it.
    #expect(await behind.next()?.target == Revision(2))
    var resuming = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    #expect(await resuming.next()?.base == Revision(1))
    await source.delivered(Revision(2))
    do { _ = source.updates() }
    #expect(source.population.subscribers == 2)
    gate.open()
    #expect(try await writer.value.revision == Revision(3))
  }
}
