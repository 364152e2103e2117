import Diffable
import DiffableSync
import Synchronization
import Testing

/// What every shared log must do.
///
/// Each test takes logs that are participants of one new list.
enum LogContract {
  typealias MakeLog = @Sendable () throws -> any RevisionLog

  static func entry(_ text: String) -> LogEntry {
    LogEntry(id: WriteID(), delta: Array(text.utf8))
  }

  /// All entries after a revision, until there are as many as are expected.
  static func read(
    _ log: any RevisionLog, after first: Revision = .empty, count: Int
  ) async throws -> [LogEntry] {
    var entries: [LogEntry] = []
    while entries.count < count {
      let page = try await log.entries(after: Revision(first.number + entries.count))
      guard case .entries(let next, _) = page else {
        Issue.record("The log was cut after \(entries.count) entries.")
        return entries
      }
      #expect(!next.isEmpty)
      entries += next
    }
    return entries
  }

  /// Appends until it succeeds, as a writer does that is alone.
  static func append(_ entry: LogEntry, after revision: Int, to log: any RevisionLog) async throws {
    let made = try await log.append(entry, after: Revision(revision))
    #expect(made, "\(revision)")
  }

  /// Appends until it is known who has made the next revision, as a writer does that has rivals.
  ///
  /// - Returns: Whether the entry has made it.
  /// - Throws: What the log throws, but asks again when it is unavailable.
  static func settle(
    _ entry: LogEntry, after revision: Int, in log: any RevisionLog
  ) async throws -> Bool {
    while true {
      let answer = try await ifAnswered { try await log.append(entry, after: Revision(revision)) }
      guard let made = answer else { continue }
      if made { return true }
      let next = try await ifAnswered { try await log.entries(after: Revision(revision)) }
      guard let page = next else { continue }
      guard case .entries(let entries, _) = page else { return false }
      return entries.first == entry
    }
  }

  /// Appends an entry wherever the log ends, and returns the revision that it makes.
  static func appendAtTheEnd(
    _ entry: LogEntry, to log: any RevisionLog, from first: Int = 0
  ) async throws -> Int {
    var revision = first
    while try await !settle(entry, after: revision, in: log) { revision += 1 }
    return revision + 1
  }

  /// What a log says; `nil` if it does not answer.
  ///
  /// - Throws: `CancellationError`, since a log answers nothing to a cancelled task.
  static func ifAnswered<Value: Sendable>(
    _ ask: () async throws -> Value
  ) async throws -> Value? {
    do {
      return try await ask()
    } catch let error as RevisionLogError {
      guard case .unavailable = error else { throw error }
      try Task.checkCancellation()
      return nil
    }
  }

