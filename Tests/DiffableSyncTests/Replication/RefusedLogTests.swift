import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("A log that refuses to be read, or to be written", .deadline)
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
    // Once it has been read, the same reason is news.
    way.refuse(because: reasons[2])
    try await writer.update { try $0.appendItems([2], toSection: "A") }
    try await wait { reported.withLock { $0.count } == reasons.count + 1 }
    way.refuse(because: nil)
    try await wait { await reader.revision == Revision(3) }
    #expect(reported.withLock { $0.last } == .rejected(reason: reasons[2]))
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
    await #expect {
      try await reader.update { $0.appendSections(["B"]) }
    } throws: {
      if case ReplicationError.log(.rejected("not for you")) = $0 { true } else { false }
    }
    // Nor is one shown that nobody could make.
    let list = await reader.optimistic()
    await #expect(throws: ReplicationError.self) {
      try await list.update { $0.appendSections(["B"]) }
    }
    #expect(await list.snapshot.sectionIdentifiers.isEmpty)
  }

  @Test(
    "Whoever waits for a revision waits until its task or the source ends",
    arguments: [false, true])
  func endedWait(isFinished: Bool) async throws {
    let reader = try await ReplicatedSourceTests.replica(MemoryLog().participant())
    let waiter = Task { try await reader.reached(Revision(9)) }
    try await wait { await reader.isWaitedFor }
    if isFinished { await reader.finish() } else { waiter.cancel() }
    await #expect {
      try await ended { try await waiter.value }
    } throws: {
      isFinished ? $0 as? DataSourceError == .finished : $0 is CancellationError
    }
  }

  @Test("A log that was deleted and made again is not followed")
  func madeAgain() async throws {
    let log = MemoryLog()
    let way = RefusingLog(log)
    let source = try await ReplicatedSourceTests.replica(way)
    way.refuse(because: "deleted")
    // The request that is under way ends now, and is refused.
    log.addForeignMessage()
    try await wait { way.refusals > 0 }
    way.makeAgain()
    try await wait {
      guard case .log(.rejected(let reason))? = await source.failure else { return false }
      return reason.contains("made again")
    }
    #expect(await source.revision == .empty)
    await #expect(throws: ReplicationError.self) {
      try await source.update { $0.appendSections(["A"]) }
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

  /// A participant of a list whose log is locked; a log that says that it has not done what it was asked leaves
  /// nobody in doubt.
  private func locked(
    limit: Duration
  ) async throws -> (replica: ReplicatedSourceTests.Replica, log: GatedLog, memory: MemoryLog) {
    let memory = MemoryLog()
    let log = GatedLog(memory)
    var options = ReplicationOptions.quick
    options.timeLimit = limit
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    log.answer { _ in .notDone(reason: "it is locked") }
    return (replica, log, memory)
  }

  @Test(
    "When the time of writes to a locked log is over, nothing was changed, however many share an append"
  )
  func timedOut() async throws {
    let (replica, _, memory) = try await locked(limit: .milliseconds(50))
    let writes = (0..<8).map { number in
      Task { try await replica.update { $0.appendSections(["\(number)"]) } }
    }
    for write in writes {
      let late = await #expect(throws: ReplicationError.self) { try await write.value }
      #expect(late?.name == "timedOut")
    }
    #expect(await replica.revision == .empty)
    #expect(try await memory.participant().lastRevision() == .empty)
  }

  @Test("A write to a locked log whose task is cancelled has changed nothing")
  func cancelled() async throws {
    let (replica, log, memory) = try await locked(limit: .seconds(3_600))
    let write = Task { try await replica.update { $0.appendSections(["A"]) } }
    try await wait { log.appends.count > 3 }
    log.answer { _ in
      // The answer of a log that notices the cancellation.
      .notDone(reason: "the task was cancelled")
    }
    write.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await write.value }
    #expect(try await memory.participant().lastRevision() == .empty)
  }

  @Test("Writes to a locked log are made once it is open again, each once")
  func opened() async throws {
    let (replica, log, _) = try await locked(limit: .seconds(3_600))
    let writes = (0..<8).map { number in
      Task { try await replica.update { $0.appendSections(["\(number)"]) } }
    }
    try await wait { log.appends.count > 20 }
    log.answer { _ in nil }
    for write in writes { _ = try await write.value }
    #expect(await replica.revision == Revision(8))
    #expect(await replica.snapshot.numberOfSections == 8)
  }

  @Test(
    "A log that does not make a write is asked after longer and longer pauses",
    arguments: [RevisionLogError.notDone(reason: "locked"), .unavailable(reason: "away")])
  func pauses(_ error: RevisionLogError) async throws {
    let (log, clock) = (GatedLog(MemoryLog()), PauseClock())
    var options = ReplicationOptions.quick
    options.source.clock = clock
    (options.pause, options.longestPause) = (.milliseconds(100), .seconds(5))
    options.checkInterval = .seconds(3_600)
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    log.answer { _ in error }
    let write = Task { try await replica.update { $0.appendSections(["A"]) }.revision }
    try await wait { clock.pauses.count >= 9 }
    log.answer { _ in nil }
    #expect(try await write.value == Revision(1))
    for (index, pause) in clock.pauses.prefix(9).enumerated() {
      let longest = min(.milliseconds(100) * (1 << index), Duration.seconds(5))
      #expect(longest / 2 <= pause && pause <= longest, "pause \(index): \(pause)")
    }
  }

  @Test("No state is read whose revision no log can have", arguments: [-1, Int.min, Int.max])
  func hostileState(_ number: Int) {
    let core = SourceCore<String, Int>(
      SourceOptions(), kernels: Snapshot<String, Int>.makeKernels(), children: nil)
    let list = ReplicatedList<UpdateBatch<String, Int>>(
      core, limits: DeltaLimits(),
      coder: DeltaCoder(encode: { _ in [] }, decode: { _ in throw DeltaError.finished }))
    #expect { try list.check(StoredState(revision: Revision(number), reset: [1])) } throws: {
      if case ReplicationError.unreadableState(_, .misfit) = $0 { true } else { false }
    }
  }
}

/// A log that refuses to be read while there is a reason.
private final class RefusingLog: ForwardingLog {
  let log: MemoryLog.Participant
  private let state = Lock<(reason: String?, refusals: Int, epoch: Epoch?)>((nil, 0, nil))

  init(_ log: MemoryLog) { self.log = log.participant() }

  /// Begins to refuse for another reason, or for none.
  func refuse(because reason: String?) {
    state.withLock { ($0.reason, $0.refusals) = (reason, 0) }
  }

  /// Goes on as a log with another epoch.
  func makeAgain() { state.withLock { ($0.reason, $0.epoch) = (nil, Epoch()) } }

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
    if let epoch = state.withLock({ $0.epoch }) { return epoch }
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
