#if NATS
public import Diffable

extension NATSRevisionLog {
  /// The newest stored state, or `nil` if there is none.
  ///
  /// A state of which only a part was stored, since its writer ended, does not count.
  ///
  /// - Complexity: One request, and one for each half a megabyte of the state.
  /// - Throws: ``RevisionLogError/rejected(reason:)`` if access is not allowed, or if a part of the
  ///   state is missing or was changed. ``RevisionLogError/unavailable(reason:)`` if the servers do
  ///   not answer, and when the task is cancelled.
  public func newestState() async throws(RevisionLogError) -> StoredState? {
    let session = try await session()
    return try await Answer.made(on: session.storing) { () throws(RevisionLogError) in
      try session.newestState()
    }
  }

  /// Stores a state, and drops entries that nobody needs who starts from it.
  ///
  /// The state takes the place of the one before, in two streams of their own, which are made if there
  /// are none. Readers see the one or the other. A state that is older than the stored one is ignored.
  ///
  /// The last entry of the log is never dropped. So an empty stream is always a new one.
  ///
  /// - Parameters:
  ///   - state: The state of a revision.
  ///   - revision: The last revision whose entry may be dropped. Entries after the state stay.
  /// - Complexity: About five requests, and one for each half a megabyte of the state.
  /// - Throws: ``RevisionLogError/rejected(reason:)`` if access is not allowed, if storage is used up,
  ///   or if the stream was deleted. ``RevisionLogError/unavailable(reason:)`` if the servers do not
  ///   answer, and when the task is cancelled. The state may be stored all the same. Calling again
  ///   with it does what is left to do.
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
