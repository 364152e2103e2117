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
  package func deliver(_ transition: HubTransition, changeCount: Int) {
    withMachine { $0.metrics.batches.add(changeCount) }
    observer?(
      .delivered(
        base: transition.isReset ? nil : transition.base?.revision,
        target: transition.target.revision, changeCount: changeCount))
  }

  /// The metrics of the source so far.
  package var metrics: DataSourceMetrics {
    var metrics = withMachine { $0.presentMetrics }
    metrics.superseded = superseded.load(ordering: .relaxed)
    return metrics
  }

  /// A summary of the contents, for debugging.
  ///
  /// - Parameter describe: Returns a line for each section of the live state that it shows.
  package func summary(_ describe: (UntypedSnapshot) -> [String]) -> String {
    let contents = withMachine { machine in
      machine.history.stop(at: machine.revision).map { live in
        (
          live, oldest: Revision(machine.history.oldest), isFinished: machine.isFinished,
          subscribers: machine.subscriberLines
        )
      }
    }
    guard let (live, oldest, isFinished, subscribers) = contents else {
      return "finished, and nothing is left"
    }
    let snapshot = live.state.snapshot
    func count(_ number: Int, _ thing: String) -> String {
      "\(number) \(thing)\(number == 1 ? "" : "s")"
    }
    var lines = ["\(live.revision)\(isFinished ? ", finished" : ""), history from \(oldest)"]
    for (word, direction, scope) in [
      ("undo", .undo, .everything), ("redo", .redo, .everything),
      ("undo named", .undo, .named), ("redo named", .redo, .named),
    ] as [(String, UndoDirection, UndoScope)] {
      guard let change = nextChange(direction, scope) else { continue }
      lines[0] += ", \(word): \(change)"
    }
    lines.append(
      "\(count(snapshot.itemCount, "item")) in \(count(snapshot.order.count, "section"))")
    let sections = describe(snapshot)
    lines += sections
    if snapshot.order.count > sections.count {
      lines.append("  … \(snapshot.order.count - sections.count) more")
    }
    lines += subscribers.prefix(5).map { "subscriber: \($0)" }
    if subscribers.count > 5 { lines.append("… \(subscribers.count - 5) more subscribers") }
    lines.append("\(metrics)")
    return lines.joined(separator: "\n")
  }
}

/// Measures the time since it was made.
package enum Stopwatch: Sendable {
  /// Most sources have the usual clock, which needs no closure.
  case continuous(since: ContinuousClock.Instant)
  case other(elapsed: @Sendable () -> Duration)

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

extension SubscriptionMachine {
  /// The metrics, including the current subscribers.
  var presentMetrics: DataSourceMetrics {
    var metrics = metrics
    let population = population
    (metrics.subscribers, metrics.waitingSubscribers) = (population.subscribers, population.waiting)
    return metrics
  }

  /// One line for each subscriber: its policy, its revision, and whether it waits.
  ///
  /// The text is made inside the lock, but that runs no user code.
  var subscriberLines: [String] {
    Array(cursors).sortedIfNeeded { Int($0.key.number) }.map { _, cursor in
      let place = cursor.taken.map { "at \($0.revision)" } ?? "not started"
      let behind = cursor.taken.map { revision.number - $0.revision.number } ?? 0
      return "\(cursor.policy), \(place)" + (behind > 0 ? ", \(behind) behind" : "")
        + (cursor.waiters.isEmpty ? "" : ", waiting")
    }
  }

  /// The current number of subscribers and of waiting tasks.
  var population: Population {
    Population(
      subscribers: cursors.count,
      waiting: cursors.values.reduce(0) { $0 + $1.waiters.count },
      settling: settlings.count)
  }
}

/// How many subscribers a source has, and how many tasks wait.
package struct Population: Hashable, Sendable {
  /// Streams that are held and have not ended.
  package internal(set) var subscribers = 0
  /// Tasks that wait for a batch.
  package internal(set) var waiting = 0
  /// Tasks that wait until others have received a revision.
  package internal(set) var settling = 0

  package init(subscribers: Int = 0, waiting: Int = 0, settling: Int = 0) {
    self.subscribers = subscribers
    self.waiting = waiting
    self.settling = settling
  }
}
