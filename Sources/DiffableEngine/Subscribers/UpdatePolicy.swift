/// How a subscriber that cannot keep up is served.
///
/// Nothing is lost under any policy: each batch starts where the previous one ended. A slow
/// subscriber delays no writer. It costs the memory of the state that it shows and of the marks that
/// it has not seen, however late it is.
public struct UpdatePolicy: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case coalesced(throttle: Duration?)
    case every(limit: Int)
  }

  private let kind: Kind

  /// Each batch leads from the revision that the subscriber took last to the newest one.
  public static let coalesced = UpdatePolicy(kind: .coalesced(throttle: nil))

  /// Coalesced batches, at most one per interval.
  ///
  /// The first batch is delivered at once. After each batch the subscriber receives nothing for the
  /// interval, then everything that happened in it as one batch. Nothing is lost, and the last
  /// state is delivered at the end of the interval at the latest. This includes the last state of a
  /// source that finishes. ``ListSource/delivered(_:)`` has to wait as long. Tasks that share the stream
  /// receive one batch per interval between them.
  ///
  /// - Parameter interval: The time from one batch to the next; zero or less means none, and more
  ///   than a hundred years means a hundred. It is measured by the clock of the source.
  public static func coalesced(throttle interval: Duration) -> UpdatePolicy {
    UpdatePolicy(kind: .coalesced(throttle: interval > .zero ? min(interval, .longest) : nil))
  }

  /// One batch for each revision, or a single batch if more than `limit` of them wait.
  ///
  /// The length of the history is a limit too: revisions that it no longer has are combined in one
  /// batch.
  ///
  /// - Parameter limit: The number of revisions that may wait; less than 1 means 1.
  public static func every(limit: Int) -> UpdatePolicy {
    UpdatePolicy(kind: .every(limit: max(1, limit)))
  }

  /// The time after a batch in which the subscriber receives nothing.
  var interval: Duration? {
    switch kind {
    case .coalesced(throttle: let interval): interval
    case .every: nil
    }
  }

  /// The longest backlog, in revisions, that is delivered one by one.
  var stepwiseBacklog: Int {
    switch kind {
    case .coalesced: 0
    case .every(let limit): limit
    }
  }
}

extension UpdatePolicy: CustomStringConvertible {
  /// The policy as written in code.
  public var description: String {
    switch kind {
    case .coalesced(throttle: nil): "coalesced"
    case .coalesced(throttle: let interval?): "coalesced(throttle: \(interval))"
    case .every(let limit): "every(limit: \(limit))"
    }
  }
}

extension Duration {
  /// A hundred years: longer than any wait, and short enough for clocks to add to a time.
  package static let longest = Duration.seconds(100 * 365 * 86_400)
}
