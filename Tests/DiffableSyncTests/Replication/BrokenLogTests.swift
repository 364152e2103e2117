import DiffableSync
import DiffableTesting
import Foundation
import TestScope
import Testing

@testable import Diffable

/// What sources do when the log itself goes wrong.
@Suite("Sources over a log that goes wrong", .deadline) struct BrokenLogTests {
  typealias Replica = ReplicatedSourceTests.Replica

  private static func replica(
    _ log: any RevisionLog, _ reports: Reports = Reports(),
    _ change: (inout ReplicationOptions) -> Void = { _ in }
  ) async throws -> Replica {
    var options = ReplicationOptions.quick
    options.checkInterval = .milliseconds(5)
    change(&options)
    return try await ReplicatedSourceTests.replica(log, options: options) { reports.add($0) }
  }

  private static func fill(_ replica: Replica, from first: Int = 0, _ count: Int) async throws {
    for item in first..<first + count {
      try await replica.update { draft in
        if item == 0 { draft.appendSections(["A"]) }
        try draft.appendItems([item], toSection: "A")
      }
    }
  }

  @Test("A source that cannot start yet looks for a state after longer and longer pauses")
  func waitingForState() async throws {
    let log = MemoryLog()
    let first = try await Self.replica(log.participant()) { $0.checkInterval = .seconds(3_600) }
    try await Self.fill(first, 7)
    log.purge()
    let clock = PauseClock()
    let second = try await Self.replica(log.participant()) {
      $0.source.clock = clock
      ($0.pause, $0.longestPause) = (.milliseconds(100), .seconds(5))
      $0.checkInterval = .seconds(3_600)
    }
    // First it waits before it shows nothing, for an hour and a pause. It may look again before this test
    // goes on.
    var (rest, opening) = (Duration.seconds(3_605), 0)
    for pause in clock.pauses where rest > .zero {
      rest -= pause
      opening += 1
    }
    #expect(rest <= .zero)
    try await wait { clock.pauses.count >= opening + 12 }
    for pauses in [clock.pauses[..<opening], clock.pauses.dropFirst(opening)] {
      for (index, pause) in pauses.prefix(12).enumerated() {
        let longest = min(.milliseconds(100) * (1 << index), .seconds(5))
        #expect(longest / 2 <= pause && pause <= longest, "pause \(index): \(pause)")
      }
    }
    #expect(await second.revision == .empty)
  }

  @Test("What no participant has written is skipped, and reported")
  func foreign() async throws {
    let log = MemoryLog()
    let reports = Reports()
    let first = try await Self.replica(log.participant(), reports)
    try await Self.fill(first, 2)
    log.addForeignMessage()
    log.addForeignMessage()
    let revision = try await first.update { try $0.appendItems([9], toSection: "A") }.revision
    #expect(revision == Revision(5))
    try await reports.expect {
      if case ReplicationError.skippedEntry(Revision(4), _) = $0 { true } else { false }
    }
    let second = try await Self.replica(log.participant())
    try await second.reached(revision)
    #expect(await second.snapshot.itemIdentifiers == [0, 1, 9])
    #expect(first.token(for: revision) == second.token(for: revision))
  }

