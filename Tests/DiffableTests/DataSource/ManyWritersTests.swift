import Diffable
import Foundation
import ListSupport
import Synchronization
import TestScope
import Testing

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
    var behind = await source.changes()
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

/// What concurrent operations answer must be what some sequence of them answers, one in which no
/// operation comes before another that had returned when it was called.
///
/// Each operation names its place in that sequence, its revision, so there is nothing to search.
@Suite(.deadline, .serialized) struct LinearizabilityTests {
  struct Operation {
    enum Kind { case write, update, read }

    let kind: Kind
    var called = 0
    var returned = 0
    let revision: Revision
    /// The content it wrote or read.
    let content: [Int]
    /// The content it found, for updates.
    var found: [Int]?
  }

  /// What is wrong with a history that starts with an empty list at revision 0.
  static func violations(in history: [Operation]) -> [String] {
    var violations: [String] = []
    let writes = history.filter { $0.kind != .read }.sorted { $0.revision < $1.revision }
    if writes.map(\.revision.number) != Array(1..<(writes.count + 1)) {
      return ["the revisions of the writes have gaps or doubles"]
    }
    let contents = [[]] + writes.map(\.content)
    for operation in history {
      let number = operation.revision.number
      guard contents.indices.contains(number) else {
        violations.append("\(operation.revision) was read, but never written")
        continue
      }
      if operation.content != contents[number] {
        violations.append("\(operation.kind) of \(operation.revision) has other content")
      }
      if let found = operation.found, found != contents[number - 1] {
        violations.append("the update to \(operation.revision) did not find the one before")
      }
    }
    // A write comes at its place, the reads of what it wrote after it, in any order.
    let places = Dictionary(grouping: history) {
      $0.revision.number * 2 + ($0.kind == .read ? 1 : 0)
    }
    var lastCall = 0
    for place in places.keys.sorted() {
      let operations = places[place] ?? []
      for operation in operations where operation.returned < lastCall {
        violations.append("\(operation.revision) was answered before an earlier one was called")
      }
      lastCall = max(lastCall, operations.map(\.called).max() ?? 0)
    }
    return violations
  }

  /// Lets tasks act at the same time and records what each did.
  static func record(
    tasks: Int, operations: Int,
    act: @escaping @Sendable (_ task: Int, _ number: Int) async throws -> Operation
  ) async throws -> [Operation] {
    let clock = Clock()
    return try await withThrowingTaskGroup(of: [Operation].self) { group in
      for task in 0..<tasks {
        group.addTask {
          var history: [Operation] = []
          for number in 0..<operations {
            let called = clock.tick()
            var operation = try await act(task, number)
            operation.returned = clock.tick()
            operation.called = called
            history.append(operation)
          }
          return history
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  @Test func `Writers and readers see one order`() async throws {
    let source = Source()
    let history = try await Self.record(tasks: 16, operations: 300) { task, number in
      switch (task + number) % 4 {
      case 0:
        let items = [task * 1000 + number]
        return Operation(
          kind: .write, revision: try await source.apply(.list(items)).revision, content: items)
      case 1, 2:
        let edit = try await source.update { snapshot in
          let found = snapshot.itemIdentifiers
          let item = task * 1000 + number
          if snapshot.numberOfSections == 0 { snapshot.appendSections(["list"]) }
          if found.count > 8 { snapshot.deleteItems(found.prefix(4)) }
          if !found.contains(item) { try snapshot.appendItems([item]) }
          return (found, snapshot.itemIdentifiers)
        }
        return Operation(
          kind: .update, revision: edit.revision, content: edit.value.1, found: edit.value.0)
      default:
        let state = await source.current
        return Operation(
          kind: .read, revision: state.revision, content: state.snapshot.itemIdentifiers)
      }
    }
    #expect(Self.violations(in: history).isEmpty)
    #expect(history.count == 16 * 300)
  }

  @Test func `An answer that comes before its place is found`() {
    let history = [
      Operation(kind: .write, called: 5, returned: 6, revision: Revision(1), content: [1]),
      Operation(kind: .read, called: 1, returned: 2, revision: Revision(1), content: [1]),
    ]
    #expect(!Self.violations(in: history).isEmpty)
  }
}

/// A clock that only knows before and after.
private final class Clock: Sendable {
  private let ticks = Atomic(0)

  func tick() -> Int {
    ticks.add(1, ordering: .sequentiallyConsistent).newValue
  }
}
