import Diffable
import DiffableSync
import DiffableTesting
import TestScope
import Testing

@Suite("Optimistic changes are shown at once, and end as what the log has", .deadline)
struct OptimisticTests {
  typealias Replica = ReplicatedSourceTests.Replica

  @Test("A change is shown while the log cannot be reached, and confirmed later")
  func offline() async throws {
    let log = MemoryLog()
    let way = log.participant()
    let replica = try await ReplicatedSourceTests.replica(way)
    try await replica.update { $0 = Snapshot(sections: ["A"], items: [[1, 2]]) }
    let list = await replica.optimistic()
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    #expect(await batches.next()?.unconfirmedItems == [])
    way.cut()
    let first = try await list.update { try $0.appendItems([3], toSection: "A") }
    let second = try await list.update { try $0.moveItem(1, afterItem: 2) }
    #expect(await list.snapshot.itemIdentifiers == [2, 1, 3])
    #expect(await replica.snapshot.itemIdentifiers == [1, 2])
    #expect(await list.element(for: 3) == 3)
    #expect(await replica.element(for: 3) == nil)
    #expect(await batches.next()?.unconfirmedItems == [3])
    let shown = await batches.next()
    #expect(shown?.unconfirmedItems.contains(3) == true)
    #expect(shown?.unconfirmedItems.count == 2)
    #expect(await list.revision == shown?.target)

    way.heal()
    #expect(await first.outcome.acceptance?.target == Revision(2))
    #expect(await second.outcome.acceptance?.target == Revision(3))
    #expect(await replica.snapshot.itemIdentifiers == [2, 1, 3])
    var last = await batches.next()
    while last?.unconfirmedItems.isEmpty == false { last = await batches.next() }
    // What has become confirmed is shown again, and nothing moves.
    #expect(last?.snapshot.itemIdentifiers == [2, 1, 3])
    #expect(last?.difference.itemInserts.isEmpty == true)
    #expect(last?.difference.itemReconfigures.isEmpty == false)
  }

  /// A change that waits for the log, and whose source nobody else holds.
  private func unheldWrite(
    over way: MemoryLog.Participant, isFinished: Bool
  ) async throws -> OptimisticWrite<String, Int> {
    let replica = try await ReplicatedSourceTests.replica(way)
    try await replica.update { $0.appendSections(["A"]) }
    way.cut()
    let write = try await replica.optimistic().update { try $0.appendItems([1], toSection: "A") }
    if isFinished { await replica.finish() }
    return write
  }

  @Test("A change that waits is offered on if nobody holds its source, unless that is finished")
  func unheld() async throws {
    let way = MemoryLog().participant()
    let write = try await unheldWrite(over: way, isFinished: false)
    way.heal()
    #expect(await write.outcome.acceptance?.target == Revision(2))
    let given = try await unheldWrite(over: MemoryLog().participant(), isFinished: true)
    #expect(await given.outcome.failure != nil)
  }

  /// Two of which the first can only read: its own changes do not arrive.
  private func halfConnected(
    _ items: [Int] = [1, 2, 3], sections: [String] = ["A"]
  ) async throws -> (near: MemoryLog.Participant, mine: Replica, other: Replica) {
    let two = try await ReplicatedSourceTests.two { draft in
      draft.appendSections(sections)
      try draft.appendItems(items, toSection: "A")
    }
    two.near.disturb { $0 == .append ? .loseRequest : nil }
    return two
  }

  @Test("A change is made again on top of the changes of others")
  func rebasing() async throws {
    let (near, mine, other) = try await halfConnected()
    let list = await mine.optimistic()
    let write = try await list.update { try $0.moveItem(3, beforeItem: 1) }
    try await other.update { try $0.appendItems([4], toSection: "A") }
    try await mine.reached(Revision(2))
    #expect(await list.snapshot.itemIdentifiers == [3, 1, 2, 4])
    near.heal()
    let made = try #require(await write.outcome.acceptance)
    #expect(made.target == Revision(3))
    // It begins where the others have ended.
    #expect(made.initialSnapshot.itemIdentifiers == [1, 2, 3, 4])
    #expect(made.difference.itemInserts.isEmpty && made.difference.itemMoves.count == 1)
    try await other.reached(Revision(3))
    #expect(await other.snapshot.itemIdentifiers == [3, 1, 2, 4])
    #expect(await list.snapshot == other.snapshot)
  }

