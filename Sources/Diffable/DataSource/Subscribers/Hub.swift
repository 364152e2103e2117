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
/// | enqueued writes (``WriteQueue``) | one atomic word |
///
/// The lock is not part of the actor, because cancellation, unsubscribing and a subscriber that is
/// behind must not have to wait until a long apply is over; and because streams may then hold the
/// hub alone, so that a source that its owner drops ends them.
///
/// Inside a lock nothing is compared, hashed, released, resumed or completed: all of that can run
/// code of the user, and a second lock in the same thread is a crash. Events answer actions, and
/// those are performed after unlocking (see `Hub+Actions.swift`).
///
/// Every critical section of the module is in this file, and nothing else is: thread sanitizers
/// do not see `Mutex` on Linux, and their false alarms are suppressed by the name of this file.
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
  private let machine: Mutex<Machine>
  /// What the source follows, if it follows another one.
  private let upstream = Mutex<Upstream?>(nil)
  /// How many subscribers ask for a batch at this moment, where there is an upstream.
  private let asking = Atomic<Int>(0)
  /// Not among the other metrics: those who enqueue must not meet at a lock.
  private let superseded = Atomic<Int>(0)

  init(
    historyLength: Int, epoch: Epoch, empty: any RevisionState, clock: any Clock<Duration>,
    observer: DataSourceObserver?
  ) {
    self.epoch = epoch
    machine = Mutex(Machine(historyLength: historyLength, empty: empty))
    self.clock = clock
    self.observer = observer
  }

  // MARK: Events of the source

  func publish(
    state: any RevisionState, notes: (any RevisionNotes)?, presentation: Presentation,
    kind: RevisionKind, duration: Duration
  ) -> Machine.Actions {
    machine.withLock {
      $0.metrics.changed += 1
      $0.metrics.writingTime.add(duration)
      return $0.publish(state: state, notes: notes, presentation: presentation, kind: kind)
    }
  }

  func reversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> Machine.History.Reversible? {
    machine.withLock { $0.reversible(direction, scope) }
  }

  func passOver(_ revision: Revision, _ direction: UndoDirection) {
    machine.withLock { $0.passOver(revision, direction) }
  }

  func joined(
    _ request: Machine.History.JoinRequest, notes: any RevisionNotes, presentation: Presentation
  ) {
    machine.withLock { $0.joined(request, notes: notes, presentation: presentation) }
  }

  func finish() -> Machine.Actions {
    machine.withLock { $0.finish() }
  }

  func close() -> Machine.Actions {
    machine.withLock { $0.close() }
  }

  var liveRevision: Revision { machine.withLock { $0.revision } }

  func state(at revision: Revision) -> (any RevisionState)? {
    machine.withLock { $0.history.stop(at: revision)?.state }
  }

  /// The way from one revision to a later one, if the history has both.
  func transition(from base: Revision, to target: Revision) -> HubTransition? {
    machine.withLock { $0.transition(from: base, to: target) }
  }

  // MARK: Events of subscribers

  func subscribe(_ policy: UpdatePolicy, after revision: Revision?) -> CursorID {
    machine.withLock { $0.subscribe(policy, after: revision) }
  }

  func begin(
    _ id: CursorID, task: TaskIdentity?
  ) -> (answer: Machine.Answer, actions: Machine.Actions) {
    machine.withLock { $0.begin(id, task: task) }
  }

  /// The way from where a subscriber stands to a later revision, or to the live one.
  func transition(of id: CursorID, through target: Revision) -> HubTransition? {
    machine.withLock { $0.transition(of: id, through: target) }
  }

  func wait(_ id: CursorID, waiter: Waiter) -> Machine.Actions {
    machine.withLock { $0.wait(id, waiter: waiter) }
  }

  func drop(_ id: CursorID) -> (isGone: Bool, actions: Machine.Actions) {
    machine.withLock { machine in
      (machine.cursors[id] != nil, machine.drop(id))
    }
  }

  // MARK: Following another source

  /// Says what to do before a subscriber is served, and when there is none any longer.
  func follow(_ upstream: Upstream) {
    self.upstream.withLock { $0 = upstream }
  }

  /// What the source follows, if it follows another one.
  var followed: Upstream? { upstream.withLock { $0 } }

  /// Whether a subscriber asks for a batch at this moment, where there is an upstream.
  var isAsked: Bool { asking.load(ordering: .acquiring) > 0 }

  /// Says that a subscriber begins to ask, or ends.
  func note(asking change: Int) {
    asking.wrappingAdd(change, ordering: .acquiringAndReleasing)
  }

  // MARK: Events of those who wait for subscribers

  func makeSettlingID() -> SettlingID {
    machine.withLock { SettlingID(number: $0.makeID()) }
  }

  /// Cancellation is looked at inside the lock: it is set before its handler runs, so either this
  /// sees it, or the handler finds the waiter that is registered here.
  func settle(
    _ revision: Revision, id: SettlingID, task: TaskIdentity?, waiter: SettledWaiter
  ) -> Machine.Actions {
    machine.withLock {
      $0.settle(revision, id: id, task: task, waiter: waiter, isCancelled: Task.isCancelled)
    }
  }

  func cancelSettling(_ id: SettlingID) -> Machine.Actions {
    machine.withLock { $0.cancelSettling(id) }
  }

  // MARK: Events that are only counted

  func count(_ change: (inout DataSourceMetrics) -> Void) {
    machine.withLock { change(&$0.metrics) }
  }

  func supersede() {
    superseded.wrappingAdd(1, ordering: .relaxed)
  }

  var metrics: DataSourceMetrics {
    var metrics = machine.withLock { $0.presentMetrics }
    metrics.superseded = superseded.load(ordering: .relaxed)
    return metrics
  }

  /// What there is at this moment; the live state is gone with its source.
  var overview: HubOverview? {
    let superseded = superseded.load(ordering: .relaxed)
    return machine.withLock { machine in
      var metrics = machine.presentMetrics
      metrics.superseded = superseded
      return machine.history.stop(at: machine.revision).map { live in
        HubOverview(
          live: live, oldest: Revision(machine.history.oldest), isFinished: machine.isFinished,
          subscribers: machine.subscriberLines, metrics: metrics)
      }
    }
  }

  /// Who there is at this moment.
  var population: Population {
    machine.withLock { machine in
      Population(
        subscribers: machine.cursors.count,
        waiting: machine.cursors.values.reduce(0) { $0 + $1.waiters.count },
        settling: machine.settlings.count)
    }
  }
}

