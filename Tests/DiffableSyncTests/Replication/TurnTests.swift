import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

@Suite("Participants wait for each other", .deadline) struct TurnTests {
  @Test("A write waits for the turn of another one until that has written, or until either ends")
  func waitingForATurn() async throws {
    let memory = MemoryLog()
    let log = memory.participant()
    let replica = try await ReplicatedSourceTests.replica(log, options: .impatient)
    try await replica.update { $0.appendSections(["A"]) }
    let (clock, gate) = (ManualClock(), GatedLog(memory))
    var options = ReplicationOptions.impatient
    (options.source.clock, options.timeLimit) = (clock, .seconds(3_600))
    options.longestPause = .seconds(3_600)
    let waiter = try await ReplicatedSourceTests.replica(gate, options: options)
    try await waiter.reached(Revision(1))

    func write(_ item: Int) -> Task<Revision, any Error> {
      Task { try await waiter.update { try $0.appendItems([item], toSection: "A") }.revision }
    }
    /// Makes an entry of the other participant after which nobody has to stop.
    func writeAsTheOther() async throws -> Revision {
      while true {
        let revision = try await replica.update { draft in
          try draft.appendItems([100 + draft.numberOfItems], toSection: "A")
        }.revision
        let base = Revision(revision.number - 1)
        guard case .entries(let entries, _) = try await log.entries(after: base),
          let entry = entries.first
        else { throw DataSourceError.finished }
        if entry.id.lot > 1 { return revision }
      }
    }
    func writeAfterTheOther(_ item: Int) async throws {
      try await waiter.reached(writeAsTheOther())
      // An answer takes ten seconds.
      gate.close()
      let own = write(item)
      try await wait { gate.held == 1 }
      clock.advance(by: .seconds(10))
      gate.open()
      try await replica.reached(own.value)
    }

    try await writeAfterTheOther(1)
    try await writeAfterTheOther(2)
    let appends = gate.appends.count
    let third = write(3)
    try await wait { await waiter.isAwaitingTurn }
    #expect(gate.appends.count == appends)
    _ = try await writeAsTheOther()
    _ = try await third.value

    try await writeAfterTheOther(6)
    let given = write(7)
    try await wait { await waiter.isAwaitingTurn }
    let next = write(8)
    try await wait { await waiter.numberOfWaitingWrites == 2 }
    given.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await ended { try await given.value } }
    // The one that waits after it waits on.
    try await wait { await waiter.isAwaitingTurn }
    #expect(await waiter.numberOfWaitingWrites == 1)
    _ = try await writeAsTheOther()
    _ = try await next.value

    try await writeAfterTheOther(4)
    let fourth = write(5)
    try await wait { await waiter.isAwaitingTurn }
    await waiter.finish()
    await #expect(throws: DataSourceError.finished) { try await fourth.value }
  }

  @Test("A write loses as many races as it may, and has changed nothing then", arguments: 1...3)
  func tries(_ tries: Int) async throws {
    let memory = MemoryLog()
    let log = GatedLog(memory)
    var options = ReplicationOptions.quick
    options.tries = tries
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    let other = try await ReplicatedSourceTests.replica(memory.participant())
    log.close()
    let write = Task { try await replica.update { $0.appendSections(["mine"]) } }
    let races = (0..<tries).map { "\($0)" }
    for race in races {
      try await wait { log.held == 1 }
      try await other.update { $0.appendSections([race]) }
      log.letPass()
    }
    await #expect { try await ended { try await write.value } } throws: {
      if case ReplicationError.contention(tries) = $0 { true } else { false }
    }
    #expect(log.appends.count == tries)
    #expect(await replica.snapshot.sectionIdentifiers == races)
  }

  @Test("A participant that hears of another one with its number takes another number")
  func sameNumber() async throws {
    let memory = MemoryLog()
    let first = try await ReplicatedSourceTests.replica(memory.participant())
    let second = try await ReplicatedSourceTests.replica(memory.participant())
    for replica in [first, second] { await replica.take(7) }
    try await second.reached(first.update { $0.appendSections(["A"]) }.revision)
    #expect(await second.number != 7)
    #expect(await first.number == 7)
    let number = await second.number
    try await first.reached(second.update { $0.appendSections(["B"]) }.revision)
    #expect(await first.number == 7)
    #expect(await second.number == number)
  }
}

extension ReplicatedSource {
  fileprivate var number: UInt32 { list.contention.participant }

  fileprivate func take(_ number: UInt32) { list.contention.participant = number }
}
