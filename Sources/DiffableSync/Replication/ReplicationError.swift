public import Diffable

/// Why a ``ReplicatedSource`` did not make a change, or why it waits.
public enum ReplicationError: Error, Sendable {
  /// The change was not made within ``ReplicationOptions/timeLimit``.
  ///
  /// Nothing was changed. If the change was a proposal, this participant may not have read the state that the proposal
  /// starts from.
  case timedOut(after: Duration)
  /// Other participants were faster each time.
  ///
  /// Nothing was changed.
  case contention(tries: Int)
  /// The log did not answer, so it is unknown whether the change was made.
  ///
  /// The source does not show the change, unless its entry turns up in the log later.
  case unknownFate(WriteID, reason: String)
  /// The log does not take the change, for example because it is too large.
  ///
  /// Nothing was changed.
  case rejected(reason: String)
  /// The log cannot be opened, or refuses to be read.
  ///
  /// Changes throw while it refuses. The source tries again by itself.
  case log(RevisionLogError)
  /// The log has lost entries that it had accepted, and has accepted others in their place.
  ///
  /// The source stops at the revision that it has, which is not the one that the log has now. It still
  /// shows it, and changes throw. Open the list again to follow the log: tokens of the two histories
  /// differ, so clients start from scratch. Compare the two lists to find what was lost.
  case forked(Revision)
  /// The entry that makes a revision was made on entries that the log has lost, or is not an entry.
  ///
  /// All participants skip it. Its revision changes nothing.
  case skippedEntry(Revision, reason: String)
  /// The entry that makes a revision does not fit the list, or has a format that is too new.
  ///
  /// The source keeps the revision before it, and changes throw. Once another participant that
  /// could read the entry has stored a state after it, the source continues from there.
  case unreadableEntry(Revision, DeltaError)
  /// The stored state of a revision cannot be used.
  ///
  /// The source keeps its revision until there is a newer state.
  case unreadableState(Revision, DeltaError)
}

extension ReplicationError: CustomStringConvertible {
  /// A sentence that says what happened and what is known of the change.
  public var description: String {
    switch self {
    case .timedOut(let limit):
      "The change was not made within \(limit). Nothing was changed. Try again."
    case .contention(let tries):
      "Other participants changed the list each of \(tries) times. Nothing was changed. Try again."
    case .unknownFate(let id, let reason):
      "The log did not answer, so it is unknown whether the change “\(id)” was made: \(sentence: reason)"
    case .rejected(let reason):
      "The change cannot be put into the log: \(sentence: reason) Nothing was changed."
    case .log(let error):
      error.description
    case .forked(let revision):
      "The log has lost entries that it had accepted: its \(revision) is another one than that of this "
        + "source, which stops there. Open the list again to follow the log, and compare it with this "
        + "one to find what was lost."
    case .skippedEntry(let revision, let reason):
      "The entry of \(revision) is skipped: \(sentence: reason)"
    case .unreadableEntry(let revision, let error):
      "The entry of \(revision) cannot be applied, so the list waits before it: \(error)"
    case .unreadableState(let revision, let error):
      "The stored state of \(revision) cannot be used: \(error)"
    }
  }
}
