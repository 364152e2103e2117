import Synchronization

/// Connects a source with its subscribers: the subscription machine in a lock.
///
/// Neither the hub nor the machine knows the types of identifiers. That keeps the critical sections
/// short, since code that is generic over them costs several times as much. The mutable state of a
/// data source is protected as follows:
///
/// | state | protector |
/// | --- | --- |
/// | live state, revision, flags (`SourceCore`) | the actor that owns it |
/// | history, cursors, waiters (``SubscriptionMachine``) | the lock in ``Hub`` |
/// | differences being computed (``DifferenceMemo``) | that actor |
/// | value of a ``Handover`` or a ``Promise`` | the lock in it |
/// | connection to a followed source (``Upstream``) | the lock in it |
/// | enqueued writes (`WriteQueue`) | one atomic word |
///
/// The lock is not part of the actor for two reasons. Cancellation, unsubscribing and a slow
/// subscriber must not have to wait until a long apply is over. And streams can hold the hub alone,
/// so they end when the owner drops the source.
///
/// Inside a lock nothing is compared, hashed, released, resumed or completed: all of that can run
/// user code, and taking a second lock in the same thread is a crash. Events return actions, which
/// are performed after unlocking (see ``perform(_:releasing:)``).
///
/// The lock is taken in ``withMachine(_:)`` only.
package final class Hub: Sendable {
  package typealias Waiter = CheckedContinuation<HubTransition?, Never>
  package typealias SettledWaiter = CheckedContinuation<Void, Never>
  package typealias Machine = SubscriptionMachine<
    RevisionState, any RevisionNotes, Waiter, SettledWaiter
  >

  /// The epoch of the revisions in the history.
  ///
  /// It never changes, so it needs no protection.
  package let epoch: Epoch
  package let memo = DifferenceMemo()
  /// What tells the hub from all others, for those who must not hold it.
  package let name = HubName()
  package let clock: any Clock<Duration>
  /// Whether the clock is the usual one, which each edit would ask otherwise.
  let hasContinuousClock: Bool
  package let observer: DataSourceObserver?
  /// The source that this one follows, if any.
  package let upstream: Upstream?
  /// Whether the bytes of revisions are limited.
  package let countsBytes: Bool
  private let machine: Lock<Machine>
  /// Not among the other metrics: tasks that enqueue must not contend for a lock.
  let superseded = Atomic<Int>(0)

  package init(
    historyLength: Int, historyBytes: Int?, empty: RevisionState, epoch: Epoch?,
    clock: any Clock<Duration>, observer: DataSourceObserver?, upstream: Upstream?
  ) {
    self.upstream = upstream
    self.epoch = epoch ?? Epoch()
    machine = Lock(
      Machine(historyLength: historyLength, historyBytes: historyBytes ?? .max, empty: empty))
    countsBytes = historyBytes != nil
    self.clock = clock
    hasContinuousClock = clock is ContinuousClock
    self.observer = observer
  }

  /// Lets the machine process an event or a query; the only critical section of the hub.
  ///
  /// - Parameter body: Runs inside the lock, so it may only call the machine: see the rule above.
  package func withMachine<Result: Sendable>(_ body: (inout Machine) -> Result) -> Result {
    machine.withLock { body(&$0) }
  }
}

/// The name of a hub in this process: its address, while somebody holds it.
package final class HubName: Sendable {}

extension Hub {
  /// Makes a state the live one and sends it to the tasks that wait.
  ///
  /// It also joins notes if too many have piled up for a subscriber.
  ///
  /// - Parameters:
  ///   - state: The state after a change.
  ///   - notes: The notes of the revision.
  ///   - presentation: How to show it.
  ///   - kind: Whether it is a new change or reverts one.
  ///   - replacedBytes: The bytes that the previous state holds and this one does not.
  ///   - duration: The time that the change took, for the metrics.
  ///   - number: The revision of the state, if it is not the next one.
  package func publish(
    _ state: RevisionState, notes: (any RevisionNotes)?, presentation: Presentation,
    kind: RevisionKind, replacedBytes: Int = 0, duration: Duration, as number: Revision? = nil
  ) {
    let actions = withMachine {
      $0.metrics.changed += 1
      $0.metrics.writingTime.add(duration)
      return $0.publish(
        state: state, notes: notes, presentation: presentation, kind: kind,
        replacedBytes: replacedBytes, as: number)
    }
    perform(actions, releasing: .here)
    guard let request = actions.join, let first = request.notes.first else { return }
    var joined = first.joined(with: request.notes.dropFirst())
    let isReset = Presentation.isReset(byMarks: joined.markCount, weight: state.weight)
    if isReset { joined = joined.withoutMarks }
    perform(
      withMachine {
        $0.joined(request, notes: joined, presentation: isReset ? .reset : .immediate)
      }, releasing: .here)
  }
}

extension Hub {
  /// Performs the actions of an event: ends waits, then releases states and notes.
  ///
  /// - Parameter place: Where they may be released. A subscriber can be dropped on the main
  ///   actor, and the last release of a large state takes milliseconds.
  package func perform(_ actions: consuming Machine.Actions, releasing place: ReleasePlace) {
    let released = actions.released
    actions.released = .init()
    for (waiter, transition) in actions.resumed {
      waiter.resume(returning: transition)
    }
    for waiter in actions.settled {
      waiter.resume()
    }
    if place == .elsewhere {
      let weight =
        released.states.reduce(0) { $0 + $1.weight } + released.notes.reduce(0) { $0 + $1.weight }
      releaseInTask(Handover(consume released), weight: weight)
    }
  }

  /// Where states and notes may be released.
  package enum ReleasePlace {
    /// The caller runs where a slow release delays no other work.
    case here
    /// The caller may run anywhere, including the main actor.
    case elsewhere
  }
}
