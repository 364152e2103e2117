/// How a subscriber that cannot keep up is served.
///
/// Whatever the policy, nothing is lost: each batch starts where the one before it ended, and a
/// subscriber that takes its time costs neither memory nor the writers' time.
public struct UpdatePolicy: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case coalesced
    case every(limit: Int)
  }

  private let kind: Kind

  /// Each batch goes from the revision that the subscriber took last to the newest one.
  public static let coalesced = UpdatePolicy(kind: .coalesced)

  /// One batch for each revision, until more than `limit` of them wait: then one batch for all.
  ///
  /// The history of the source is a limit, too: revisions that it no longer has come as one batch.
  ///
  /// - Parameter limit: The number of revisions that may wait; less than 1 means 1.
  public static func every(limit: Int) -> UpdatePolicy {
    UpdatePolicy(kind: .every(limit: max(1, limit)))
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
    case .coalesced: "coalesced"
    case .every(let limit): "every(limit: \(limit))"
    }
  }
}
