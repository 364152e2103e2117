/// How a subscriber that cannot keep up is served.
///
/// Whatever the policy, nothing is lost: each batch starts where the one before it ended, and a
/// subscriber that takes its time costs neither memory nor the writers' time.
public struct UpdatePolicy: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case coalesced(throttle: Duration?)
    case every(limit: Int)
  }

  private let kind: Kind

  /// Each batch goes from the revision that the subscriber took last to the newest one.
  public static let coalesced = UpdatePolicy(kind: .coalesced(throttle: nil))

  /// Coalesced batches, and no more often than once in an interval.
  ///
  /// The first batch comes at once. After each batch the subscriber is left alone for the interval,
  /// then gets everything that has happened in it as one batch: nothing is lost, and the last state
  /// comes at the end of the interval at the latest. That goes for the last state of a source that
  /// finishes, too. ``ListSource/settled(_:)`` has to wait as long.
  ///
  /// - Parameter interval: The time from a batch to the next; zero or less means none, and more
  ///   than a hundred years means a hundred. It is measured by the clock of the source.
  public static func coalesced(throttle interval: Duration) -> UpdatePolicy {
    UpdatePolicy(kind: .coalesced(throttle: interval > .zero ? min(interval, .longest) : nil))
  }

  /// One batch for each revision, until more than `limit` of them wait: then one batch for all.
  ///
  /// The history of the source is a limit, too: revisions that it no longer has come as one batch.
  ///
  /// - Parameter limit: The number of revisions that may wait; less than 1 means 1.
  public static func every(limit: Int) -> UpdatePolicy {
    UpdatePolicy(kind: .every(limit: max(1, limit)))
  }

  /// The time to leave the subscriber alone after a batch.
  var interval: Duration? {
    switch kind {
    case .coalesced(throttle: let interval): interval
    case .every: nil
    }
  }

  /// The longest backlog, in revisions, that is handed out one by one.
  var stepwiseBacklog: Int {
    switch kind {
    case .coalesced: 0
    case .every(let limit): limit
    }
  }
}

extension UpdatePolicy: CustomStringConvertible {
  /// The policy as it is written in code.
  public var description: String {
    switch kind {
    case .coalesced(throttle: nil): "coalesced"
    case .coalesced(throttle: let interval?): "coalesced(throttle: \(interval))"
    case .every(let limit): "every(limit: \(limit))"
    }
  }
}

extension Duration {
  /// A hundred years: longer than anything waits, and short enough for clocks to add to a time.
  package static let longest = Duration.seconds(100 * 365 * 86_400)
}
