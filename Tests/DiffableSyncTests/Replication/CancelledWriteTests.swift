import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

/// Writers that no longer wait, while others do.
extension SharedAppendTests {
  @Test("Cancelling one that is alone ends it wherever it is", arguments: 0..<20)
  func cancelAlone(_ count: Int) async throws {
    let other = try await ReplicatedSourceTests.replica(memory.participant(), options: .impatient)
    try await other.reached(Revision(1))
    log.log.disturb { $0 == .read ? .loseRequest : nil }
    // It loses this race at the latest, and cannot read who has won.
    for item in 1...2 { try await other.update { try $0.appendItems([item], toSection: "A") } }
    let writer = Task {
      while true { _ = try await replica.update { try $0.appendItems([60], toSection: "A") } }
    }
    for _ in 0..<count { await Task.yield() }
    writer.cancel()
    await #expect(throws: (any Error).self) { try await writer.value }
    #expect(await other.snapshot.itemIdentifiers == [0, 1, 2])
    #expect(await replica.snapshot.itemIdentifiers.count < 3)
  }

  @Test("Cancelling one that comes during an append ends it wherever it is", arguments: 0..<20)
  func cancelComing(_ count: Int) async throws {
    let first = try await block()
    let writer = Task { [replica] in
      try await replica.update { try $0.appendItems([60], toSection: "A") }
    }
    for _ in 0..<count { await Task.yield() }
    writer.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await writer.value }
    log.open()
    #expect(try await first.value == Revision(2))
    #expect(
      try await replica.update { try $0.appendItems([2], toSection: "A") }.revision == Revision(3))
    #expect(log.appends == [1, 1, 1])
    #expect(await replica.snapshot.itemIdentifiers == [0, 1, 2])
  }

  @Test(
    "In the pause before another offer, cancelling one or finishing the source ends it at once",
    arguments: [false, true])
  func endInPause(isFinished: Bool) async throws {
    let clock = ManualClock()
    var options = ReplicationOptions.impatient
    options.source.clock = clock
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    log.answer { _ in .unavailable(reason: "no connection") }
    let write = Task { try await replica.update { try $0.appendItems([1], toSection: "A") } }
    // Who looks for the end of its time, or whether new participants can start, sleeps for longer.
    try await wait { clock.nextDeadline.map { $0.offset <= options.longestPause } ?? false }
    if isFinished { await replica.finish() } else { write.cancel() }
    let unknown = await #expect(throws: ReplicationError.self) {
      try await ended { try await write.value }
    }
    #expect(unknown?.name == "unknownFate")
    // Nobody would cancel another offer, and a log may take long to answer.
    #expect(log.appends == [1, 1])
  }

  @Test("When the source ends, the append under way gets its answer, and no other is made")
  func finished() async throws {
    let first = try await block()
    let waiting = try await append(10)
    await replica.finish()
    log.open()
    #expect(try await ended { try await first.value } == Revision(2))
    await #expect(throws: DataSourceError.finished) {
      try await ended { try await waiting.value }
    }
    #expect(log.appends == [1, 1] && memory.contents.entries.count == 2)
  }

  @Test("Cancelling one leaves the others alone", arguments: 0..<3)
  func cancelled(_ index: Int) async throws {
    let first = try await block()
    var writes: [Write] = []
    for item in 0..<3 { writes.append(try await append(10 + item)) }
    log.letPass()
    #expect(try await first.value == Revision(2))
    try await wait { log.held == 1 }
    writes[index].cancel()
    let unknown = await #expect(throws: ReplicationError.self) { try await writes[index].value }
    #expect(unknown?.name == "unknownFate")
    log.open()
    for other in 0..<3 where other != index {
      #expect(try await writes[other].value == Revision(3 + other))
    }
    #expect(log.appends == [1, 1, 3])
    #expect(await replica.snapshot.itemIdentifiers == [0, 1, 10, 11, 12])
  }

  @Test("Cancelling one that waits takes it out, and cancelling all ends the append")
  func allCancelled() async throws {
    let first = try await block()
    let (one, other, last) = (try await append(10), try await append(11), try await append(12))
    other.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await other.value }
    log.letPass()
    #expect(try await first.value == Revision(2))
    try await wait { log.held == 1 }
    for write in [one, last] { write.cancel() }
    for write in [one, last] {
      let unknown = await #expect(throws: ReplicationError.self) { try await write.value }
      #expect(unknown?.name == "unknownFate")
    }
    log.open()
    // The log was not asked in earnest.
    #expect(
      try await replica.update { try $0.appendItems([20], toSection: "A") }.revision == Revision(3))
    #expect(await replica.snapshot.itemIdentifiers == [0, 1, 20])
  }
}
