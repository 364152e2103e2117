import Diffable
import DiffableSync

extension RevisionLogCheck {
  static func state(_ revision: Int, bytes: Int) -> StoredState {
    StoredState(
      revision: Revision(revision),
      reset: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ revision) })
  }

  /// Compares states without printing their bytes.
  private func require(
    _ found: StoredState?, is expected: StoredState, _ what: @autoclosure () -> String
  ) throws {
    try require(
      found == expected,
      "\(what()): expected \(expected.revision) with \(expected.reset.count) bytes, found "
        + (found.map { "\($0.revision) with \($0.reset.count) bytes" } ?? "none"))
  }

  func theNewestStateCounts() async throws {
    let (log, other) = (try makeLog(), try makeLog())
    try requireEqual(try await log.newestState(), nil, "the state of a new list")
    for (revision, size) in scope.states.enumerated() {
      try await append([Self.entry("\(revision)")], after: revision, to: log)
      let state = Self.state(revision + 1, bytes: size)
      try await log.store(state, droppingEntriesThrough: .empty)
      try require(try await other.newestState(), is: state, "the newest state")
      // An older one changes nothing, and the same one changes nothing.
      let older = Self.state(revision, bytes: 10)
      for (again, which) in [(older, "an older"), (state, "the same")] {
        try await other.store(again, droppingEntriesThrough: .empty)
        try require(
          try await log.newestState(), is: state, "the newest state after \(which) one")
      }
      // A log need not keep another one.
      for bound in 0...revision + 2 {
        guard let found = try await other.state(before: Revision(bound)) else { continue }
        let number = found.revision.number
        try require((0..<bound).contains(number), "before revision \(bound) there is no \(number)")
        try require(found, is: Self.state(number, bytes: found.reset.count), "an older state")
      }
    }
    try requireEqual(
      try await read(makeLog(), count: scope.states.count).count, scope.states.count,
      "the number of entries")
  }

  /// Entries that were dropped are cut, for readers who wait and for new ones, and the others stay.
  func droppedEntriesAreCut() async throws {
    let (log, behind) = (try makeLog(), try makeLog())
    let epoch = try await log.epoch()
    var entries: [LogEntry] = []
    for size in [1, 3, 4, 2] {
      let group = (0..<size).map { Self.entry("\(entries.count + $0)") }
      try await append(group, after: entries.count, to: log)
      entries += group
    }
    try requireEqual(try await read(behind, count: 10), entries, "the entries")
    // In the middle of a group: the log may keep the whole group.
    try await log.store(Self.state(8, bytes: 100), droppingEntriesThrough: Revision(6))
    for reader in [log, behind, try makeLog()] {
      try requireEqual(try await reader.entries(after: .empty), .cut, "what was dropped")
      try requireEqual(
        try await read(reader, after: 6, count: 4), Array(entries[6...]), "the entries after 6")
      try requireEqual(try await reader.newestState()?.revision, Revision(8), "the state")
    }
    // Numbers go on, whatever was dropped.
    try await log.store(Self.state(10, bytes: 100), droppingEntriesThrough: Revision(10))
    let newcomer = try makeLog()
    try requireEqual(try await newcomer.epoch(), epoch, "the epoch, later")
    if let end = try await newcomer.lastRevision() {
      try requireEqual(end, Revision(10), "the last revision, later")
    }
    try require(try await newcomer.isComplete(), "the log says that nobody can start")
    let last = Self.entry("10")
    try await append([last], after: 10, to: try makeLog())
    try require(
      try await log.append(Self.entry("0"), after: .empty) == false,
      "an entry was appended where others were dropped")
    try requireEqual(try await read(behind, after: 10, count: 1), [last], "the last entry")
  }

  /// States that are stored at once, of several sizes: afterwards the newest one is there.
  func statesStoredAtOnce() async throws {
    let (log, writers) = (try makeLog(), scope.writers)
    let bytes = scope.states.max() ?? 0
    try await append((0..<writers).map { Self.entry("\($0)") }, after: 0, to: log)
    let logs = try (0..<writers).map { _ in try makeLog() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (writer, log) in logs.enumerated() {
        group.addTask {
          let state = Self.state(writer + 1, bytes: bytes + writer)
          try await log.store(state, droppingEntriesThrough: .empty)
          // What is there is whole, and never older than what was just stored.
          guard let found = try await log.newestState() else {
            return try require(false, "the state that was just stored is not there")
          }
          try require(found.revision >= state.revision, "an older state replaced a newer one")
          try require(
            found, is: Self.state(found.revision.number, bytes: found.reset.count), "a whole state")
        }
      }
      try await group.waitForAll()
    }
    try require(
      try await log.newestState(), is: Self.state(writers, bytes: bytes + writers - 1),
      "the newest state")
  }
}