  @Test("An edit that clears the list leaves a section that others have made meanwhile")
  func clearing() async throws {
    let (near, mine, other) = try await halfConnected()
    let list = await mine.optimistic()
    let write = try await list.update { $0.deleteSections($0.sectionIdentifiers) }
    #expect(await list.snapshot.sectionIdentifiers.isEmpty)
    try await other.update { draft in
      draft.appendSections(["B"])
      try draft.appendItems([4], toSection: "B")
    }
    try await mine.reached(Revision(2))
    #expect(await list.snapshot.description == "B[4]")
    near.heal()
    try #require(await write.outcome.acceptance != nil)
    #expect(await mine.snapshot.description == "B[4]")
  }

  @Test("Without an answer a write that shares the append ends, and a shown change is offered on")
  func withoutAnswer() async throws {
    let log = GatedLog(MemoryLog())
    let replica = try await ReplicatedSourceTests.replica(log, options: .impatient)
    try await replica.update { $0.appendSections(["A"]) }
    log.close()
    let first = Task { try await replica.update { try $0.appendItems([1], toSection: "A") } }
    try await wait { log.held == 1 }
    let shown = try await replica.optimistic().update { try $0.appendItems([2], toSection: "A") }
    let plain = Task { try await replica.update { try $0.appendItems([3], toSection: "A") } }
    try await wait { await replica.numberOfWaitingWrites == 2 }
    log.letPass()
    _ = try await first.value
    try await wait { log.appends.last == 2 }
    log.answer { _ in .unavailable(reason: "no answer") }
    log.open()
    let unknown = await #expect(throws: ReplicationError.self) { try await plain.value }
    #expect(unknown?.name == "unknownFate")
    log.answer { _ in nil }
    try #require(await shown.outcome.acceptance != nil)
    #expect(await replica.snapshot.itemIdentifiers == [1, 2, 3])
  }