/// What a source follows, as its hub sees it.
struct Upstream: Sendable {
  /// Waits until the source shows what is followed.
  let catchUp: @Sendable () async -> Void
  /// Says that there is no subscriber any longer.
  let rest: @Sendable () -> Void

  init(catchUp: @escaping @Sendable () async -> Void, rest: @escaping @Sendable () -> Void) {
    (self.catchUp, self.rest) = (catchUp, rest)
  }
}

/// A value that is handed over for good: whoever takes it is the last to hold it.
///
/// A closure keeps what it captured until it is destroyed itself, which may happen on the thread
/// that made it. Whoever empties a handover decides where its contents are released.
package final class Handover<Value: Sendable>: Sendable {
  private let contents: Mutex<Value?>

  package init(_ value: consuming Value) {
    contents = Mutex(value)
  }

  /// The value, the first time.
  func take() -> Value? {
    contents.withLock { contents in
      let value = contents
      contents = nil
      return value
    }
  }
}

/// A value that is known later, once.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open(waiters: [CheckedContinuation<Value, Never>])
    case fulfilled(Value)
  }

  private let state = Mutex(State.open(waiters: []))

  /// Says what the value is; only the first word counts.
  func fulfil(_ value: Value) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard case .open(let waiters) = state else { return [] }
      state = .fulfilled(value)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  /// The value; waits until it is known.
  var value: Value {
    get async {
      await withCheckedContinuation { waiter in
        let known = state.withLock { state -> Value? in
          switch state {
          case .fulfilled(let value): return value
          case .open(let waiters):
            state = .open(waiters: waiters + [waiter])
            return nil
          }
        }
        if let known { waiter.resume(returning: known) }
      }
    }
  }
}