  static func participantsAgreeOnTheEpoch(_ make: MakeLog) async throws {
    let logs = try (0..<8).map { _ in try make() }
    let epochs = try await withThrowingTaskGroup(of: Epoch.self) { group in
      for log in logs { group.addTask { try await log.epoch() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(epochs.count == 1)
    #expect(try await make().epoch() == epochs.first)
  }

  static func oneOfManyMakesEachRevision(_ make: MakeLog, writers: Int, revisions: Int) async throws
  {
    let logs = try (0..<writers).map { _ in try make() }
    let made = try await withThrowingTaskGroup(of: [Int: LogEntry].self) { group in
      for (writer, log) in logs.enumerated() {
        group.addTask {
          var made: [Int: LogEntry] = [:]
          for revision in 0..<revisions {
            let entry = entry("writer \(writer), revision \(revision)")
            if try await settle(entry, after: revision, in: log) { made[revision] = entry }
          }
          return made
        }
      }
      return try await group.reduce(into: [Int: [LogEntry]]()) { all, made in
        for (revision, entry) in made { all[revision, default: []].append(entry) }
      }
    }
    #expect(made.count == revisions)
    #expect(made.values.allSatisfy { $0.count == 1 })
    let entries = try await read(make(), count: revisions)
    #expect(entries == (0..<revisions).compactMap { made[$0]?.first })
  }

  static func anEntryIsAppendedOnce(_ make: MakeLog) async throws {
    let log = try make()
    let (first, second) = (entry("first"), entry("second"))
    try await append(first, after: 0, to: log)
    // Whoever has not got the answer asks again, maybe at another participant's server.
    _ = try await log.append(first, after: .empty)
    _ = try await make().append(first, after: .empty)
    #expect(try await log.append(first, after: Revision(1)) == false)
    #expect(try await log.append(second, after: .empty) == false)
    // The log does not reach this revision: it says so, or that it does not know.
    #expect(try await ifAnswered { try await log.append(second, after: Revision(2)) } != true)
    try await append(second, after: 1, to: log)
    #expect(try await log.append(entry("third"), after: Revision(1)) == false)
    #expect(try await read(make(), count: 2) == [first, second])
  }

  static func pagesHaveNoGap(_ make: MakeLog, count: Int) async throws {
    let log = try make()
    var written: [LogEntry] = []
    for revision in 0..<count {
      let entry = entry(String(repeating: "\(revision) ", count: revision % 97 + 1))
      try await append(entry, after: revision, to: log)
      written.append(entry)
    }
    #expect(try await read(make(), count: count) == written)
    // From anywhere, also backwards.
    for start in [count - 1, count / 2, 0, count / 3] {
      let found = try await read(log, after: Revision(start), count: count - start)
      #expect(found == Array(written[start...]))
    }
  }

  static func aReaderIsWokenByAnEntry(_ make: MakeLog) async throws {
    let (reader, other, writer) = (try make(), try make(), try make())
    _ = try await reader.epoch()
    for revision in 0..<20 {
      let pages = Task {
        async let first = reader.entries(after: Revision(revision))
        async let same = reader.entries(after: Revision(revision))
        async let second = other.entries(after: Revision(revision))
        return try await [first, same, second]
      }
      let entry = entry("\(revision)")
      try await append(entry, after: revision, to: writer)
      let page = LogPage.entries([entry], after: Revision(revision))
      #expect(try await pages.value == Array(repeating: page, count: 3))
    }
  }

  static func aReaderMayKnowEntries(_ make: MakeLog) async throws {
    let (log, other) = (try make(), try make())
    let entries = (0..<7).map { entry("\($0)") }
    let known = Mutex(Revision(0))
    for revision in 0..<3 { try await append(entries[revision], after: revision, to: log) }
    known.withLock { $0 = Revision(3) }
    let reader = Task {
      try await log.entries(after: { known.withLock { $0 } })
    }
    // What it knows grows while it waits.
    known.withLock { $0 = Revision(4) }
    try await append(entries[3], after: 3, to: log)
    try await append(entries[4], after: 4, to: other)
    guard case .entries(let page, let base) = try await reader.value else {
      Issue.record("The log was cut.")
      return
    }
    #expect(base <= Revision(4) && page == Array(entries[base.number..<5]))
    // It reads on after what it has appended itself.
    try await append(entries[5], after: 5, to: log)
    let next = Task { try await log.entries(after: Revision(6)) }
    try await append(entries[6], after: 6, to: other)
    #expect(try await next.value == .entries([entries[6]], after: Revision(6)))
    #expect(try await read(log, after: Revision(4), count: 3) == Array(entries[4...]))
  }

  static func aCancelledTaskEnds(_ make: MakeLog) async throws {
    let log = try make()
    _ = try await log.epoch()
    let reader = Task { try await log.entries(after: .empty) }
    let other = Task { try await log.entries(after: .empty) }
    reader.cancel()
    await #expect(throws: RevisionLogError.self) { try await reader.value }
    let entry = entry("first")
    try await append(entry, after: 0, to: log)
    #expect(try await other.value == .entries([entry], after: .empty))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await log.append(LogContract.entry("late"), after: Revision(1))
    }
    await #expect(throws: RevisionLogError.self) { try await late.value }
  }
}
