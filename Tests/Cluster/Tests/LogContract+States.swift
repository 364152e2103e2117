import Diffable
import DiffableSync
import Testing

extension LogContract {
  static func state(_ revision: Int, bytes: Int) -> StoredState {
    StoredState(
      revision: Revision(revision),
      reset: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ revision) })
  }

  static func theNewestStateCounts(_ make: MakeLog, bytes: [Int]) async throws {
    let (log, other) = (try make(), try make())
    #expect(try await log.newestState() == nil)
    for (revision, size) in bytes.enumerated() {
      try await append(entry("\(revision)"), after: revision, to: log)
      let state = state(revision + 1, bytes: size)
      try await log.store(state, droppingEntriesThrough: .empty)
      #expect(try await other.newestState() == state)
      // An older one changes nothing, and the same one changes nothing.
      try await other.store(Self.state(revision, bytes: 10), droppingEntriesThrough: .empty)
      try await other.store(state, droppingEntriesThrough: .empty)
      #expect(try await log.newestState() == state)
    }
    #expect(try await read(make(), count: bytes.count).count == bytes.count)
  }

  /// Entries that were dropped are cut, for readers who wait and for new ones, and the others stay.
  static func droppedEntriesAreCut(_ make: MakeLog) async throws {
    let (log, behind) = (try make(), try make())
    for revision in 0..<10 { try await append(entry("\(revision)"), after: revision, to: log) }
    #expect(try await read(behind, count: 10).count == 10)
    try await log.store(state(8, bytes: 100), droppingEntriesThrough: Revision(6))
    for reader in [log, behind, try make()] {
      #expect(try await reader.entries(after: .empty) == .cut)
      #expect(try await reader.entries(after: Revision(5)) == .cut)
      #expect(try await read(reader, after: Revision(6), count: 4).count == 4)
      #expect(try await reader.newestState()?.revision == Revision(8))
    }
    // Numbers go on, whatever was dropped.
    try await log.store(state(10, bytes: 100), droppingEntriesThrough: Revision(10))
    try await append(entry("10"), after: 10, to: try make())
    #expect(try await log.append(entry("0"), after: .empty) == false)
    #expect(try await read(behind, after: Revision(10), count: 1).count == 1)
  }

  /// States that are stored at once, of several sizes: afterwards the newest one is there.
  static func statesStoredAtOnce(_ make: MakeLog, writers: Int, bytes: Int) async throws {
    let log = try make()
    for revision in 0..<writers {
      try await append(entry("\(revision)"), after: revision, to: log)
    }
    let logs = try (0..<writers).map { _ in try make() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (writer, log) in logs.enumerated() {
        group.addTask {
          let state = state(writer + 1, bytes: bytes + writer)
          try await log.store(state, droppingEntriesThrough: .empty)
          // What is there is whole, and never older than what was just stored.
          let found = try await log.newestState()
          #expect(found.map { $0.revision >= state.revision } == true)
          #expect(found.map { $0 == Self.state($0.revision.number, bytes: $0.reset.count) } == true)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await log.newestState() == state(writers, bytes: bytes + writers - 1))
  }
}
