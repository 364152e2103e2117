import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

import DiffableSync

@Suite("Writes that wait together share an append", .deadline) struct SharedAppendTests {
  typealias Replica = ReplicatedSourceTests.Replica
  typealias Write = Task<Revision, any Error>
  private struct Failure: Error {}

  let memory = MemoryLog()
  let log: GatedLog
  let replica: Replica

  init() async throws {
    log = GatedLog(memory)
    replica = try await ReplicatedSourceTests.replica(log, options: .impatient)
    try await replica.update { $0 = Snapshot(sections: ["A"], items: [[0]]) }
  }

  /// Begins an append that waits at the gate.
  func block() async throws -> Write {
    log.close()
    let first = Task {
      try await replica.update { try $0.appendItems([1], toSection: "A") }.revision
    }
    try await wait { log.held == 1 }
    return first
  }

  /// Begins a write that waits for the append under way.
  func begin<Result: Sendable>(
    _ write: @escaping @Sendable (Replica) async throws -> Result
  ) async throws -> Task<Result, any Error> {
    let count = await replica.numberOfWaitingWrites
    let task = Task { [replica] in try await write(replica) }
    try await wait { await replica.numberOfWaitingWrites == count + 1 }
    return task
  }

  /// Begins an edit that waits for it.
  func edit(
    named name: String? = nil,
    _ edit: @escaping @Sendable (inout Snapshot<String, Int>) throws -> Void
  ) async throws -> Write {
    try await begin { try await $0.update(named: name, edit).revision }
  }

  func append(_ item: Int, named name: String? = nil) async throws -> Write {
    try await edit(named: name) { try $0.appendItems([item], toSection: "A") }
  }

  @Test("Each is a revision of its own, in the order of the calls", arguments: 1...5)
  func together(_ count: Int) async throws {
    let first = try await block()
    var writes: [Write] = []
    for item in 0..<count { writes.append(try await append(10 + item, named: "\(item)")) }
    log.open()
    #expect(try await first.value == Revision(2))
    for (index, write) in writes.enumerated() {
      #expect(try await write.value == Revision(3 + index))
    }
    #expect(log.appends == [1, 1, count])
    #expect(await replica.snapshot.itemIdentifiers == [0, 1] + (0..<count).map { 10 + $0 })
    let other = try await ReplicatedSourceTests.replica(memory.participant())
    try await other.reached(Revision(2 + count))
    #expect(await other.snapshot == replica.snapshot)
    #expect(Set(memory.contents.entries.map(\.id)).count == 2 + count)
    // Each can be undone.
    for item in (0..<count).reversed() {
      #expect(try await replica.undo()?.reversedChange?.name == "\(item)")
    }
    #expect(await replica.snapshot.itemIdentifiers == [0, 1])
  }

  @TaskLocal private static var writer: Int?

  /// Which writer's values the edits have found, in their order.
  private final class Seen: Sendable {
    private let values = Lock<[Int?]>([])
    var all: [Int?] { values.withLock { $0 } }
    func add(_ value: Int?) { values.withLock { $0.append(value) } }
  }

  private static func write(_ number: Int, to replica: Replica, _ seen: Seen) async throws {
    try await $writer.withValue(number) {
      _ = try await replica.update { draft in
        seen.add(writer)
        try draft.appendItems([number], toSection: "A")
      }
    }
  }

  /// Others' edits must not run with the task-local values of the first.
  @Test("One that is alone is made in its own task, and those that share an append in another")
  func ownTask() async throws {
    let seen = Seen()
    log.close()
    let first = Task { try await Self.write(1, to: replica, seen) }
    try await wait { log.held == 1 }
    var others: [Task<Void, any Error>] = []
    for number in 2...3 {
      others.append(try await begin { try await Self.write(number, to: $0, seen) })
    }
    log.open()
    try await first.value
    for other in others { try await other.value }
    // The next may share an append again.
    for number in 4...5 { try await Self.write(number, to: replica, seen) }
    #expect(seen.all == [1, nil, nil, nil, 5])
    #expect(await replica.snapshot.itemIdentifiers == [0, 1, 2, 3, 4, 5])
  }

  @Test("One that throws or changes nothing drops out alone")
  func dropOuts() async throws {
    let first = try await block()
    let unchanged = try await edit { _ in }
    let (before, failed) = (
      try await append(10),
      try await edit { _ in throw Failure() }
    )
    let after = try await append(11)
    let same = try await edit { $0.deleteItems([99]) }
    log.open()
    #expect(try await first.value == Revision(2))
    #expect(try await unchanged.value == Revision(2))
    #expect(try await before.value == Revision(3))
    await #expect(throws: Failure.self) { try await failed.value }
    #expect(try await after.value == Revision(4))
    #expect(try await same.value == Revision(4))
    #expect(log.appends == [1, 1, 2])
  }

