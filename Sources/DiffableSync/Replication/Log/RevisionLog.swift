public import Diffable

/// A shared log that decides the order of a list's revisions for several sources.
///
/// Each server has a ``ReplicatedSource`` of the list. A change is an entry of the log, and the entry
/// after revision n makes revision n + 1 for every participant. The log decides which of several
/// writers is next: it accepts entries only if its last revision is still the one that the writer has
/// seen.
///
/// A log belongs to a system that keeps it on several machines and agrees on its order, such as NATS
/// JetStream. This package has no consensus of its own. `DiffableTesting` has a log in memory that
/// loses, delays and repeats messages, for tests, and `RevisionLogLaw`, which checks a log of your own.
///
/// The tokens in an entry say which entries its writer has seen, see `ResumeToken`. So participants
/// notice if a log has lost entries that it had accepted.
///
/// Several tasks may call each function at once. A function throws soon after its task is cancelled.
public protocol RevisionLog: Sendable {
  /// The epoch of the log, made when the log was made.
  ///
  /// All participants get the same one. A log that was deleted and made again has another epoch.
  func epoch() async throws(RevisionLogError) -> Epoch

  /// Appends entries if a revision is the last one in the log.
  ///
  /// The entries make the revisions after it, in their order. The log appends all of them or none: no
  /// participant ever sees an entry of another one between them, or only some of them at the end of
  /// the log. A page of ``entries(after:)`` may end between them.
  ///
  /// A source puts several entries into one append while several of its writers wait: up to 256
  /// entries, and up to 256 KiB of deltas unless there is one entry only. When it repeats an append
  /// that got no answer, the entries are the same.
  ///
  /// - Parameters:
  ///   - entries: The entries, at least one.
  ///   - revision: The revision that the writer of the entries has seen.
  /// - Returns: `true` if this call appended them, and `false` if the log does not end at the
  ///   revision. In that case, an earlier call with the same entries may have appended them.
  /// - Throws: ``RevisionLogError/rejected(reason:)`` if no entry was appended and none ever will be,
  ///   ``RevisionLogError/notDone(reason:)`` if no entry was appended by this call, but may be by another
  ///   one, and ``RevisionLogError/unavailable(reason:)`` if all that is unknown. The entries may still be
  ///   appended later, as long as the log ends at the revision. A log on several machines also throws
  ///   one of these when the one that answers ends before the revision: the writer waits for other
  ///   entries after `false`, and there may be none. If a log rejects several entries, the source
  ///   appends them again one at a time, so that only the one that is too large is rejected.
  func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool

  /// The entries that a participant does not know; waits until there is one.
  ///
  /// What a participant knows can grow while the call waits: an entry that it has appended need not
  /// come back. So a log may skip such an entry, or return it.
  ///
  /// - Parameter known: Returns the last revision that the participant knows by now. It is quick, and
  ///   can be called on any thread.
  /// - Returns: At least one entry, without a gap, after a revision that the participant knows. If the
  ///   log no longer has the entry after the last known revision, ``LogPage/cut``.
  /// - Throws: ``RevisionLogError/rejected(reason:)`` also if the log has turned out to end before the known
  ///   revision, since somebody has put back an older one. So a source that only follows notices.
  func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage

  /// The last revision in the log, or `nil` if the log cannot tell.
  ///
  /// A source that opens the list reads on to that revision before it shows anything. So a client that
  /// has followed another source, or this one before it was closed, resumes without a reset. By default
  /// the answer is `nil`: the source shows the newest stored state first.
  func lastRevision() async throws(RevisionLogError) -> Revision?

  /// The newest stored state that is not damaged, or `nil` if there is none.
  func newestState() async throws(RevisionLogError) -> StoredState?

  /// The newest stored state before a revision, or `nil` if there is none.
  ///
  /// A participant asks for it if it cannot use a newer one. By default there is none.
  func state(before revision: Revision) async throws(RevisionLogError) -> StoredState?

  /// Whether a participant that starts now can read all entries after the newest stored state.
  ///
  /// It cannot after an operator has deleted entries, or the state. A participant that has the list
  /// then stores its state, see ``ReplicationOptions/checkInterval``. By default the answer is `true`.
  func isComplete() async throws(RevisionLogError) -> Bool

  /// What the operator should know although the log works, such as servers that lose entries.
  ///
  /// The source reports each warning to its failure handler. By default there is none.
  ///
  /// - Returns: The warnings since the last call.
  func takeWarnings() -> [RevisionLogWarning]

  /// Stores a state, and drops entries that a participant starting from it does not need.
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

extension RevisionLog {
  /// Returns `nil`: the log cannot tell.
  public func lastRevision() async throws(RevisionLogError) -> Revision? { nil }

  /// Returns `nil`: the log keeps no state but the newest one.
  public func state(before revision: Revision) async throws(RevisionLogError) -> StoredState? {
    nil
  }

  /// Returns `true`: nobody else can delete anything from the log.
  public func isComplete() async throws(RevisionLogError) -> Bool { true }

  /// Returns no warning.
  public func takeWarnings() -> [RevisionLogWarning] { [] }

  /// Appends one entry if a revision is the last one in the log.
  ///
  /// - Returns: As ``append(_:after:)-([LogEntry],_)``.
  /// - Throws: As ``append(_:after:)-([LogEntry],_)``.
  public func append(
    _ entry: LogEntry, after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    try await append([entry], after: revision)
  }

  /// The entries after a revision; waits until there is one.
  ///
  /// - Returns: At least one entry, without a gap; the first one makes the next revision. If the log no
  ///   longer has that entry, ``LogPage/cut``.
  public func entries(after revision: Revision) async throws(RevisionLogError) -> LogPage {
    try await entries { revision }
  }
}

/// What a ``RevisionLog`` has after a revision.
public enum LogPage: Hashable, Sendable {
  /// The entries after a revision, one or more.
  case entries([LogEntry], after: Revision)
  /// The next entry was dropped. Start from ``RevisionLog/newestState()``.
  case cut
}

extension Revision {
  /// Whether a log can have this revision.
  ///
  /// What is larger could not be counted on from, and is a lie.
  package var isOfLog: Bool { (0...Int.max / 2).contains(number) }
}

/// The whole list at a revision, for participants that start or that missed too much.
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
  /// The log refused, and would refuse again: the entry is too large, or access is not allowed.
  case rejected(reason: String)
  /// The log did not do what was asked, and this request will never change it: it is locked, for example.
  ///
  /// It may do it if it is asked again.
  case notDone(reason: String)
  /// The log did not answer. Whether it did what was asked is unknown.
  case unavailable(reason: String)
}

extension RevisionLogError: CustomStringConvertible {
  /// A sentence that says what is known.
  public var description: String {
    switch self {
    case .rejected(let reason): "The log rejected the request: \(sentence: reason)"
    case .notDone(let reason): "The log did not do it: \(sentence: reason)"
    case .unavailable(let reason): "The log did not answer: \(sentence: reason)"
    }
  }
}

/// What the operator of a ``RevisionLog`` should know although the log works.
public struct RevisionLogWarning: Error, Hashable, Sendable, CustomStringConvertible {
  /// Sentences that say what is wrong and what to do.
  public let description: String

  /// Creates a warning.
  public init(_ description: String) {
    self.description = description
  }
}
