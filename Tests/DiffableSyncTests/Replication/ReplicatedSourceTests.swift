import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

/// Sources over a log in memory, with tasks that really run at the same time.
@Suite("Replicated sources", .deadline) struct ReplicatedSourceTests {
  typealias Replica = ReplicatedSource<UpdateBatch<String, Int>>

  static func replica(
    _ log: any RevisionLog, options: ReplicationOptions = .quick, history: Int = 64,
    failure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws -> Replica {
    var options = options
    options.source.history = history
    options.failure = failure
    return try await Replica(log, options: options) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(UpdateDelta<String, Int>.self, from: Data($0))
    }
  }

  /// Two participants that show the same list, and the way of the first one to the log.
  static func two(
    history: Int = 64, _ start: @escaping @Sendable (inout Snapshot<String, Int>) throws -> Void
  ) async throws -> (near: MemoryLog.Participant, mine: Replica, other: Replica) {
    let log = MemoryLog()
    let near = log.participant()
    let mine = try await replica(near, history: history)
    let other = try await replica(log.participant())
    try await mine.update(start)
    try await other.reached(Revision(1))
    return (near, mine, other)
  }

  @Test("A merge that waits for its turn knows what others rename meanwhile")
  func renamedMeanwhile() async throws {
    let (way, mine, other) = try await Self.two(history: 0) {
      $0 = Snapshot(sections: ["A"], items: [[1, 2, 3]])
    }
    let isOffered = Flag()
    var moved = await mine.snapshot
    try moved.moveItem(2, beforeItem: 1)
    way.disturb { request in
      guard request == .append else { return nil }
      isOffered.raise()
      return .loseRequest
    }
    let merge = Task { [moved] in try await mine.merge(moved, basedOn: Revision(1)) }
    try await wait { isOffered.isRaised }
    try await other.update { try $0.renameItem(2, to: 20) }
    let last = try await other.update { try $0.appendItems([4], toSection: "A") }.revision
    try await mine.reached(last)
    way.heal()
    let transaction = try await merge.value
    #expect(transaction.conflicts.isEmpty)
    #expect(await mine.snapshot.itemIdentifiers == [20, 1, 3, 4])
  }

  @Test("Every write of many participants happens once", arguments: 0..<rounds(UInt64(4)))
  func contention(_ seed: UInt64) async throws {
    let log = MemoryLog()
    let (count, writes) = (4, 25)
    var replicas: [Replica] = []
    let ways = (0..<count).map { _ in log.participant() }
    for (index, participant) in ways.enumerated() {
      let random = Lock(SplitMix64(seed: seed &* 31 &+ UInt64(index)))
      participant.disturb { request in
        let number = random.withLock { $0.number(below: 40) }
        switch (request, number) {
        case (.append, 0): return .loseRequest
        case (.append, 1): return .loseAnswer
        case (.append, 2): return .duplicate
        case (.append, 3): return .delay
        case (.read, 0), (.store, 0): return .loseRequest
        default: return nil
        }
      }
      var options = ReplicationOptions.quick
      options.offers = 1_000
      options.revisionsPerState = 8
      options.revisionsKept = 8
      replicas.append(try await Self.replica(participant, options: options))
    }
    let doubtful = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
      for (index, replica) in replicas.enumerated() {
        group.addTask {
          var unknown: Set<Int> = []
          for write in 0..<writes {
            let item = index * 1000 + write
            do {
              try await replica.update { draft in
                if draft.numberOfSections == 0 { draft.appendSections(["A"]) }
                try draft.appendItems([item], toSection: "A")
              }
            } catch ReplicationError.unknownFate {
              // The log dropped the entry that decides: this participant lags.
              unknown.insert(item)
            }
            ways[index].deliverLate()
          }
          return unknown
        }
      }
      return try await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    let (first, entries) = log.contents
    let last = Revision(first.number - 1 + entries.count)
    let expected = Set((0..<count).flatMap { index in (0..<writes).map { index * 1000 + $0 } })
    for replica in replicas {
      try await replica.reached(last)
      #expect(await replica.revision == last, "seed \(seed)")
      let items = await replica.snapshot.itemIdentifiers
      #expect(items.count == last.number && Set(items).count == items.count, "seed \(seed)")
      #expect(expected.subtracting(items).isSubset(of: doubtful), "seed \(seed)")
      #expect(items == (await replicas[0].snapshot.itemIdentifiers))
    }
    // A state is stored although others write all the time.
    try await wait { log.newestState != nil }
    // Each writer's items are in the order of its writes.
    let items = await replicas[0].snapshot.itemIdentifiers
    for index in 0..<count {
      let own = items.filter { $0 / 1000 == index }
      #expect(own == own.sorted(), "seed \(seed)")
    }
  }

