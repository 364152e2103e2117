import Diffable
import DiffableSync

extension RevisionLogCheck {
  func participantsAgreeOnTheEpoch() async throws {
    let logs = try (0..<8).map { _ in try makeLog() }
    let epochs = try await withThrowingTaskGroup(of: Epoch.self) { group in
      for log in logs { group.addTask { try await log.epoch() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    try requireEqual(epochs.count, 1, "the number of epochs")
    try requireEqual(try await makeLog().epoch(), epochs.first, "the epoch later")
  }

  func oneOfManyMakesEachRevision() async throws {
    let logs = try (0..<scope.writers).map { _ in try makeLog() }
    let made = try await withThrowingTaskGroup(of: [Int: LogEntry].self) { group in
      for (writer, log) in logs.enumerated() {
        group.addTask {
          var made: [Int: LogEntry] = [:]
          for revision in 0..<scope.revisions {
            let entry = Self.entry("writer \(writer), revision \(revision)")
            if try await settle([entry], after: revision, in: log) { made[revision] = entry }
          }
          return made
        }
      }
      return try await group.reduce(into: [Int: [LogEntry]]()) { all, made in
        for (revision, entry) in made { all[revision, default: []].append(entry) }
      }
    }
    for revision in 0..<scope.revisions {
      try requireEqual(
        made[revision]?.count ?? 0, 1, "the number of writers that made revision \(revision + 1)")
    }
    let entries = try await read(makeLog(), count: scope.revisions)
    try require(
      entries == (0..<scope.revisions).compactMap { made[$0]?.first },
      "the entries are those of the writers that were told so")
  }

  /// Several writers append groups of several sizes wherever the log ends.
  func groupsStayTogether() async throws {
    let logs = try (0..<scope.writers).map { _ in try makeLog() }
    let groups = max(4, scope.revisions / scope.writers / 4)
    let made = try await withThrowingTaskGroup(of: [[LogEntry]].self) { group in
      for (writer, log) in logs.enumerated() {
        group.addTask {
          var (made, end) = ([[LogEntry]](), 0)
          for number in 0..<groups {
            let size = [1, 3, 8, 70][(number + writer) % 4]
            let entries = (0..<size).map { Self.entry("\(writer) \(number) \($0)") }
            while try await !settle(entries, after: end, in: log) {
              end += try await read(log, after: end, count: 1).count
            }
            end += size
            made.append(entries)
          }
          return made
        }
      }
      return try await group.reduce(into: [[LogEntry]]()) { $0 += $1 }
    }
    let sizes = made.map(\.count).reduce(0, +)
    let entries = try await read(makeLog(), count: sizes)
    try requireEqual(entries.count, sizes, "the number of entries")
    let groupOfFirst = Dictionary(
      made.compactMap { group in group.first.map { ($0.id, group) } }, uniquingKeysWith: { $1 })
    var rest = entries[...]
    while let first = rest.first {
      let group = groupOfFirst[first.id] ?? []
      try require(!group.isEmpty, "an entry is in the log without the one before it")
      try require(Array(rest.prefix(group.count)) == group, "a group was torn apart")
      rest = rest.dropFirst(group.count)
    }
    // A refused group leaves nothing, and one at a revision that the log does not reach neither.
    let (log, group) = (logs[0], (0..<3).map { Self.entry("refused \($0)") })
    try require(
      try await log.append(group, after: Revision(sizes - 1)) == false, "a late group was appended")
    try require(
      try await ifAnswered { try await log.append(group, after: Revision(sizes + 1)) } != true,
      "an early group was appended")
    let last = Self.entry("last")
    try await append([last], after: sizes, to: log)
    try requireEqual(try await read(makeLog(), after: sizes, count: 1), [last], "the last entry")
    try await largeAppendsStayWhole(log, after: sizes + 1)
  }

  /// The largest appends of a source, by the number of entries and by the size of one.
  private func largeAppendsStayWhole(_ log: any RevisionLog, after first: Int) async throws {
    func entry(_ bytes: Int) -> LogEntry {
      LogEntry(id: WriteID(), delta: (0..<bytes).map { UInt8(ascii: "0") + UInt8($0 % 7) })
    }
    var (end, written) = (first, [LogEntry]())
    for group in [(0..<256).map { _ in entry(1 << 10) }, [entry(256 << 10)], [entry(1)]] {
      do {
        try await append(group, after: end, to: log)
      } catch RevisionLogError.rejected {
        // The source makes its changes one by one then.
        continue
      }
      end += group.count
      written += group
    }
    try require(
      try await read(makeLog(), after: first, count: written.count) == written,
      "large appends are as written")
  }

  func anEntryIsAppendedOnce() async throws {
    let log = try makeLog()
    let (first, second) = ([Self.entry("first"), Self.entry("next")], Self.entry("second"))
    try await append(first, after: 0, to: log)
    // A writer without an answer asks again, maybe at another participant's server.
    _ = try await log.append(first, after: .empty)
    _ = try await makeLog().append(first, after: .empty)
    for (entries, base) in [([second], 0), ([second], 1), (first, 1)] {
      try require(
        try await log.append(entries, after: Revision(base)) == false,
        "an entry was appended after \(base), which is not the end")
    }
    try require(
      try await ifAnswered { try await log.append([second], after: Revision(3)) } != true,
      "an entry was appended after a revision that the log does not reach")
    try await append([second], after: 2, to: log)
    try requireEqual(try await read(makeLog(), count: 3), first + [second], "the entries")
    // A log need not say where it ends.
    if let last = try await makeLog().lastRevision() {
      try requireEqual(last, Revision(3), "the last revision")
    }
  }

  func aCancelledTaskEnds() async throws {
    let log = try makeLog()
    _ = try await log.epoch()
    let reader = Task { try await log.entries(after: .empty) }
    let other = Task { try await log.entries(after: .empty) }
    reader.cancel()
    try await requireFailure(of: reader, "a cancelled reader got an entry")
    let entry = Self.entry("first")
    try await append([entry], after: 0, to: log)
    try requireEqual(
      try await other.value, .entries([entry], after: .empty), "the page of the other reader")
  }
}
