import Synchronization

/// Numbers the queries that a source is given, so that one that is no longer wanted is not worked out.
///
/// Whoever replaces a query does so before it is the turn of this source, which may be busy with the former one.
final class QueryTurns: Sendable {
  /// The last query that was given, also one that waits for the end of its pause.
  private let last = Atomic<Int>(0)
  /// The last of those that do not wait.
  private let ready = Atomic<Int>(0)

  /// The number of a query that is given now.
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Whether no other query was given since.
  func isLast(_ turn: Int) -> Bool { last.load(ordering: .relaxed) == turn }

  /// Records that a query does not wait, or not any more.
  func begin(_ turn: Int) { ready.max(turn, ordering: .relaxed) }

  /// Whether a later query is about to take the place of one.
  func isSuperseded(_ turn: Int) -> Bool { ready.load(ordering: .relaxed) > turn }
}
