/// The metrics of a source so far.
public struct DataSourceMetrics: Hashable, Sendable {
  /// A running total: the number of additions, their sum, and the largest one.
  public struct Total<Amount: AdditiveArithmetic & Comparable & Hashable & Sendable>:
    Hashable, Sendable
  {
    /// The number of additions.
    public internal(set) var count = 0
    /// The sum of all additions.
    public internal(set) var sum = Amount.zero
    /// The largest addition.
    public internal(set) var largest = Amount.zero

    mutating func add(_ amount: Amount) {
      count += 1
      sum += amount
      largest = max(largest, amount)
    }
  }

  /// Changes that made a revision.
  public internal(set) var changed = 0
  /// Writes that changed nothing.
  public internal(set) var unchanged = 0
  /// Writes that were rejected with a ``DataSourceError``.
  public internal(set) var rejected = 0
  /// Enqueued snapshots that a newer one replaced.
  public internal(set) var superseded = 0
  /// Revisions that subscribers did not receive separately, because a batch spanned several.
  public internal(set) var coalesced = 0
  /// Delivered batches, by the number of changes in them; a reset has none.
  public internal(set) var batches = Total<Int>()
  /// The time that writes took: the edit, the checks and finding the difference.
  public internal(set) var writingTime = Total<Duration>()
  /// The current subscribers.
  public internal(set) var subscribers = 0
  /// The tasks that wait for a batch now.
  public internal(set) var waitingSubscribers = 0

  /// The metrics of a source that has not done anything.
  public init() {}
}

extension DataSourceMetrics: CustomStringConvertible {
  /// The numbers that are not zero, in one line.
  public var description: String {
    var parts = ["changed \(changed)"]
    for (name, count) in [
      ("unchanged", unchanged), ("rejected", rejected), ("superseded", superseded),
      ("coalesced", coalesced),
    ] where count > 0 {
      parts.append("\(name) \(count)")
    }
    if batches.count > 0 {
      parts.append("batches \(batches.count) (largest \(batches.largest))")
    }
    parts.append("writing \(writingTime.sum) (longest \(writingTime.largest))")
    parts.append("subscribers \(subscribers) (\(waitingSubscribers) waiting)")
    return parts.joined(separator: ", ")
  }
}

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
