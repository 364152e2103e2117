import Diffable
import DiffableQueries
import DiffableSync
import DiffableTesting
import Foundation
import Synchronization
import TestScope
import Testing

@testable import livelist

@Suite("The processes of several machines", .deadline)
struct ClusterTests {
  @Test("Machines publish, and one list shows them with a section each")
  func publishing() async throws {
    let logs = ["b": MemoryLog(), "a": MemoryLog()]
    var (sources, publishers): ([String: ProcessSource], [Task<Void, any Error>]) = ([:], [])
    for (name, log) in logs {
      let source = ProcessSource()
      try await source.write {
        $0.list(listed([(1, "root"), (2, "ann")], parents: [2: 1]))
      }
      sources[name] = source
      let list = try await SharedList.open(log.participant())
      publishers.append(Task { try await source.publish(to: list, as: name) })
    }
    let nothing = ProcessSource()
    let arrangement = ProcessArrangement(order: .pid, grouping: .machines)
    let shown = nothing.derived { arrangement.query($0) }
    var lists: [SharedList] = []
    for name in logs.keys.sorted() {
      lists.append(try await SharedList.open(try #require(logs[name]).participant()))
    }
    try await shown.show(lists, or: nothing)

    var last: ProcessBatch?
    for await batch in shown.updates() {
      last = batch
      if batch.snapshot.numberOfItems == 4 { break }
    }
    let full = try #require(last)
    #expect(full.snapshot.sectionIdentifiers == [.machine("a"), .machine("b")])
    #expect(full.sectionModel(for: .machine("b"))?.sums.processes == 2)
    let second = ProcessID(number: 2, start: 1, machine: "b")
    #expect(full.model(for: second)?.listed.user == "ann")
    #expect(full.model(for: second)?.parent == ProcessID(number: 1, start: 1, machine: "b"))

    // A change of one machine is a change of one row here.
    let changed = ProcessID(number: 2, start: 1)
    try await sources["b"]?.write { $0.set(\.permille, to: [changed: 70]) }
    let busy = try #require(
      await shown.updates(after: full.token).first { $0.model(for: second)?.permille == 70 })
    #expect(busy.model(for: ProcessID(number: 2, start: 1, machine: "a"))?.permille == 0)
    #expect(busy.difference.itemInserts.isEmpty && busy.difference.itemDeletes.isEmpty)
    // A machine that is no longer there takes its section along.
    try await shown.show(Array(lists.prefix(1)), or: nothing)
    let rest = try #require(await shown.updates().first { _ in true })
    #expect(rest.snapshot.sectionIdentifiers == [.machine("a")])
    for publisher in publishers { publisher.cancel() }
  }

  @Test("Whatever numbers a machine says of its processes, the others are listed and summed up")
  func hugeNumbers() async throws {
    let log = MemoryLog()
    let list = try await SharedList.open(log.participant())
    let group = ProcessGroup.machine("a")
    let records = (1...3 as ClosedRange<Int32>).map { number in
      var record = ProcessRecord(listed: listed([(number, "root")])[0])
      record.listed.id.machine = "a"
      (record.permille, record.memory) = number < 3 ? (.max, .max) : (1, 2)
      return record
    }
    try await list.update { draft in
      draft.snapshot.appendSections([group])
      try draft.replaceItems(inSection: group, with: records)
    }
    let nothing = ProcessSource()
    let arrangement = ProcessArrangement(order: .pid, grouping: .machines)
    let shown = nothing.derived { arrangement.query($0) }
    try await shown.show([list], or: nothing)
    for await batch in shown.updates() where batch.snapshot.numberOfItems == 3 { break }
    // What has gone leaves nothing in the sums.
    try await list.update { draft in
      try draft.replaceItems(inSection: group, with: [records[2]])
    }
    let rest = try #require(await shown.updates().first { $0.snapshot.numberOfItems == 1 })
    #expect(
      rest.sectionModel(for: group)?.sums == ProcessSums(processes: 1, permille: 1, memory: 2))
  }

  @Test("A machine that says nothing any longer is silent, since its last word")
  func silence() async throws {
    let (log, machines) = (MemoryLog(), ClusterMachines())
    let list = try await SharedList.open(log.participant())
    let start = ContinuousClock.now
    func look(after seconds: Int) async -> [String: Date] {
      await machines.look(at: start + .seconds(seconds), Date(timeIntervalSince1970: 9))
      return await machines.silent
    }
    await MainActor.run { machines.lists = ["a": list] }
    #expect(await look(after: 0).isEmpty)
    #expect(await look(after: 15).isEmpty)
    #expect(await look(after: 16) == ["a": Date(timeIntervalSince1970: 9)])

    // It is there again, and goes once more: now it has said itself when that was.
    let source = ProcessSource()
    try await source.write { $0.list(listed([(1, "root")])) }
    let before = Int(Date().timeIntervalSince1970)
    let publisher = Task { try await source.publish(to: list, as: "a") }
    try await wait { await list.sectionModel(for: .machine("a"))?.lastWord != nil }
    publisher.cancel()
    _ = await publisher.result
    #expect(await look(after: 20).isEmpty)
    let silent = await look(after: 36)
    let word = try #require(silent["a"]?.timeIntervalSince1970)
    #expect(before...Int(Date().timeIntervalSince1970) ~= Int(word))
    await MainActor.run { machines.lists = [:] }
    #expect(await look(after: 40).isEmpty)
  }

