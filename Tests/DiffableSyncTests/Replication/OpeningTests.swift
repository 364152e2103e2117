import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import Synchronization
import TestScope
import Testing

/// A source that is opened again goes on where the last one has ended.
@Suite("Lists that are opened again", .deadline) struct OpeningTests {
  typealias Replica = ReplicatedSourceTests.Replica

  private static let count = 7

  /// The entries of a list, and the states that they make.
  private struct Recording {
    var epoch = Epoch()
    var entries: [LogEntry] = []
    var states: [StoredState] = []
    var tokens: [ResumeToken] = []
  }

  private static func open(
    _ log: MemoryLog, history: Int = 64, revisionsPerState: Int = .max
  ) async throws -> Replica {
    var options = ReplicationOptions.quick
    options.author = "me"
    (options.revisionsPerState, options.revisionsKept) = (revisionsPerState, .max)
    return try await ReplicatedSourceTests.replica(
      log.participant(), options: options, history: history)
  }

  private static func record() async throws -> Recording {
    let log = MemoryLog()
    var recording = Recording(epoch: log.epoch)
    let source = try await open(log, revisionsPerState: 1)
    for item in 0..<count {
      recording.tokens.append(source.token(for: Revision(item)))
      try await source.update(named: "item \(item)") { draft in
        if item == 0 { draft.appendSections(["A"]) }
        try draft.appendItems([item], toSection: "A")
      }
      try await wait { log.newestState?.revision == Revision(item + 1) }
      recording.states += [log.newestState].compactMap(\.self)
    }
    recording.tokens.append(source.token(for: Revision(count)))
    recording.entries = log.contents.entries
    return recording
  }

  /// What a log has besides the entries.
  private struct Case: CustomStringConvertible {
    /// The revisions of the stored states, oldest first.
    var states: [Int]
    /// Whether the newest one is damaged.
    var isDamaged: Bool
    var dropped: Int
    var history: Int

    var description: String {
      "states \(states)\(isDamaged ? ", damaged" : ""), \(dropped) dropped, history \(history)"
    }

    /// The state to start from, which is 0 for all entries; `nil` if there is no way to the end.
    func start(first: Int) -> Int? {
      let readable = (isDamaged ? states.dropLast() : states[...]).filter { $0 >= dropped }
      let usable = (dropped == 0 ? [0] : []) + readable
      return usable.last { $0 <= max(first, 0) } ?? usable.first
    }
  }

  private static var cases: [Case] {
    var cases: [Case] = []
    for older in 0...count {
      for newest in older...count where older < newest || newest == 0 {
        let states = [older, newest].filter { $0 > 0 }
        for dropped in 0...count {
          for history in [0, 1, 2, 3, 64] {
            for isDamaged in states.isEmpty ? [false] : [false, true] {
              cases.append(
                Case(states: states, isDamaged: isDamaged, dropped: dropped, history: history))
            }
          }
        }
      }
    }
    return cases
  }

  @Test("Tokens and undo reach as far back as before, whatever states there are")
  func everyState() async throws {
    let recording = try await Self.record()
    var count = 0
    for test in Self.cases {
      guard let start = test.start(first: Self.count - test.history) else { continue }
      count += 1
      guard isInScope(count, usual: 7) else { continue }
      let comment: Comment = "\(test)"
      let log = MemoryLog(epoch: recording.epoch)
      let way = log.participant()
      #expect(try await way.append(recording.entries, after: .empty))
      for state in test.states {
        try await way.store(
          recording.states[state - 1], droppingEntriesThrough: Revision(test.dropped))
      }
      if test.states.isEmpty, test.dropped > 0 { continue }
      if test.isDamaged { log.damageNewestState() }

      let source = try await Self.open(log, history: test.history)
      #expect(await source.revision == Revision(Self.count), comment)
      #expect(await source.snapshot.itemIdentifiers == Array(0..<Self.count), comment)
      let oldest = max(start, Self.count - test.history)
      for (revision, token) in recording.tokens.enumerated() {
        let found = source.revision(for: token)
        // A state of the next revision keeps the history.
        #expect(found == Revision(revision) || revision < oldest && found == nil, comment)
      }
      let undone = try await source.undo()
      #expect(undone?.reversedChange?.name == (oldest < Self.count ? "item 6" : nil), comment)
      await source.finish()
    }
    #expect(count > 500)
  }