  @Test("A lost race makes all of them again, on the new state and in their order")
  func lostRace() async throws {
    let first = try await block()
    var writes: [Write] = []
    for item in 0..<3 { writes.append(try await append(10 + item)) }
    // What one of them finds depends on the ones before it, which were made again.
    let found = try await begin { replica -> [Int] in
      try await replica.update { draft in
        if !draft.containsItem(12) { throw Failure() }
        return Array(draft.itemIdentifiers)
      }.value
    }
    log.letPass()
    #expect(try await first.value == Revision(2))
    try await wait { log.held == 1 }
    let other = try await ReplicatedSourceTests.replica(memory.participant())
    try await other.reached(Revision(2))
    try await other.update { try $0.appendItems([50], toSection: "A") }
    log.open()
    for (index, write) in writes.enumerated() {
      #expect(try await write.value == Revision(4 + index))
    }
    #expect(try await found.value == [0, 1, 50, 10, 11, 12])
    #expect(log.appends.prefix(3) == [1, 1, 3] && log.appends.dropFirst(3).allSatisfy { $0 == 3 })
  }

  @Test("If the log rejects several, the one that it does not take is rejected alone")
  func rejected() async throws {
    log.answer { entries in
      entries.contains { $0.delta.count > 2_000 } ? .rejected(reason: "too large") : nil
    }
    let first = try await block()
    let (one, other) = (try await append(10), try await append(11))
    let large = try await edit { try $0.appendItems(1_000..<2_000, toSection: "A") }
    // It needs what is not made in the end.
    let dependent = try await edit { $0.deleteItems([1_000]) }
    let last = try await append(12)
    log.open()
    #expect(try await first.value == Revision(2))
    #expect(try await one.value == Revision(3))
    #expect(try await other.value == Revision(4))
    await #expect { try await large.value } throws: {
      if case ReplicationError.rejected("too large") = $0 { true } else { false }
    }
    #expect(try await dependent.value == Revision(4))
    #expect(try await last.value == Revision(5))
    #expect(await replica.snapshot.itemIdentifiers == [0, 1, 10, 11, 12])
  }

  @Test("Without an answer each writer learns that its fate is unknown")
  func unknown() async throws {
    let first = try await block()
    let (one, other) = (try await append(10), try await append(11))
    let same = try await edit { $0.deleteItems([99]) }
    log.letPass()
    #expect(try await first.value == Revision(2))
    try await wait { log.held == 1 }
    log.answer { $0.count > 1 ? .unavailable(reason: "no answer") : nil }
    log.open()
    var ids: Set<WriteID> = []
    for write in [one, other] {
      do {
        _ = try await write.value
        Issue.record("The write was made.")
      } catch ReplicationError.unknownFate(let id, _) {
        ids.insert(id)
      }
    }
    #expect(ids.count == 2)
    // It has no entry, so it is known.
    #expect(try await same.value == Revision(2))
  }

  @Test("What looks into the history begins an append, so undo reverts the write before it")
  func undo() async throws {
    let first = try await block()
    let named = try await append(10, named: "ten")
    let undo = try await begin { try await $0.undo()?.reversedChange?.name }
    let (last, again) = (
      try await append(11, named: "eleven"), try await begin { try await $0.undo() }
    )
    log.open()
    #expect(try await first.value == Revision(2))
    #expect(try await named.value == Revision(3))
    #expect(try await undo.value == "ten")
    #expect(try await last.value == Revision(5))
    #expect(try await again.value?.reversedChange?.name == "eleven")
    #expect(log.appends == [1, 1, 1, 2, 1])
    #expect(await replica.snapshot.itemIdentifiers == [0, 1])
  }

  @Test("One applies to rows under the names that those before it give them")
  func renamed() async throws {
    let first = try await block()
    let base = await replica.snapshot
    let revision = await replica.revision
    let rename = try await edit { try $0.renameItem(0, to: 100) }
    let insert = try await edit { try $0.insertItems([5], afterItem: 0) }
    var copy = base
    try copy.insertItems([6], beforeItem: 0)
    let merge = try await begin { [copy] in try await $0.merge(copy, basedOn: revision) }
    log.open()
    _ = try await (first.value, rename.value, insert.value)
    let transaction = try await merge.value
    #expect(transaction.conflicts.isEmpty)
    #expect(transaction.initialSnapshot.itemIdentifiers == [100, 5, 1])
    #expect(await replica.snapshot.itemIdentifiers == [6, 100, 5, 1])
    #expect(log.appends == [1, 1, 3])
  }

  @Test("One that deletes a section leaves what those before it have put there")
  func filled() async throws {
    let first = try await block()
    // So nothing has changed when the others are made.
    log.answer { $0.count == 1 ? .rejected(reason: "full") : nil }
    let insert = try await append(10)
    let deletion = try await edit { $0.deleteSections(["A"]) }
    log.open()
    await #expect(throws: ReplicationError.self) { try await first.value }
    #expect(try await insert.value == Revision(2))
    #expect(try await deletion.value == Revision(3))
    #expect(await replica.snapshot.itemIdentifiers(inSection: "A") == [10])
    #expect(log.appends == [1, 1, 2])
  }

  @Test("A revision that a writer expects counts the entries before its own")
  func expected() async throws {
    let first = try await block()
    let one = try await append(10)
    var state = Snapshot<String, Int>()
    state.appendSections(["B"])
    let fits = try await begin { [state] in
      try await $0.apply(state, ifRevision: Revision(3)).revision
    }
    let late = try await begin { [state] in
      try await $0.apply(state, ifRevision: Revision(3)).revision
    }
    log.open()
    _ = try await (first.value, one.value)
    #expect(try await fits.value == Revision(4))
    await #expect(throws: DataSourceError.conflict(expected: Revision(3), actual: Revision(4))) {
      try await late.value
    }
  }

  @Test("Changes that are shown already share one, too")
  func optimistic() async throws {
    let first = try await block()
    let list = await replica.optimistic()
    var changes: [OptimisticWrite<String, Int>] = []
    for item in 0..<4 {
      changes.append(try await list.update { try $0.insertItems([10 + item], afterItem: 0) })
    }
    #expect(await list.snapshot.itemIdentifiers == [0, 13, 12, 11, 10])
    log.open()
    for (index, change) in changes.enumerated() {
      let transaction = try #require(await change.outcome.acceptance)
      #expect(transaction.target == Revision(3 + index))
    }
    _ = try await first.value
    #expect(await list.snapshot == replica.snapshot)
    #expect(await replica.snapshot.itemIdentifiers == [0, 13, 12, 11, 10, 1])
    #expect(log.appends == [1, 1, 4])
  }

  @Test("Writers that the log has just answered share the next append", arguments: 2...5)
  func comingBack(_ count: Int) async throws {
    let clock = ManualClock()
    var options = ReplicationOptions.impatient
    (options.source.clock, options.timeLimit) = (clock, .seconds(3_600))
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    try await replica.reached(Revision(1))
    log.close()
    var writers: [Task<Void, any Error>] = []
    for writer in 0..<count {
      writers.append(
        Task {
          for item in 0..<3 {
            try await replica.update {
              try $0.appendItems([10 * writer + item + 1], toSection: "A")
            }
          }
        })
      try await wait { log.held == 1 }
    }
    try await wait { await replica.numberOfWaitingWrites == count - 1 }
    // At last the first writer does not come back, and is waited for in vain.
    for coming in [count, count, count - 1] {
      clock.advance(by: .seconds(16))
      log.letPass()
      try await wait {
        let waiting = await replica.numberOfWaitingWrites
        return waiting == coming || log.held == 1
      }
      try await wait {
        clock.advance(by: .seconds(1))
        return log.held == 1
      }
    }
    log.open()
    for writer in writers { try await writer.value }
    #expect(log.appends == [1, 1, count, count, count - 1])
  }

  @Test("The state is stored if one is due at any of their revisions")
  func stored() async throws {
    var options = ReplicationOptions.impatient
    options.revisionsPerState = 4
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    try await replica.reached(Revision(1))
    log.close()
    var writes: [Task<Void, any Error>] = []
    for item in 1...4 {
      writes.append(
        Task { _ = try await replica.update { try $0.appendItems([item], toSection: "A") } })
      if item == 1 { try await wait { log.held == 1 } }
    }
    try await wait { await replica.numberOfWaitingWrites == 3 }
    log.open()
    for write in writes { try await write.value }
    #expect(log.appends == [1, 1, 3])
    try await wait { try await memory.participant().newestState()?.revision == Revision(5) }
  }
}
