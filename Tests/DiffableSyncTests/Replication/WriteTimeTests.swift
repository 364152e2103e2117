import Diffable
import DiffableTesting
import Dispatch
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

extension ReplicatedSource {
  /// Lets nothing else happen on the actor until that is over, and says when it begins.
  ///
  /// The thread sleeps: one that looked at a flag would take the time of all other tests.
  fileprivate func occupy(_ isOccupied: Flag, until isOver: DispatchSemaphore) {
    isOccupied.raise()
    isOver.wait()
  }
}

/// A clock that says whether a task has read it that says so of itself.
private final class ReadClock: Clock {
  /// Whether it is this task's reading that counts.
  @TaskLocal static var counts = false

  private let clock = ManualClock()
  let isRead = Flag()

  var now: ManualClock.Instant {
    if Self.counts { isRead.raise() }
    return clock.now
  }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }

  func advance(by duration: Duration) { clock.advance(by: duration) }
}

@Suite("The time of a write counts from its call, whatever the actor has to do", .deadline)
struct WriteTimeTests {
  private static let priorities: [TaskPriority] = [.high, .medium, .low, .background]

  @Test("A write that the actor gets to after its time is not made", arguments: priorities)
  func late(priority: TaskPriority) async throws {
    let (clock, log) = (ReadClock(), MemoryLog())
    var options = ReplicationOptions.impatient
    (options.source.clock, options.timeLimit) = (clock, .seconds(10))
    let replica = try await ReplicatedSourceTests.replica(log.participant(), options: options)
    try await replica.update { $0.appendSections(["A"]) }

    let (isOccupied, isOver) = (Flag(), DispatchSemaphore(value: 0))
    let occupied = Task(executorPreference: QueueExecutor()) {
      await replica.occupy(isOccupied, until: isOver)
    }
    try await wait { isOccupied.isRaised }
    let write = Task.detached(priority: priority) {
      try await ReadClock.$counts.withValue(true) {
        try await replica.update { try $0.appendItems([1], toSection: "A") }
      }
    }
    // Its call is noted although the actor does not know of it.
    try await wait { clock.isRead.isRaised }
    clock.advance(by: .seconds(10))
    isOver.signal()
    await occupied.value
    await #expect { try await ended { try await write.value } } throws: {
      if case ReplicationError.timedOut(.seconds(10)) = $0 { true } else { false }
    }
    #expect(await replica.snapshot.itemIdentifiers.isEmpty)
    try await replica.update { try $0.appendItems([2], toSection: "A") }
    #expect(await replica.snapshot.itemIdentifiers == [2])
  }

  @Test("Cancelling a write that the actor does not know of ends it", arguments: priorities)
  func cancelled(priority: TaskPriority) async throws {
    let log = MemoryLog()
    let replica = try await ReplicatedSourceTests.replica(log.participant(), options: .impatient)
    try await replica.update { $0.appendSections(["A"]) }
    let (isOccupied, isOver, isCalled) = (Flag(), DispatchSemaphore(value: 0), Flag())
    let occupied = Task(executorPreference: QueueExecutor()) {
      await replica.occupy(isOccupied, until: isOver)
    }
    try await wait { isOccupied.isRaised }
    let write = Task.detached(priority: priority) {
      isCalled.raise()
      try await replica.update { try $0.appendItems([1], toSection: "A") }
    }
    try await wait { isCalled.isRaised }
    write.cancel()
    isOver.signal()
    await occupied.value
    await #expect(throws: DataSourceError.cancelled) { try await ended { try await write.value } }
    #expect(await replica.snapshot.itemIdentifiers.isEmpty)
  }

  @Test("Of two writes the one that was called first ends first, however they get to the actor")
  func order() async throws {
    let clock = ManualClock()
    let log = GatedLog(MemoryLog())
    var options = ReplicationOptions.impatient
    (options.source.clock, options.timeLimit) = (clock, .seconds(10))
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    try await replica.update { $0.appendSections(["A"]) }
    log.close()
    func append(_ item: Int, _ priority: TaskPriority) -> Task<Void, any Error> {
      Task.detached(priority: priority) {
        try await replica.update { try $0.appendItems([item], toSection: "A") }
      }
    }
    // This one is offered until the log answers, so the others wait for the next append.
    let shown = try await replica.optimistic().update { try $0.appendItems([1], toSection: "A") }
    try await wait { log.held == 1 }
    var waiting: [Task<Void, any Error>] = []
    for (number, priority) in Self.priorities.enumerated() {
      clock.advance(by: .seconds(1))
      waiting.append(append(number + 2, priority))
      try await wait { await replica.numberOfWaitingWrites == number + 1 }
    }
    clock.advance(by: .seconds(6))
    for (number, write) in waiting.enumerated() {
      #expect(await replica.numberOfWaitingWrites == waiting.count - number)
      clock.advance(by: .seconds(1))
      await #expect { try await ended { try await write.value } } throws: {
        if case ReplicationError.timedOut(.seconds(10)) = $0 { true } else { false }
      }
    }
    log.open()
    #expect(try await ended(of: { await shown.outcome }).acceptance != nil)
    #expect(await replica.snapshot.itemIdentifiers == [1])
  }
}
