/// What a source has done so far, in numbers.
public struct DataSourceMetrics: Hashable, Sendable {
  /// A measure that grows: how often, how much in all, and the most at once.
  public struct Total<Amount: AdditiveArithmetic & Comparable & Hashable & Sendable>:
    Hashable, Sendable
  {
    /// How often something was added.
    public internal(set) var count = 0
    /// The sum of all that was added.
    public internal(set) var sum = Amount.zero
    /// The most that was added at once.
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
  /// Writes that were refused with a ``DataSourceError``.
  public internal(set) var rejected = 0
  /// Enqueued snapshots that a newer one replaced.
  public internal(set) var superseded = 0
  /// Revisions that subscribers did not see one by one, since a batch spanned several.
  public internal(set) var coalesced = 0
  /// Batches handed out, by the number of changes in them; a reset has none.
  public internal(set) var batches = Total<Int>()
  /// The time that writes took: the edit, the checks and finding the difference.
  public internal(set) var writingTime = Total<Duration>()
  /// Subscribers that are there now.
  public internal(set) var subscribers = 0
  /// Tasks that wait for a batch now.
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
