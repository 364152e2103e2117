import Synchronization

/// Connects a source with its subscribers: the subscription machine in a lock.
///
/// Neither the hub nor the machine knows the types of identifiers. That keeps the critical sections
/// short, since code that is generic over them costs several times as much. The mutable state of a
/// data source is protected as follows:
///
/// | state | protector |
/// | --- | --- |
/// | live state, revision, flags (``SourceCore``) | the actor that owns it |
/// | history, cursors, waiters (``SubscriptionMachine``) | the lock in ``Hub`` |
/// | differences being computed (``DifferenceMemo``) | that actor |
/// | value of a ``Handover`` or a ``Promise`` | the lock in it |
/// | connection to a followed source (``Upstream``) | the lock in it |
/// | enqueued writes (``WriteQueue``) | one atomic word |
///
/// The lock is not part of the actor for two reasons. Cancellation, unsubscribing and a slow
/// subscriber must not have to wait until a long apply is over. And streams can hold the hub alone,
/// so they end when the owner drops the source.
///
/// Inside a lock nothing is compared, hashed, released, resumed or completed: all of that can run
/// user code, and taking a second lock in the same thread is a crash. Events return actions, which
/// are performed after unlocking (see `Hub+Actions.swift`).
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
  let memo = DifferenceMemo()
  package let clock: any Clock<Duration>
  /// Whether the clock is the usual one, which each edit would ask otherwise.
  let hasContinuousClock: Bool
  package let observer: DataSourceObserver?
  /// The source that this one follows, if any.
  package let upstream: Upstream?
  private let machine: Lock<Machine>
  /// Not among the other metrics: tasks that enqueue must not contend for a lock.
  let superseded = Atomic<Int>(0)

  init(_ options: SourceOptions, empty: RevisionState, upstream: Upstream?) {
    self.upstream = upstream
    epoch = options.epoch ?? Epoch()
    machine = Lock(Machine(historyLength: options.history, empty: empty))
    clock = options.clock
    hasContinuousClock = clock is ContinuousClock
    observer = options.observer
  }

  /// Lets the machine process an event or a query; the only critical section of the hub.
  ///
  /// - Parameter body: Runs inside the lock, so it may only call the machine: see the rule above.
  package func withMachine<Result: Sendable>(_ body: (inout Machine) -> Result) -> Result {
    machine.withLock { body(&$0) }
  }
}