  @Test(
    "After a purge it waits for the state of another participant, and goes on",
    arguments: [true, false])
  func purged(saysEnd: Bool) async throws {
    let log = MemoryLog()
    let (near, far) = (log.participant(), log.participant())
    var options = ReplicationOptions.quick
    options.checkInterval = .milliseconds(1)
    let isWarned = Flag()
    let first = try await ReplicatedSourceTests.replica(near, options: options) {
      if $0 is RevisionLogWarning { isWarned.raise() }
    }
    try await first.update { $0.appendSections(["A"]) }
    try await first.update { try $0.appendItems([1], toSection: "A") }
    // It stores nothing until the other one has looked for a state a few times.
    let looks = Atomic(0)
    near.disturb { $0 == .store && looks.load(ordering: .relaxed) < 5 ? .loseRequest : nil }
    far.disturb { request in
      if request == .load { looks.add(1, ordering: .relaxed) }
      return nil
    }
    log.purge()
    let second = try await ReplicatedSourceTests.replica(
      saysEnd ? far : Endless(log: far) as any RevisionLog)
    #expect(await second.revision == Revision(2))
    #expect(await second.snapshot == first.snapshot)
    try await wait { isWarned.isRaised }
    try await second.update { try $0.appendItems([2], toSection: "A") }
    try await first.reached(Revision(3))
    #expect(await first.snapshot.itemIdentifiers == [1, 2])
  }

  @Test("It does not wait for entries that the log has lost since it said where it ends")
  func lost() async throws {
    let recording = try await Self.record()
    let log = MemoryLog(epoch: recording.epoch)
    let way = log.participant()
    #expect(try await way.append(recording.entries, after: .empty))
    let reads = Atomic(0)
    way.disturb { request in
      if request == .read, reads.add(1, ordering: .relaxed).oldValue == 1 { log.loseLast(2) }
      return nil
    }
    var options = ReplicationOptions.quick
    options.checkInterval = .milliseconds(1)
    let source = try await ReplicatedSourceTests.replica(way, options: options)
    #expect(await source.revision == Revision(Self.count - 2))
    way.heal()
    try await source.update { try $0.appendItems([100]) }
    #expect(await source.revision == Revision(Self.count - 1))
  }

  @Test("It asks nothing more of a log that has all of its entries")
  func requests() async throws {
    let recording = try await Self.record()
    let log = MemoryLog(epoch: recording.epoch)
    let way = log.participant()
    #expect(try await way.append(recording.entries, after: .empty))
    try await way.store(recording.states[2], droppingEntriesThrough: Revision(3))
    let asked = Lock<[MemoryLog.Request]>([])
    way.disturb { request in
      asked.withLock { $0.append(request) }
      return nil
    }
    let source = try await ReplicatedSourceTests.replica(way, history: 3)
    #expect(await source.revision == Revision(Self.count))
    #expect(Array(asked.withLock { $0 }.prefix(4)) == [.epoch, .read, .load, .read])
    #expect(asked.withLock { !$0.contains(.check) })
  }

  @Test("A log that does not say where it ends is read later")
  func unknownEnd() async throws {
    let recording = try await Self.record()
    let log = MemoryLog(epoch: recording.epoch)
    let way = log.participant()
    #expect(try await way.append(recording.entries, after: .empty))
    try await way.store(recording.states[2], droppingEntriesThrough: .empty)
    let source = try await ReplicatedSourceTests.replica(Endless(log: way))
    try await source.reached(Revision(Self.count))
    #expect(source.revision(for: recording.tokens[3]) == Revision(3))
    #expect(source.revision(for: recording.tokens[2]) == nil)
  }

  /// A log that does not say where it ends.
  private struct Endless: ForwardingLog {
    let log: MemoryLog.Participant

    func isComplete() async throws(RevisionLogError) -> Bool { try await log.isComplete() }
  }
}