  @Test("A change that waits finds a row whose new name the log has rejected")
  func rejectedName() async throws {
    let log = GatedLog(MemoryLog())
    let replica = try await ReplicatedSourceTests.replica(log)
    try await replica.update { $0 = Snapshot(sections: ["A"], items: [[1, 2, 3]]) }
    log.close()
    let list = await replica.optimistic()
    let named = try await list.update { try $0.renameItem(1, to: 20) }
    try await wait { log.held == 1 }
    let moved = try await list.update { try $0.moveItem(20, afterItem: 3) }
    #expect(await list.snapshot.itemIdentifiers == [2, 3, 20])
    let isFirst = Lock(true)
    log.answer { _ in
      isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst ? .rejected(reason: "no") : nil
      }
    }
    log.open()
    #expect(await named.outcome.acceptance == nil)
    try #require(await moved.outcome.acceptance != nil)
    #expect(await replica.snapshot.itemIdentifiers == [2, 3, 1])
    #expect(await list.snapshot.itemIdentifiers == [2, 3, 1])
  }

  @Test("A change that the log rejects goes as it has come")
  func rejectedPresentation() async throws {
    let log = GatedLog(MemoryLog())
    let replica = try await ReplicatedSourceTests.replica(log)
    try await replica.update { $0 = Snapshot(sections: ["A"], items: [[1]]) }
    log.answer { _ in .rejected(reason: "full") }
    let list = await replica.optimistic()
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    _ = await batches.next()
    let write = try await list.update(presentation: .immediate) { $0.deleteItems([1]) }
    try #require(await write.outcome.failure != nil)
    for items in [[], [1]] {
      let batch = await batches.next()
      #expect(batch?.snapshot.itemIdentifiers == items && batch?.presentation == .immediate)
    }
  }

  @Test("A list that is requested after the end of its source has ended, too")
  func requestedLate() async throws {
    let replica = try await ReplicatedSourceTests.replica(MemoryLog().participant())
    await replica.finish()
    let list = await replica.optimistic()
    try await ended { for await _ in list.updates() {} }
    await #expect(throws: DataSourceError.finished) {
      try await list.update { $0.appendSections(["A"]) }
    }
  }

  @Test("A row in a section that is not confirmed is not confirmed either")
  func sections() async throws {
    let log = MemoryLog()
    let way = log.participant()
    let replica = try await ReplicatedSourceTests.replica(way)
    try await replica.update { $0 = Snapshot(sections: ["A"], items: [[1, 2]]) }
    let list = await replica.optimistic()
    way.cut()
    let write = try await list.update { draft in
      draft.appendSections(["B"])
      try draft.appendItems([3], toSection: "B")
      try draft.moveItem(1, afterItem: 3)
    }
    var batches = list.updates().makeAsyncIterator()
    let shown = await batches.next()
    #expect(shown?.snapshot.itemIdentifiers == [2, 3, 1])
    #expect(Set(shown?.unconfirmedItems ?? []) == [3, 1])
    way.heal()
    _ = await write.outcome
    var last = await batches.next()
    while last?.unconfirmedItems.isEmpty == false { last = await batches.next() }
    #expect(last?.snapshot.itemIdentifiers == [2, 3, 1])
  }

  @Test(
    "A row that gets another name stays the same row, whatever others write meanwhile",
    arguments: [false, true])
  func names(isSlow: Bool) async throws {
    let (near, mine, other) = try await halfConnected([1, 2, 9])
    let list = await mine.optimistic()
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    var slow = list.updates().makeAsyncIterator()
    _ = await batches.next()
    _ = await slow.next()
    // It can only be made as long as 9 is there.
    let write = try await list.update { draft in
      guard draft.containsItem(9) else { throw Missing() }
      try draft.renameItem(2, to: 20)
    }
    let renamed = try #require(await batches.next())
    #expect(Array(renamed.difference.itemRenames) == [ItemPath(section: 0, item: 1)])
    // Others write beside it.
    try await other.update { try $0.appendItems([4], toSection: "A") }
    try await mine.reached(Revision(2))
    let beside = try #require(await batches.next())
    #expect("\(beside.difference)" == "+0:3")
    if isSlow {
      let both = try #require(await slow.next())
      #expect(Array(both.difference.itemRenames) == [ItemPath(section: 0, item: 1)])
      #expect(both.difference.itemDeletes.isEmpty)
    }
    // It cannot be made any more, and the row has its old name again.
    try await other.update { $0.deleteItems([9]) }
    try await mine.reached(Revision(3))
    let back = try #require(await batches.next())
    #expect(back.snapshot.itemIdentifiers == [1, 2, 4])
    #expect(Array(back.difference.itemRenames) == [ItemPath(section: 0, item: 1)])
    #expect(back.difference.itemInserts.isEmpty)
    near.heal()
    try #require(await write.outcome.failure != nil)
  }

  private struct Missing: Error {}

  @Test("A change that others have made impossible is rejected, and shown no longer")
  func rejected() async throws {
    let (near, mine, other) = try await halfConnected([1], sections: ["A", "B"])
    let list = await mine.optimistic()
    let write = try await list.update { try $0.appendItems([2], toSection: "B") }
    try await other.update { $0.deleteSections(["B"]) }
    try await mine.reached(Revision(2))
    near.heal()
    let error = try #require(await write.outcome.failure)
    #expect(error is SnapshotError)
    #expect(await list.snapshot.sectionIdentifiers == ["A"])
    #expect(await list.snapshot.itemIdentifiers == [1])
    await #expect(throws: SnapshotError.self) {
      try await list.update { try $0.appendItems([1], toSection: "C") }
    }
  }
}
