/// A shared log in which several sources of one list agree on the order of its revisions.
///
/// Each server has a ``ReplicatedSource`` of the list. A change is an entry of the log, and the entry
/// after revision n makes revision n + 1 for everybody. The log decides which of several writers is
/// next: it accepts an entry only if its last revision is still the one that the writer has seen.
///
/// A log belongs to a system that keeps it on several machines and agrees on its order, such as NATS
/// JetStream. This package has no consensus of its own. `DiffableTesting` has a log in memory that
/// loses, delays and repeats messages, for tests.
///
/// Every function may be called by several tasks at once. When its task is cancelled, it throws soon.
public protocol RevisionLog: Sendable {
  /// The epoch of the log, made when the log was made.
  ///
  /// All participants get the same one. A log that was deleted and made again has another.
  func epoch() async throws(RevisionLogError) -> Epoch

  /// Appends an entry if a revision is the last one in the log.
  ///
  /// - Returns: Whether it was appended by this call. `false` if the log does not end at the
  ///   revision. An earlier call with the same entry may have appended it then.
  /// - Throws: ``RevisionLogError/rejected(reason:)`` if the entry was not appended and never will
  ///   be, ``RevisionLogError/unavailable(reason:)`` if that is unknown. The entry may still be
  ///   appended later, as long as the log ends at the revision.
  func append(_ entry: LogEntry, after revision: Revision) async throws(RevisionLogError) -> Bool

  /// The entries after a revision; waits until there is one.
  ///
  /// - Returns: At least one entry. The first one makes the next revision, and they follow each other
  ///   without a gap. Or ``LogPage/cut`` if the log no longer has the first one.
  func entries(after revision: Revision) async throws(RevisionLogError) -> LogPage

  /// The newest stored state, or `nil` if there is none.
  func newestState() async throws(RevisionLogError) -> StoredState?

  /// Stores a state, and drops entries that nobody needs who starts from it.
  ///
  /// An older state than the newest one may be ignored.
  ///
  /// - Parameters:
  ///   - state: The state of a revision.
  ///   - revision: The last revision whose entry may be dropped.
  func store(
    _ state: StoredState, droppingEntriesThrough revision: Revision
  ) async throws(RevisionLogError)
}

/// One change in a ``RevisionLog``.
public struct LogEntry: Hashable, Sendable {
  /// The name of the write that made the change.
  public var id: WriteID
  /// The delta from the revision before, as JSON.
  public var delta: [UInt8]

  /// Creates an entry.
  public init(id: WriteID, delta: [UInt8]) {
    (self.id, self.delta) = (id, delta)
  }
}

/// What a ``RevisionLog`` has after a revision.
public enum LogPage: Hashable, Sendable {
  /// The next entries, one or more.
  case entries([LogEntry])
  /// The next entry was dropped. Start from ``RevisionLog/newestState()``.
  case cut
}

/// The whole list at a revision, for participants that start or have missed too much.
public struct StoredState: Hashable, Sendable {
  /// The revision.
  public var revision: Revision
  /// The list as a reset, in JSON.
  public var reset: [UInt8]

  /// Creates a state.
  public init(revision: Revision, reset: [UInt8]) {
    (self.revision, self.reset) = (revision, reset)
  }
}

/// Why a ``RevisionLog`` did not do what it was asked.
public enum RevisionLogError: Error, Hashable, Sendable {
  /// The log has refused, and would refuse again: the entry is too large, or access is not allowed.
  case rejected(reason: String)
  /// The log did not answer, and its answer is unknown.
  case unavailable(reason: String)
}

extension RevisionLogError: CustomStringConvertible {
  /// A sentence that says what is known.
  public var description: String {
    switch self {
    case .rejected(let reason): "The log rejected the request: \(reason)."
    case .unavailable(let reason): "The log did not answer: \(reason)."
    }
  }
}
