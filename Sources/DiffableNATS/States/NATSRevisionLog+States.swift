#if NATS
public import Diffable
public import DiffableSync

extension NATSRevisionLog {
  /// The newest stored state, or `nil` if there is none.
  ///
  /// A state counts once all of it is stored. A writer that stops halfway leaves the old one valid.
  ///
  /// A state of which a part is missing or was changed does not count. The failure handler of the
  /// source receives a warning, and the state before it is used, which is kept for that.
  ///
  /// - Complexity: About three requests, and one for each half a megabyte of the state.
  /// - Throws: `RevisionLogError.rejected(reason:)` if access is not allowed.
  ///   `RevisionLogError.unavailable(reason:)` if the servers do not answer, and when the task is
  ///   cancelled.
  public func newestState() async throws(RevisionLogError) -> StoredState? {
    try await state(before: Revision(.max))
  }

  /// The state before the newest one, if it was stored before a revision.
  ///
  /// - Complexity: As ``newestState()``.
  /// - Throws: As ``newestState()``.
  public func state(before revision: Revision) async throws(RevisionLogError) -> StoredState? {
    let session = try await session()
    return try await Answer.made(on: session.storing) { () throws(RevisionLogError) in
      try session.state(before: revision)
    }
  }

  /// Stores a state, and drops entries that it makes unnecessary.
  ///
  /// The state replaces the one before. Readers see one of the two, and never a mixture. A state that is
  /// older than the stored one is ignored. So is one that is useless, since the log no longer has the next
  /// entry. States have two streams of their own, which the first call makes.
  ///
  /// The last entry of the log is never dropped, so an empty stream is always a new one.
  ///
  /// - Parameters:
  ///   - state: The state of a revision.
  ///   - revision: The last revision whose entry may be dropped. Entries after the state stay.
  /// - Complexity: About five requests, and one for each half a megabyte of the state.
  /// - Throws: `RevisionLogError.rejected(reason:)` if access is not allowed, if storage is used up,
  ///   or if the stream was deleted. `RevisionLogError.unavailable(reason:)` if the servers do not
  ///   answer, and when the task is cancelled. The state may be stored all the same. Call it
  ///   again with the same state to finish the rest.
  public func store(
    _ state: StoredState, droppingEntriesThrough revision: Revision
  ) async throws(RevisionLogError) {
    let session = try await session()
    let replicas = replicas
    try await Answer.made(on: session.storing) { () throws(RevisionLogError) in
      try session.store(state, replicas: replicas)
      try session.dropEntries(through: min(revision, state.revision))
    }
  }
}
#endif
