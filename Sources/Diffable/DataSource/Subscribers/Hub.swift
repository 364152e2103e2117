import Synchronization

/// Where a source and its subscribers meet: the subscription machine behind a lock.
///
/// Neither the hub nor the machine knows the types of identifiers; that keeps the critical sections
/// short, since code that is generic over them costs several times as much. What each mutable state
/// of the data source is protected by:
///
/// | state | protector |
/// | --- | --- |
/// | live state, revision, flags (``SourceCore``) | the actor that owns it |
/// | history, cursors, waiters (``SubscriptionMachine``) | the lock in ``Hub`` |
/// | differences being computed (``DifferenceMemo``) | that actor |
/// | what a ``Handover`` or a ``Promise`` holds | the lock in it |
/// | what a source follows (``Upstream``) | the lock in it |
/// | enqueued writes (``WriteQueue``) | one atomic word |
///
/// The lock is not part of the actor, because cancellation, unsubscribing and a subscriber that is
/// behind must not have to wait until a long apply is over; and because streams may then hold the
/// hub alone, so that a source that its owner drops ends them.
///
/// Inside a lock nothing is compared, hashed, released, resumed or completed: all of that can run
/// code of the user, and a second lock in the same thread is a crash. Events return actions, and
/// those are performed after unlocking (see `Hub+Actions.swift`).
///
/// The lock is taken in ``withMachine(_:)`` only, and nothing else is in this file: thread sanitizers
/// do not see `Mutex` on Linux, and their false alarms are suppressed by the name of the file on the
/// stack. `Handover.swift`, `Promise.swift`, `Upstream.swift` and `LiveTable.swift` are such files as
/// well.
final class Hub: Sendable {
  typealias Waiter = CheckedContinuation<HubTransition?, Never>
  typealias SettledWaiter = CheckedContinuation<Void, Never>
  typealias Machine = SubscriptionMachine<
    any RevisionState, any RevisionNotes, Waiter, SettledWaiter
  >

  /// What the revisions of the history are of.
  ///
  /// It never changes, so it needs no protection.
  let epoch: Epoch
  let memo = DifferenceMemo()
  let clock: any Clock<Duration>
  let observer: DataSourceObserver?
  /// What the source follows, if it follows another one.
  let upstream: Upstream?
  private let machine: Mutex<Machine>
  /// Not among the other metrics: those who enqueue must not meet at a lock.
  let superseded = Atomic<Int>(0)

  init(
    historyLength: Int, epoch: Epoch, empty: any RevisionState, clock: any Clock<Duration>,
    observer: DataSourceObserver?, upstream: Upstream?
  ) {
    self.upstream = upstream
    self.epoch = epoch
    machine = Mutex(Machine(historyLength: historyLength, empty: empty))
    self.clock = clock
    self.observer = observer
  }

  /// Lets the machine deal with an event or a question; the one critical section of the hub.
  ///
  /// - Parameter body: Runs inside the lock, so it calls the machine and nothing else: see the rule
  ///   above.
  func withMachine<Result: Sendable>(_ body: (inout Machine) -> Result) -> Result {
    machine.withLock { body(&$0) }
  }
}
