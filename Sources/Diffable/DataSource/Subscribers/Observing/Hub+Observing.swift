import Synchronization

extension Hub {
  /// Starts measuring time.
  package func startTimer() -> Stopwatch {
    hasContinuousClock ? .continuous(since: .now) : Stopwatch(clock)
  }

  /// Sends an event to the observer and counts it.
  ///
  /// Events of states and subscribers are counted where they happen, inside the lock.
  package func observe(_ event: DataSourceEvent) {
    switch event {
    case .unchanged: withMachine { $0.metrics.unchanged += 1 }
    case .rejected: withMachine { $0.metrics.rejected += 1 }
    case .superseded: superseded.wrappingAdd(1, ordering: .relaxed)
    case .changed, .delivered, .subscribed, .unsubscribed, .finished: break
    }
    observer?(event)
  }

  /// Counts a delivered batch.
  func deliver(_ transition: HubTransition, changeCount: Int) {
    withMachine { $0.metrics.batches.add(changeCount) }
    observer?(
      .delivered(
        base: transition.isReset ? nil : transition.base?.revision,
        target: transition.target.revision, changeCount: changeCount))
  }

  /// The metrics of the source so far.
  var metrics: DataSourceMetrics {
    var metrics = withMachine { $0.presentMetrics }
    metrics.superseded = superseded.load(ordering: .relaxed)
    return metrics
  }

  /// The current contents; `nil` if the live state is gone with its source.
  var overview: HubOverview? {
    var overview = withMachine { $0.overview }
    overview?.metrics.superseded = superseded.load(ordering: .relaxed)
    return overview
  }
}

extension ListSource {
  /// The metrics of the source so far.
  ///
  /// - Complexity: O(k) for k subscribers.
  public nonisolated var metrics: DataSourceMetrics { reader.hub.metrics }

  /// A summary of the state of the source, for debugging.
  ///
  /// It shows the live revision, what undo and redo would revert, the sections with their first
  /// items, the subscribers and the metrics.
  ///
  /// - Complexity: O(k) for k subscribers; only the shown part of the list is read.
  public nonisolated var debugDescription: String { reader.description }
}

/// Measures the time since it was made.
package enum Stopwatch {
  /// Most sources have the usual clock, which needs no closure.
  case continuous(since: ContinuousClock.Instant)
  case other(elapsed: () -> Duration)

  init(_ clock: any Clock<Duration>) {
    func other<Time: Clock<Duration>>(_ clock: Time) -> Stopwatch {
      let start = clock.now
      return .other { start.duration(to: clock.now) }
    }
    self = other(clock)
  }

  /// The time so far.
  package func callAsFunction() -> Duration {
    switch self {
    case .continuous(let start): start.duration(to: .now)
    case .other(let elapsed): elapsed()
    }
  }
}