  @Test("A write ends in time, and says what is known")
  func timeLimits() async throws {
    let log = MemoryLog()
    let silent = GatedLog(log)
    let way = silent.log
    let short: (inout ReplicationOptions) -> Void = {
      $0.timeLimit = .milliseconds(200)
      $0.offers = .max
    }
    let writer = try await Self.replica(silent, Reports(), short)
    let other = try await Self.replica(log.participant())
    try await Self.fill(other, 1)
    try await writer.reached(Revision(1))

    silent.close()
    // Where many tests run at once, the time may be over before the first one is sent.
    var unknown = 0
    while unknown == 0 {
      let writes = (0..<3).map { number in
        Task { try await writer.update { try $0.appendItems([number + 50], toSection: "A") } }
      }
      for write in writes {
        do {
          _ = try await write.value
          Issue.record("A log that does not answer has accepted a change")
        } catch ReplicationError.unknownFate(_, let reason) {
          unknown += 1
          #expect(reason.contains("within"))
        } catch ReplicationError.timedOut {
        }
      }
    }

    // It loses a race, and cannot read who has won.
    silent.open()
    way.disturb { $0 == .read ? .loseRequest : nil }
    try await other.update { try $0.appendItems([2], toSection: "A") }
    try await other.update { try $0.appendItems([3], toSection: "A") }
    // On a busy machine, its time may be over before it hears that it has lost.
    var late: ReplicationError?
    repeat {
      late = await #expect(throws: ReplicationError.self) {
        while true { try await writer.update { try $0.appendItems([60], toSection: "A") } }
      }
    } while late?.name == "unknownFate"
    #expect(late?.name == "timedOut")
    #expect(await !other.snapshot.itemIdentifiers.contains(60))
  }

  @Test("Without its newest state a source starts from the entries, or from the state before")
  func damagedState() async throws {
    let log = MemoryLog()
    let first = try await Self.replica(log.participant()) { $0.revisionsPerState = 5 }
    try await Self.fill(first, 5)
    try await wait { log.newestState?.revision == Revision(5) }
    log.damageNewestState()
    let reports = Reports()
    let second = try await Self.replica(log.participant(), reports)
    try await second.reached(Revision(5))
    #expect(await second.snapshot == first.snapshot)
    #expect(
      reports.all.contains {
        if case ReplicationError.unreadableState(Revision(5), _) = $0 { true } else { false }
      })

    // The entries before the first state are gone, and the second state is damaged.
    let (old, way) = (MemoryLog(), ReplicationOptions.quick)
    let writer = try await Self.replica(old.participant()) {
      ($0.revisionsPerState, $0.revisionsKept) = (5, 6)
      $0.checkInterval = .seconds(600)
    }
    for round in 1...2 {
      try await Self.fill(writer, from: round * 5 - 5, 5)
      try await wait { old.newestState?.revision == Revision(round * 5) }
    }
    #expect(old.contents.first == Revision(5))
    old.damageNewestState()
    let third = try await ReplicatedSourceTests.replica(old.participant(), options: way)
    try await third.reached(Revision(10))
    #expect(await third.snapshot == writer.snapshot)

    // With neither of them it cannot start.
    old.deleteStates()
    try await old.participant().store(
      StoredState(revision: Revision(10), reset: Array("{".utf8)),
      droppingEntriesThrough: Revision(9))
    await #expect {
      try await ReplicatedSourceTests.replica(old.participant(), options: way)
    } throws: {
      if case ReplicationError.unreadableState(Revision(10), _) = $0 { true } else { false }
    }
  }

  @Test("A participant that was cut off goes on from the state before one that is damaged")
  func damagedWhileCut() async throws {
    let (log, reports) = (MemoryLog(), Reports())
    let way = log.participant()
    let reader = try await Self.replica(way, reports) { $0.checkInterval = .seconds(600) }
    let writer = try await Self.replica(log.participant()) {
      ($0.revisionsPerState, $0.revisionsKept) = (5, 6)
      $0.checkInterval = .seconds(600)
    }
    try await Self.fill(writer, 1)
    try await reader.reached(Revision(1))
    way.cut()
    for (first, count) in [(1, 4), (5, 5)] {
      try await Self.fill(writer, from: first, count)
      try await wait { log.newestState?.revision == Revision(first + count) }
    }
    log.damageNewestState()
    way.heal()
    try await wait { await reader.revision == Revision(10) }
    #expect(await reader.snapshot == writer.snapshot)
    let unreadable = reports.all.filter { ($0 as? ReplicationError)?.name == "unreadableState" }
    #expect(unreadable.count == 1)
  }

  @Test("Once the log has answered again, nothing waits between its entries")
  func noPauses() async throws {
    let (log, clock) = (MemoryLog(), PauseClock())
    let (writer, way) = (try await Self.replica(log.participant()), log.participant())
    let reader = try await Self.replica(way) {
      $0.source.clock = clock
      $0.checkInterval = .seconds(3_600)
    }
    way.cut()
    try await wait { clock.pauses.count >= 5 }
    way.heal()
    try await Self.fill(writer, 1)
    try await reader.reached(Revision(1))
    let count = clock.pauses.count
    for item in 1...4 {
      try await Self.fill(writer, from: item, 1)
      try await reader.reached(Revision(item + 1))
    }
    #expect(clock.pauses.count == count)
  }

  @Test("A state that none could read takes the place of no entries, unless they are gone")
  func stateThatIsTooLarge() async throws {
    let (log, reports, limits) = (MemoryLog(), Reports(), DeltaLimits(elementCount: 8))
    let writer = try await Self.replica(log.participant(), reports) {
      ($0.limits, $0.revisionsPerState, $0.revisionsKept) = (limits, 1, 0)
    }
    try await Self.fill(writer, 12)
    // The section counts, too.
    try await wait { reports.all.count(where: { $0 is RevisionLogWarning }) >= 5 }
    let newcomer = try await Self.replica(log.participant(), reports) { $0.limits = limits }
    try await newcomer.reached(Revision(12))
    #expect(await newcomer.snapshot == writer.snapshot)
    // Now it is all that a participant with larger limits can have.
    log.purge()
    try await wait { log.newestState?.revision == Revision(12) }
    try await wait {
      reports.all.contains {
        ($0 as? RevisionLogWarning)?.description.contains("r12 is stored, and") ?? false
      }
    }
    let other = try await Self.replica(log.participant())
    #expect(await other.snapshot == writer.snapshot)
  }

  @Test("A source whose entry the log has lost stops, and tokens tell the two histories apart")
  func forked() async throws {
    let log = MemoryLog()
    let reports = Reports()
    let far = log.participant()
    let first = try await Self.replica(log.participant(), reports)
    let second = try await Self.replica(far)
    try await Self.fill(first, 2)
    try await second.reached(Revision(2))
    far.cut()
    try await first.update { try $0.appendItems([10], toSection: "A") }
    let lost = first.token(for: Revision(3))
    log.loseLast(1)
    far.heal()
    try await second.update { try $0.appendItems([20], toSection: "A") }
    #expect(second.token(for: Revision(3)) != lost)
    #expect(second.revision(for: lost) == nil)
    // The first one cannot know yet. Its next write is accepted, and skipped by all others.
    try await first.update { try $0.appendItems([11], toSection: "A") }
    let revision = try await second.update { try $0.appendItems([21], toSection: "A") }.revision
    #expect(revision == Revision(5))
    let fork = await #expect(throws: ReplicationError.self) { try await first.reached(revision) }
    #expect(fork?.name == "forked")
    await #expect(throws: ReplicationError.self) {
      try await first.update { try $0.appendItems([12], toSection: "A") }
    }
    #expect(await first.snapshot.itemIdentifiers == [0, 1, 10, 11])
    let third = try await Self.replica(log.participant())
    try await third.reached(revision)
    #expect(await third.snapshot == second.snapshot)
    #expect(await third.snapshot.itemIdentifiers == [0, 1, 20, 21])
    #expect(third.token(for: revision) == second.token(for: revision))
    // A client of the lost history starts from scratch.
    var batches = third.updates(after: lost).makeAsyncIterator()
    #expect(await batches.next()?.base == nil)
  }

  /// A log that has lost an append of several entries, and has accepted one of another size instead.
  @Test("An entry that was made after another number of entries is skipped by all")
  func renumbered() async throws {
    let log = MemoryLog()
    let reports = Reports()
    let first = try await Self.replica(log.participant(), reports)
    try await Self.fill(first, 4)
    let lost = DataSourceActor<String, Int>(options: SourceOptions(epoch: log.epoch))
    var batches = lost.updates(.every(limit: 9)).makeAsyncIterator()
    _ = await batches.next()
    for section in ["A", "B", "C"] {
      try await lost.update { $0.appendSections([section]) }
      let delta = try #require(await batches.next()).delta
      guard section != "A" else { continue }
      let end = await first.revision
      let entry = LogEntry(id: WriteID(), delta: Array(try JSONEncoder().encode(delta)))
      #expect(try await log.participant().append(entry, after: end))
      try await first.reached(end.next)
      #expect(await first.snapshot.itemIdentifiers.count == 4 + (end.number - 4) / 2)
      try await first.update { try $0.appendItems([end.number], toSection: "A") }
    }
    let other = try await Self.replica(log.participant())
    try await other.reached(Revision(8))
    #expect(await other.snapshot == first.snapshot)
    #expect(other.token(for: Revision(8)) == first.token(for: Revision(8)))
    #expect(
      reports.all.compactMap {
        if case ReplicationError.skippedEntry(let revision, _) = $0 { revision.number } else { nil }
      } == [5, 7])
  }

  @Test(
    "An entry that leads to a state without a digest, or is of another log, cannot be read",
    arguments: [true, false])
  func entryWithoutDigest(isOfLog: Bool) async throws {
    let log = MemoryLog()
    let replica = try await Self.replica(log.participant())
    let epoch = isOfLog ? log.epoch : Epoch()
    let source = DataSourceActor<String, Int>(options: SourceOptions(epoch: epoch))
    var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
    _ = await batches.next()
    try await source.update { $0.appendSections(["A"]) }
    let delta = try #require(await batches.next()).delta
    #expect(delta.target.description.count == 32)
    let entry = LogEntry(id: WriteID(), delta: Array(try JSONEncoder().encode(delta)))
    #expect(try await log.participant().append(entry, after: .empty))
    await #expect { try await replica.reached(Revision(1)) } throws: {
      switch $0 {
      case ReplicationError.unreadableEntry(Revision(1), .misfit): isOfLog
      case ReplicationError.unreadableEntry(Revision(1), .wrongBase): !isOfLog
      default: false
      }
    }
    #expect(await replica.snapshot.sectionIdentifiers.isEmpty)
  }
}

/// What a failure handler has received.
private final class Reports: Sendable {
  private let errors = Lock<[any Error]>([])

  func add(_ error: any Error) { errors.withLock { $0.append(error) } }

  var all: [any Error] { errors.withLock { $0 } }

  /// Waits for a report.
  func expect(
    sourceLocation: SourceLocation = #_sourceLocation, _ isExpected: (any Error) -> Bool
  ) async throws {
    try await wait(for: "A report", sourceLocation: sourceLocation) {
      all.contains(where: isExpected)
    }
  }
}