  @Test("A participant that was cut off for long continues from the stored state")
  func cutOff() async throws {
    let log = MemoryLog()
    var options = ReplicationOptions.quick
    options.revisionsPerState = 5
    options.revisionsKept = 5
    let (near, far) = (log.participant(), log.participant())
    let first = try await Self.replica(near, options: options)
    let second = try await Self.replica(far, options: options)
    try await first.update { $0.appendSections(["A"]) }
    try await second.reached(Revision(1))
    far.cut()
    for item in 0..<30 {
      try await first.update { try $0.appendItems([item], toSection: "A") }
      try await wait { item % 5 != 3 || log.newestState?.revision == Revision(item + 2) }
    }
    // Reading goes on without the network.
    #expect(await second.snapshot.numberOfSections == 1)
    var batches = second.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 0)
    far.heal()
    try await second.reached(Revision(31))
    #expect(await second.snapshot == first.snapshot)
    // A subscriber that showed the state before the cut gets a difference, not a reset.
    let batch = await batches.next()
    #expect(batch?.base == Revision(1))
    try await second.update { try $0.appendItems([100], toSection: "A") }
    #expect(await second.revision == Revision(32))
  }

  @Test(
    "What the log has of one participant, all can read, whatever the limits",
    arguments: [
      DeltaLimits(byteCount: 360), DeltaLimits(elementCount: 8), DeltaLimits(listCount: 8),
    ])
  func limits(_ limits: DeltaLimits) async throws {
    let log = MemoryLog()
    var options = ReplicationOptions.quick
    options.limits = limits
    let writer = try await Self.replica(log.participant(), options: options)
    let reader = try await Self.replica(log.participant(), options: options)
    var rejected = 0
    for count in 1...12 {
      do {
        try await writer.update { draft in
          draft.appendSections(["\(count)"])
          let items = (0..<count).map { 1_000_000_000 + 100 * count + $0 }
          try draft.appendItems(items, toSection: "\(count)")
        }
      } catch ReplicationError.rejected {
        rejected += 1
      }
    }
    #expect((1..<12).contains(rejected))
    try await writer.update { $0.deleteSections(["1"]) }
    let newcomer = try await Self.replica(log.participant(), options: options)
    for replica in [reader, newcomer] {
      try await replica.reached(Revision(13 - rejected))
      #expect(await replica.snapshot == writer.snapshot)
    }
  }

  @Test("Rows that folded ones hide count, so that all can read them")
  func hiddenRows() async throws {
    let log = MemoryLog()
    var options = ReplicationOptions.quick
    options.limits = DeltaLimits(listCount: 2)
    let writer = try await Self.replica(log.participant(), options: options)
    let reader = try await Self.replica(log.participant(), options: options)
    func write(_ hidden: [Int]) async throws -> Revision {
      try await writer.update { draft in
        if !draft.containsSection("A") { draft.appendSections(["A"]) }
        try draft.setOutline(
          Outline([1] + hidden, levels: [0] + hidden.map { _ in 1 }), forSection: "A")
      }.revision
    }
    _ = try await write([2])
    await #expect(throws: ReplicationError.self) { _ = try await write([2, 3]) }
    try await reader.reached(write([3]))
    #expect(await reader.snapshot == writer.snapshot)
    #expect(await reader.snapshot.containsItem(3))
  }

  @Test("A source goes on from a stored state after an entry that it cannot read")
  func goingOn() async throws {
    let log = MemoryLog()
    let reported = Lock<[any Error]>([])
    let isReported = AsyncStream.makeStream(of: Void.self)
    // A newer version writes what this one does not read.
    var options = ReplicationOptions.quick
    options.failure = { error in
      reported.withLock { $0.append(error) }
      isReported.continuation.yield()
    }
    func open(_ options: ReplicationOptions) async throws -> Replica {
      try await Replica(log.participant(), options: options) {
        try Array(JSONEncoder().encode($0))
      } decode: { text in
        let delta = try JSONDecoder().decode(UpdateDelta<String, Int>.self, from: Data(text))
        if text.contains("a new".utf8) { throw DeltaError.unknownFormat(2) }
        return delta
      }
    }
    let (old, reporting) = (try await open(options), options)
    options = .quick
    options.revisionsPerState = 4
    let new = try await Self.replica(log.participant(), options: options)
    try await old.update { $0.appendSections(["A"]) }
    try await new.reached(Revision(1))
    try await new.update { $0.appendSections(["a new one"]) }
    for await _ in isReported.stream { break }
    #expect(await old.snapshot.sectionIdentifiers == ["A"])
    #expect(await old.revision == Revision(1))
    await #expect { try await old.update { try $0.appendItems([0], toSection: "A") } } throws: {
      if case ReplicationError.unreadableEntry(Revision(2), .unknownFormat(2)) = $0 {
        true
      } else {
        false
      }
    }
    try await new.update { $0.deleteSections(["a new one"]) }
    try await new.update { try $0.appendItems([1], toSection: "A") }
    // The state of revision 4 is stored by a task of its own.
    try await wait { await old.revision >= Revision(4) }
    #expect(await old.snapshot == new.snapshot)
    let revision = try await old.update { try $0.appendItems([2], toSection: "A") }.revision
    #expect(revision == Revision(5))
    try await new.reached(revision)
    #expect(await new.snapshot.itemIdentifiers == [1, 2])
    #expect(reported.withLock { $0.count } == 1)
    // One that is opened now passes over the entry before it shows anything.
    let late = try await open(reporting)
    #expect(await late.snapshot == new.snapshot)
    #expect(reported.withLock { $0.count } == 1)
  }
}