  @Test("A machine on which nothing changes says that it is there")
  func heartbeats() async throws {
    /// A clock whose sleeps end when a test says so.
    struct Beats: Clock {
      let beats: AsyncStream<Void>
      var now: ContinuousClock.Instant { ContinuousClock.now }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        for await _ in beats { return }
        throw CancellationError()
      }
    }
    let list = try await SharedList.open(MemoryLog().participant())
    let source = ProcessSource()
    try await source.write { $0.list(listed([(1, "root")])) }
    let (beats, beat) = AsyncStream.makeStream(of: Void.self)
    let publisher = Task {
      try await source.publish(to: list, as: "a", clock: Beats(beats: beats))
    }
    try await wait { await list.sectionModel(for: .machine("a")) != nil }
    // Two words of one second are one.
    let word = try #require(await list.sectionModel(for: .machine("a"))?.lastWord)
    try await wait {
      beat.yield()
      return await list.sectionModel(for: .machine("a"))?.lastWord != word
    }
    #expect(await list.snapshot.numberOfItems == 1)
    publisher.cancel()
    _ = await publisher.result
  }

  @Test("What has changed while no server could be reached is published when one can be")
  func unreachable() async throws {
    let log = LockedLog()
    var options = ReplicationOptions()
    // Longer than a write takes among many tests, and not too long to pass three times.
    (options.timeLimit, options.pause) = (.milliseconds(500), .milliseconds(1))
    let list = try await SharedList.open(log, options)
    let source = ProcessSource()
    try await source.write { $0.list(listed([(1, "root")])) }
    let publisher = Task { try await source.publish(to: list, as: "a") }
    let process = ProcessID(number: 1, start: 1, machine: "a")
    try await wait { await list.snapshot.containsItem(process) }
    log.lock()
    try await source.write { $0.set(\.permille, to: [ProcessID(number: 1, start: 1): 70]) }
    // The time of a write is over, and that of the next one.
    try await wait { log.refused.count > 2 }
    log.unlock()
    try await wait { await list.element(for: process)?.permille == 70 }
    publisher.cancel()
    _ = await publisher.result
  }

  @Test("A list that cannot be opened does not keep out others, and is tried again")
  func unreadable() async throws {
    let (known, new) = (
      try await SharedList.open(MemoryLog().participant()),
      try await SharedList.open(MemoryLog().participant())
    )
    var lists = ["known": known, "gone": known]
    for isReadable in [false, true] {
      lists = await ClusterCommand.lists(of: ["broken", "known", "new"], knowing: lists) { name in
        #expect(name != "known")
        guard name == "new" || isReadable else { throw RevisionLogError.rejected(reason: "") }
        return new
      }
      #expect(lists.keys.sorted() == (isReadable ? ["broken", "known", "new"] : ["known", "new"]))
      #expect(lists["known"] === known)
    }
  }

  @Test("Times are those of the clock on the wall")
  func times() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 3600))
    let date = Date(timeIntervalSince1970: 86_400 * 20_000 + 15 * 3600 + 5 * 60 + 9)
    #expect(Figure.time(date, now: date + 3600, in: zone) == "16:05:09")
    #expect(Figure.time(date, now: date + 86_400, in: zone) == "2024-10-04 16:05")
  }

  @Test("Processes survive the way to another machine")
  func coding() throws {
    var record = ProcessRecord(listed: listed([(7, "ann: the first")])[0])
    record.parent = ProcessID(number: 3, start: .max, machine: "a:b-c")
    record.total = ProcessSums(processes: 2, permille: 30, memory: 4)
    let copy = try JSONDecoder().decode(ProcessRecord.self, from: JSONEncoder().encode(record))
    #expect(copy == record)
    for text in ["", "7", "7:x:a", "x:1:a"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([ProcessID].self, from: JSONEncoder().encode([text]))
      }
    }
  }

  @Test("Without NATS the command says how to get it", .enabled(if: !hasNATS))
  func without() async throws {
    for arguments in [["cluster"], ["processes", "--share", "a"]] {
      let outcome = try await BuiltCommand.run(arguments + ["--frames", "1"])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("swift run --traits NATS livelist"))
    }
  }
}

/// A log of which no server can be reached while it is locked: nothing is sent.
private final class LockedLog: RevisionLog {
  private let log = MemoryLog().participant()
  private let state = Mutex((isLocked: false, refused: Set<WriteID>()))

  /// The writes that were not sent.
  var refused: Set<WriteID> { state.withLock { $0.refused } }

  func lock() { state.withLock { $0.isLocked = true } }
  func unlock() { state.withLock { $0.isLocked = false } }

  func epoch() async throws(RevisionLogError) -> Epoch { try await log.epoch() }

  func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    let isLocked = state.withLock { state in
      if state.isLocked { state.refused.formUnion(entries.map(\.id)) }
      return state.isLocked
    }
    guard !isLocked else { throw .notDone(reason: "there is no server") }
    return try await log.append(entries, after: revision)
  }

  func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage { try await log.entries(after: known) }

  func newestState() async throws(RevisionLogError) -> StoredState? { try await log.newestState() }

  func store(
    _ state: StoredState, droppingEntriesThrough revision: Revision
  ) async throws(RevisionLogError) {
    try await log.store(state, droppingEntriesThrough: revision)
  }
}

#if NATS
private let hasNATS = true
#else
private let hasNATS = false
#endif
