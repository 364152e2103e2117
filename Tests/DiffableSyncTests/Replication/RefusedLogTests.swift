import Diffable
import DiffableTesting
import TestScope
import Testing

@testable import DiffableSync

@Suite("A log that refuses to be read", .deadline)
struct RefusedLogTests {
  @Test("Each reason is reported once, however often it is given")
  func reasons() async throws {
    let log = MemoryLog()
    let way = RefusingLog(log)
    let reported = Lock<[RevisionLogError]>([])
    let reader = try await ReplicatedSourceTests.replica(way) { error in
      guard case ReplicationError.log(let error) = error else { return }
      reported.withLock { $0.append(error) }
    }
    let writer = try await ReplicatedSourceTests.replica(log.participant())
    let reasons = ["not yet", "not for you", "not yet"]
    way.refuse(because: reasons[0])
    // The request that is under way ends now, and is refused.
    try await writer.update { $0.appendSections(["A"]) }
    for reason in reasons {
      way.refuse(because: reason)
      // Before the source asks again, it has reported the answer.
      try await wait(for: reason) { way.refusals > 1 }
    }
    way.refuse(because: nil)
    try await writer.update { try $0.appendItems([1], toSection: "A") }
    try await wait { await reader.revision == Revision(2) }
    #expect(reported.withLock { $0 } == reasons.map { .rejected(reason: $0) })
  }

  @Test("A log that is read again is followed, also if it has nothing new")
  func nothingNew() async throws {
    let log = MemoryLog()
    let way = RefusingLog(log)
    let source = try await ReplicatedSourceTests.replica(way)
    way.refuse(because: "not yet")
    // The request that is under way ends with an entry, which the log loses before it is read.
    log.addForeignMessage()
    try await wait { way.refusals > 0 }
    log.loseLast(1)
    way.refuse(because: nil)
    try await wait { await source.failure == nil }
    try await source.update { $0.appendSections(["A"]) }
    #expect(await source.revision == Revision(1))
  }

  @Test("Whoever waits for a revision waits no longer, and no write is made")
  func waiter() async throws {
    let log = MemoryLog()
    let way = RefusingLog(log)
    let reader = try await ReplicatedSourceTests.replica(way)
    let writer = try await ReplicatedSourceTests.replica(log.participant())
    let waiter = Task { try await reader.reached(Revision(9)) }
    try await wait { await !reader.waiting.isEmpty }
    way.refuse(because: "not for you")
    // The request that is under way ends now, and is refused.
    try await writer.update { $0.appendSections(["A"]) }
    await #expect {
      try await ended { try await waiter.value }
    } throws: {
      if case ReplicationError.log(.rejected("not for you")) = $0 { true } else { false }
    }
    // It loses this race at the latest, and cannot see who has won.
    await #expect {
      while true { try await reader.update { $0.appendSections(["B"]) } }
    } throws: {
      if case ReplicationError.log(.rejected("not for you")) = $0 { true } else { false }
    }
  }

  @Test("Whoever waits for a revision hears of a stored state that takes its place")
  func jump() async throws {
    let log = MemoryLog()
    let way = log.participant()
    let reader = try await ReplicatedSourceTests.replica(way)
    var options = ReplicationOptions.quick
    (options.revisionsPerState, options.revisionsKept) = (4, 0)
    let writer = try await ReplicatedSourceTests.replica(log.participant(), options: options)
    way.cut()
    for number in 0..<4 { try await writer.update { $0.appendSections(["\(number)"]) } }
    try await wait { log.contents.entries.isEmpty }
    let waiter = Task { try await reader.reached(Revision(4)) }
    try await wait { await !reader.waiting.isEmpty }
    way.heal()
    try await ended { try await waiter.value }
    #expect(await reader.snapshot == writer.snapshot)
  }
}

/// A log that refuses to be read while there is a reason.
private final class RefusingLog: ForwardingLog {
  let log: MemoryLog.Participant
  private let state = Lock<(reason: String?, refusals: Int)>((nil, 0))

  init(_ log: MemoryLog) { self.log = log.participant() }

  /// Begins to refuse for another reason, or for none.
  func refuse(because reason: String?) { state.withLock { $0 = (reason, 0) } }

  /// How often the log was asked for its epoch, and refused, since there is the reason.
  var refusals: Int { state.withLock { $0.refusals } }

  private func read(count: Int = 0) throws(RevisionLogError) {
    let reason = state.withLock { state in
      if state.reason != nil { state.refusals += count }
      return state.reason
    }
    if let reason { throw .rejected(reason: reason) }
  }

  func epoch() async throws(RevisionLogError) -> Epoch {
    try read(count: 1)
    return try await log.epoch()
  }

  func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage {
    let page = try await log.entries(after: known)
    try read()
    return page
  }

  func lastRevision() async throws(RevisionLogError) -> Revision? { try await log.lastRevision() }

  func newestState() async throws(RevisionLogError) -> StoredState? {
    try read()
    return try await log.newestState()
  }
}
