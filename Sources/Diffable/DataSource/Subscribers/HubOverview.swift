/// What there is in a hub at one moment, for whoever debugs a source.
struct HubOverview: Sendable {
  let live: HubTransition.Stop
  let oldest: Revision
  let isFinished: Bool
  /// One line for each subscriber, the oldest first.
  let subscribers: [String]
  let metrics: DataSourceMetrics
}

extension SubscriptionMachine {
  /// The metrics with the subscribers that are there now.
  var presentMetrics: DataSourceMetrics {
    var metrics = metrics
    metrics.subscribers = cursors.count
    metrics.waitingSubscribers = cursors.values.reduce(0) { $0 + $1.waiters.count }
    return metrics
  }

  /// Where each subscriber stands: its policy and revision, and whether it waits.
  ///
  /// Words are found inside the lock, but none of the user's code runs for them.
  var subscriberLines: [String] {
    cursors.sorted { $0.key.number < $1.key.number }.map { _, cursor in
      let place = cursor.taken.map { "at \($0.revision)" } ?? "not started"
      let behind = cursor.taken.map { revision.number - $0.revision.number } ?? 0
      return "\(cursor.policy), \(place)" + (behind > 0 ? ", \(behind) behind" : "")
        + (cursor.waiters.isEmpty ? "" : ", waiting")
    }
  }
}
