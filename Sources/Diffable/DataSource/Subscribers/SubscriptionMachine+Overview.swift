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

  /// Who there is at this moment.
  var population: Population {
    Population(
      subscribers: cursors.count,
      waiting: cursors.values.reduce(0) { $0 + $1.waiters.count },
      settling: settlings.count)
  }
}

extension Hub.Machine {
  /// What there is at this moment; the live state is gone with its source.
  var overview: HubOverview? {
    history.stop(at: revision).map { live in
      HubOverview(
        live: live, oldest: Revision(history.oldest), isFinished: isFinished,
        subscribers: subscriberLines, metrics: presentMetrics)
    }
  }
}
