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
    var (metrics, population) = withMachine { ($0.metrics, $0.population) }
    (metrics.subscribers, metrics.waitingSubscribers) = (population.subscribers, population.waiting)
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
/// and another may be made. The only exceptions are events that an edit causes itself, such as that of
/// a write rejected as ``DataSourceError/reentrant``, or of a snapshot that it enqueues: they arrive
/// from inside the write.
public typealias DataSourceObserver = @Sendable (DataSourceEvent) -> Void

/// Why a data source rejected a change.
///
/// The source is unchanged when one is thrown.
public enum DataSourceError: Error, Hashable, Sendable {
  /// The snapshot, or the result of an update, is not valid.
  case invalidSnapshot(SnapshotError)
  /// Another writer changed the source after the revision that this writer had seen.
  case conflict(expected: Revision, actual: Revision)
  /// The history does not have, or no longer has, the revision that a change is based on.
  case unknownRevision(Revision)
  /// The task that requested the change was cancelled before the change began.
  case cancelled
  /// A change was requested from inside an `update` of the same source.
  case reentrant
  /// The source has finished.
  case finished
  /// A source was to follow itself, directly or through other sources.
  case followsItself
  /// The edit has thrown an error of its own, or the source could not make the change for a reason
  /// of its own, such as a log that does not answer.
  case failed(ChangeFailure)
}

/// An error of another type that has prevented a change.
public struct ChangeFailure: Error, Hashable, CustomStringConvertible {
  /// The error.
  public let error: any Error

  /// What the error says.
  public var description: String { String(describing: error) }

  /// Two failures are equal if they say the same.
  public static func == (one: Self, other: Self) -> Bool { one.description == other.description }

  /// Hashes what the error says.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension DataSourceError {
  /// The error of a source for something that a change has thrown.
  package static func of(_ error: any Error) -> Self {
    switch error {
    case let error as DataSourceError: error
    case let error as SnapshotError: .invalidSnapshot(error)
    default: .failed(ChangeFailure(error: error))
    }
  }
}

/// The result of something that may find a snapshot invalid.
package func checked<Result>(
  _ body: () throws(SnapshotError) -> Result
) throws(DataSourceError) -> Result {
  do throws(SnapshotError) {
    return try body()
  } catch {
    throw .invalidSnapshot(error)
  }
}

extension DataSourceError: CustomStringConvertible {
  /// Says what was wrong, where, that the source is unchanged, and what to do.
  public var description: String {
    switch self {
    case .invalidSnapshot(let error):
      error.description
    case .conflict(let expected, let actual):
      "The change was meant for revision \(expected.number), but the source is at revision "
        + "\(actual.number). Nothing was changed. Make the change again for the live state, or use "
        + "update, which no other writer can interrupt."
    case .unknownRevision(let revision):
      "The change is based on revision \(revision.number), which is not in the history. "
        + "Nothing was changed. Start from the live state, or keep a longer history."
    case .cancelled:
      "The task was cancelled before its change began. Nothing was changed."
    case .reentrant:
      "A change was requested from inside an update of the same source. "
        + "Nothing was changed by it. Edit the draft that the update passes to its closure."
    case .finished:
      "The data source has finished and accepts no more changes. Nothing was changed. "
        + "Make a new source, or finish this one later."
    case .followsItself:
      "The source would follow itself, directly or through sources that follow it. "
        + "Nothing was changed. Choose a base that is not derived from this source."
    case .failed(let failure):
      failure.description
    }
  }
}
