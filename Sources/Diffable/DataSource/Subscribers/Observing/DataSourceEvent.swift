/// Something that happened in a source, for logs, metrics and traces.
public enum DataSourceEvent: Hashable, Sendable {
  /// A change made a revision.
  ///
  /// `changeCount` is the number of changes in its difference, `duration` the time that the edit, the
  /// checks and the difference took.
  case changed(revision: Revision, name: String?, changeCount: Int, duration: Duration)
  /// A write changed nothing.
  case unchanged(revision: Revision)
  /// A write was refused.
  case rejected(DataSourceError)
  /// An enqueued snapshot was replaced by a newer one.
  case superseded
  /// A subscriber was handed a batch; `base` is `nil` for a reset.
  case delivered(base: Revision?, target: Revision, changeCount: Int)
  /// Somebody subscribed.
  case subscribed(UpdatePolicy)
  /// A subscriber has gone.
  case unsubscribed
  /// The source has finished.
  case finished
}

/// Is told what happens in a source.
///
/// It is called at once by whoever makes the event happen, never inside a lock: by the actor for
/// writes, by the task of the subscriber for batches, by the caller for what is enqueued and for
/// subscriptions, which can be the main actor. So it should be quick, and hand over what takes time.
/// It may use the source: a change has been published, and another may be made, when its event comes.
/// Only the event of a write that was refused for being ``DataSourceError/reentrant`` comes from inside
/// the other write.
public typealias DataSourceObserver = @Sendable (DataSourceEvent) -> Void
