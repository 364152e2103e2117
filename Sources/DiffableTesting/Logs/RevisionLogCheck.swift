import Diffable
import DiffableSync

/// Checks one law of a log on a new list.
struct RevisionLogCheck: Sendable {
  let law: RevisionLogLaw
  let scope: RevisionLogLaw.Scope
  let makeLog: @Sendable () throws -> any RevisionLog

  func require(_ holds: Bool, _ explanation: @autoclosure () -> String) throws {
    guard holds else { throw LawViolation(law, explanation()) }
  }

  func requireEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
  ) throws {
    try require(found == expected, "\(what()): expected \(expected), found \(found)")
  }

  static func entry(_ text: String) -> LogEntry {
    LogEntry(id: WriteID(), delta: Array(text.utf8))
  }

  /// All entries after a revision, until there are as many as are expected.
  func read(
    _ log: any RevisionLog, after first: Int = 0, count: Int
  ) async throws -> [LogEntry] {
    var entries: [LogEntry] = []
    while entries.count < count {
      let known = Revision(first + entries.count)
      guard case .entries(let next, let base) = try await log.entries(after: known) else {
        try require(false, "the log was cut after \(known)")
        break
      }
      try require(!next.isEmpty, "a page after \(known) is empty")
      try require((.empty...known).contains(base), "a page has a gap after \(known)")
      entries += next.dropFirst(known.number - base.number)
    }
    return entries
  }

  /// Appends as a writer does that is alone.
  func append(_ entries: [LogEntry], after revision: Int, to log: any RevisionLog) async throws {
    try require(
      try await log.append(entries, after: Revision(revision)),
      "the log ends at \(revision), and refused an entry there")
  }

  /// Appends until it is known who has made the next revision, as a writer does that has rivals.
  ///
  /// - Returns: Whether the first of the entries has made it.
  func settle(
    _ entries: [LogEntry], after revision: Int, in log: any RevisionLog
  ) async throws -> Bool {
    while true {
      let answer = try await ifAnswered { try await log.append(entries, after: Revision(revision)) }
      guard let made = answer else { continue }
      if made { return true }
      let next = try await ifAnswered { try await log.entries(after: Revision(revision)) }
      guard let page = next else { continue }
      guard case .entries(let found, _) = page else { return false }
      return found.first == entries.first
    }
  }

  /// What a log says; `nil` if it does not answer.
  ///
  /// - Throws: `CancellationError`, since a log answers nothing to a cancelled task.
  func ifAnswered<Value: Sendable>(_ ask: () async throws -> Value) async throws -> Value? {
    do {
      return try await ask()
    } catch let error as RevisionLogError {
      if case .rejected = error { throw error }
      try Task.checkCancellation()
      return nil
    }
  }

  /// Requires that a task ends with an error of the log.
  func requireFailure<Value: Sendable>(
    of task: Task<Value, any Error>, _ what: String
  ) async throws {
    do {
      _ = try await task.value
    } catch is RevisionLogError {
      return
    }
    try require(false, what)
  }
}
