extension SubscriptionMachine {
  /// The metrics, including the current subscribers.
  var presentMetrics: DataSourceMetrics {
    var metrics = metrics
    metrics.subscribers = cursors.count
    metrics.waitingSubscribers = cursors.values.reduce(0) { $0 + $1.waiters.count }
    return metrics
  }

  /// One line for each subscriber: its policy, its revision, and whether it waits.
  ///
  /// The text is made inside the lock, but that runs no user code.
  var subscriberLines: [String] {
    cursors.sorted { $0.key.number < $1.key.number }.map { _, cursor in
      let place = cursor.taken.map { "at \($0.revision)" } ?? "not started"
      let behind = cursor.taken.map { revision.number - $0.revision.number } ?? 0
      return "\(cursor.policy), \(place)" + (behind > 0 ? ", \(behind) behind" : "")
        + (cursor.waiters.isEmpty ? "" : ", waiting")
    }
  }

  /// The current number of subscribers and of waiting tasks.
  package var population: Population {
    Population(
      subscribers: cursors.count,
      waiting: cursors.values.reduce(0) { $0 + $1.waiters.count },
      settling: settlings.count)
  }
}

extension Hub.Machine {
  /// The current contents; `nil` if the live state is gone with its source.
  var overview: HubOverview? {
    history.stop(at: revision).map { live in
      HubOverview(
        live: live, oldest: Revision(history.oldest), isFinished: isFinished,
        subscribers: subscriberLines, metrics: presentMetrics)
    }
  }
}

/// How many subscribers a source has, and how many tasks wait.
package struct Population: Hashable, Sendable {
  /// Streams that are held and have not ended.
  package var subscribers = 0
  /// Tasks that wait for a batch.
  package var waiting = 0
  /// Tasks that wait until others have received a revision.
  package var settling = 0

  package init(subscribers: Int = 0, waiting: Int = 0, settling: Int = 0) {
    self.subscribers = subscribers
    self.waiting = waiting
    self.settling = settling
  }
}

extension ListSource {
  /// The current number of subscribers and of waiting tasks.
  package nonisolated var population: Population {
    reader.hub.withMachine { $0.population }
  }
}
