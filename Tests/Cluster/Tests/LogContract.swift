import Diffable
import DiffableSync
import Testing

/// What tests ask of a log; `RevisionLogLaw` has what every log must do.
enum LogContract {

  static func entry(_ text: String) -> LogEntry {
    LogEntry(id: WriteID(), delta: Array(text.utf8))
  }

  /// All entries after a revision, until there are as many as are expected.
  static func read(
    _ log: any RevisionLog, after first: Revision = .empty, count: Int
  ) async throws -> [LogEntry] {
    var entries: [LogEntry] = []
    while entries.count < count {
      let known = Revision(first.number + entries.count)
      guard case .entries(let next, let base) = try await log.entries(after: known) else {
        Issue.record("The log was cut after \(entries.count) entries.")
        return entries
      }
      #expect(!next.isEmpty && base <= known)
      entries += next.dropFirst(known.number - base.number)
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
      if case .rejected = error { throw error }
      try Task.checkCancellation()
      await Task.yield()
      return nil
    }
  }

  static func state(_ revision: Int, bytes: Int) -> StoredState {
    StoredState(
      revision: Revision(revision),
      reset: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ revision) })
  }
}
