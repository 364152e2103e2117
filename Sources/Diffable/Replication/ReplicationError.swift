/// Why a ``ReplicatedSource`` did not make a change, or why it waits.
public enum ReplicationError: Error, Sendable {
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
  /// The log cannot be opened.
  case log(RevisionLogError)
  /// The entry that makes a revision does not fit the list, or has a format that is too new.
  ///
  /// The source keeps the revision before it, and changes throw. Once another participant that could
  /// read the entry has stored a state after it, the source goes on from there.
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
    case .contention(let tries):
      "Other participants changed the list each of \(tries) times. Nothing was changed. Try again."
    case .unknownFate(let id, let reason):
      "The log did not answer, so it is unknown whether the change “\(id)” was made: \(reason)"
    case .rejected(let reason):
      "The change cannot be put into the log: \(reason) Nothing was changed."
    case .log(let error):
      error.description
    case .unreadableEntry(let revision, let error):
      "The entry of \(revision) cannot be applied, so the list waits before it: \(error)"
    case .unreadableState(let revision, let error):
      "The stored state of \(revision) cannot be used: \(error)"
    }
  }
}
