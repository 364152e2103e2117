/// Something that happened in a source, for logs, metrics and traces.
public enum DataSourceEvent: Hashable, Sendable {
  /// A change made a revision.
  ///
  /// `changeCount` is the number of changes in its difference. `duration` is the time of the edit,
  /// the checks and the difference.
  case changed(revision: Revision, name: String?, changeCount: Int, duration: Duration)
  /// A write changed nothing.
  case unchanged(revision: Revision)
  /// A write was rejected.
  case rejected(DataSourceError)
  /// An enqueued snapshot was replaced by a newer one.
  case superseded
  /// A subscriber received a batch; `base` is `nil` for a reset.
  case delivered(base: Revision?, target: Revision, changeCount: Int)
  /// A subscriber was added.
  case subscribed(UpdatePolicy)
  /// A subscriber has gone away.
  case unsubscribed
  /// The source has finished.
  case finished
}

/// Receives the events of a source.
///
/// It is called at once, by the code that causes the event and never inside a lock: by the actor
/// for writes, by the task of the subscriber for batches, and by the caller for enqueued snapshots
/// and new subscriptions. The caller can be on the main actor. So an observer should be quick, and
/// hand over slow work. It may use the source: when an event arrives, its change has been published
/// and another may be made. The only exception is a write rejected as
/// ``DataSourceError/reentrant``: its event arrives from inside the other write.
public typealias DataSourceObserver = @Sendable (DataSourceEvent) -> Void
