/// The rules by which revisions reach subscribers, without any concurrency.
///
/// An event is a method call. It adds to ``Actions`` that the caller has to perform, and may return a
/// transition for the subscriber that requested it. The machine itself performs nothing: it resumes
/// no task, releases no state, and never reads a state, a note or a waiter. So it can run inside a
/// lock, and a test can drive it through every order of events.
///
/// - `State` is the state of a revision, `Notes` are its notes.
/// - `Waiter` waits for a transition, `SettledWaiter` waits for others to have taken one.
struct SubscriptionMachine<
  State: Sendable, Notes: Sendable, Waiter: Sendable, SettledWaiter: Sendable
>: Sendable {
  typealias Stop = Transition<State, Notes>.Stop
  typealias History = RevisionHistory<State, Notes>

  /// What the caller has to do after the event, outside of any lock.
  struct Actions: Sendable {
    /// Waiters to resume, with a transition, or without one at the end of the stream or when woken.
    var resumed: [(waiter: Waiter, transition: Transition<State, Notes>?)] = []
    /// Waiters to resume that waited for others.
    var settled: [SettledWaiter] = []
    /// States and notes that the machine no longer holds.
    var released = History.Released()
  }

  /// The response to a subscriber that requests its next transition.
  enum Answer: Sendable {
    case transition(Transition<State, Notes>)
    case ended
    /// Somebody woke the subscriber; there is nothing yet.
    case woken
    /// There is nothing yet: make a waiter and call ``wait(_:waiter:_:)``.
    case wait
  }

  /// One subscriber.
  struct Cursor: Sendable {
    let policy: UpdatePolicy
    /// The revision delivered last, with its state; `nil` before the first one.
    var taken: Stop?
    /// The state delivered before that.
    ///
    /// It is held one step longer than needed. By then the renderer has released it, so the last
    /// release does not happen in the renderer.
    var previous: State?
    /// Whether it has requested a transition, and has not said since that it rests.
    ///
    /// Only such a subscriber keeps a task waiting in `settled`.
    var hasAsked = false
    /// The task of the last request.
    var task: TaskIdentity?
    /// Waiters for the next transition: more than one if tasks share the stream.
    var waiters: [Waiter] = []
    /// Whether the next request is answered without a transition, if there is none.
    var isWoken = false
    /// The revision of the last transition, as long as a throttled subscriber must not be served again.
    var pause: Revision?
    /// Waiters for the end of that interval: of tasks that share the stream, the one whose turn it is.
    var pausing: [Waiter] = []
  }

  /// The subscribers.
  ///
  /// What happens to one of them looks it up once.
  typealias Cursors = [CursorID: Cursor]

  /// A task that waits until others have taken a revision.
  struct Settling: Sendable {
    let id: SettlingID
    let revision: Revision
    let task: TaskIdentity?
    let waiter: SettledWaiter
    /// The subscribers that it still waits for.
    var open: Set<CursorID>
  }

  /// How far the source has come.
  enum Phase: Sendable {
    case open
    /// Nothing is published any more; subscribers take the last state.
    case finished
    /// The source is gone. The history is only read for what subscribers still have to take.
    case closed
  }

  var history: History
  var phase = Phase.open
  var isFinished: Bool { phase != .open }
  var cursors: Cursors = [:]
  /// The cursors that have waiters.
  var waiting: Set<CursorID> = []
  var settlings: [Settling] = []
  var lastID: UInt64 = 0
  var metrics = DataSourceMetrics()

  /// Starts at revision 0.
  ///
  /// - Parameters:
  ///   - historyLength: The number of revisions kept besides the live one.
  ///   - historyBytes: The number of bytes that they may hold.
  ///   - empty: The state of revision 0.
  ///   - notesPerGroup: The number of notes that may pile up for a subscriber older than the
  ///     history before the writer is asked to join them.
  init(
    historyLength: Int, historyBytes: Int = .max, empty: State, notesPerGroup: Int = 16
  ) {
    history = History(
      length: historyLength, byteLimit: historyBytes, empty: empty, notesPerGroup: notesPerGroup)
  }

  /// The live revision.
  var revision: Revision { history.live }

  /// The state of a revision, or `nil` if the history does not have it.
  func state(at revision: Revision) -> State? { history.stop(at: revision)?.state }

  /// The number of the next subscriber, or of the next task that waits in `settled`.
  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }
}

/// The name of a subscriber.
package struct CursorID: Hashable, Sendable {
  let number: UInt64
}

/// The name of a task that waits in `settled`.
package struct SettlingID: Hashable, Sendable {
  let number: UInt64
}

extension SubscriptionMachine {
  /// Adds a subscriber.
  ///
  /// - Parameter revision: The revision that it already shows. If the history does not have it,
  ///   the subscriber starts from scratch.
  mutating func subscribe(_ policy: UpdatePolicy, after revision: Revision?) -> CursorID {
    defer { _checkInvariants() }
    let id = CursorID(number: makeID())
    var cursor = Cursor(policy: policy)
    if let revision, let stop = history.stop(at: revision) {
      cursor.taken = stop
      history.arrive(at: revision)
    }
    cursors[id] = cursor
    return id
  }

  /// The first half of requesting the next transition: takes one if there is one.
  mutating func begin(
    _ id: CursorID, task: TaskIdentity?, _ actions: inout Actions
  ) -> Answer {
    guard let place = cursors.index(forKey: id) else { return .ended }
    cursors.values[place].hasAsked = true
    cursors.values[place].task = task
    return answer(id, at: place, &actions)
  }

  /// What a subscriber gets that requests a transition now.
  private mutating func answer(
    _ id: CursorID, at place: Cursors.Index, _ actions: inout Actions
  ) -> Answer {
    if let transition = take(place, &actions) { return .transition(transition) }
    if isFinished {
      drop(id, &actions)
      return .ended
    }
    defer { cursors.values[place].isWoken = false }
    return cursors.values[place].isWoken ? .woken : .wait
  }

  /// Lets a subscriber that waits go on without a transition, or else the next request of it.
  mutating func wake(_ id: CursorID, _ actions: inout Actions) {
    guard let cursor = cursors[id] else { return }
    guard cursor.waiters.isEmpty else {
      actions.resumed += cursor.waiters.map { ($0, nil) }
      cursors[id]?.waiters = []
      waiting.remove(id)
      return
    }
    actions.resumed += cursor.pausing.map { ($0, nil) }
    cursors[id]?.pausing = []
    cursors[id]?.isWoken = true
  }

  /// The second half: tries again, since anything may have happened, and otherwise waits.
  mutating func wait(_ id: CursorID, waiter: Waiter, _ actions: inout Actions) {
    guard let place = cursors.index(forKey: id) else {
      return actions.resumed.append((waiter, nil))
    }
    switch answer(id, at: place, &actions) {
    case .transition(let transition): actions.resumed.append((waiter, transition))
    case .ended, .woken: actions.resumed.append((waiter, nil))
    case .wait:
      cursors.values[place].waiters.append(waiter)
      waiting.insert(id)
    }
  }

  /// Removes a subscriber, and ends the waits for it; returns whether it was there.
  @discardableResult
  mutating func drop(_ id: CursorID, _ actions: inout Actions) -> Bool {
    guard let cursor = cursors.removeValue(forKey: id) else { return false }
    waiting.remove(id)
    if let taken = cursor.taken {
      history.leave(taken.revision, &actions.released)
      actions.released.states.append(taken.state)
    }
    if let previous = cursor.previous { actions.released.states.append(previous) }
    actions.resumed += (cursor.waiters + cursor.pausing).map { ($0, nil) }
    settle(id, at: nil, &actions)
    releaseIfClosed(&actions)
    return true
  }
}

extension SubscriptionMachine {
  /// Requests a transition without waiting: takes one if it leads to a single revision.
  ///
  /// Nothing has to be computed for such a transition. Otherwise the cursor stays where it is. A
  /// subscriber that only polls keeps no task waiting, since nothing says when it polls again.
  mutating func poll(_ id: CursorID, _ actions: inout Actions) -> Transition<State, Notes>? {
    guard let place = cursors.index(forKey: id) else { return nil }
    if let taken = cursors.values[place].taken, taken.revision.next != revision { return nil }
    return take(place, &actions)
  }

  /// Records that a subscriber keeps no task waiting until it requests a transition again.
  mutating func rest(_ id: CursorID, _ actions: inout Actions) {
    guard cursors[id] != nil else { return }
    cursors[id]?.hasAsked = false
    settle(id, at: nil, &actions)
  }

  /// Waits until every subscriber that is present now has taken a revision.
  ///
  /// A subscriber is present if it has requested a transition before, and does not rest. A
  /// subscriber whose own task waits is exempt: it could never take anything, and two that wait for
  /// each other would wait forever.
  mutating func settle(
    _ target: Revision, id: SettlingID, task: TaskIdentity?, waiter: SettledWaiter,
    isCancelled: Bool, _ actions: inout Actions
  ) {
    guard !isFinished, !isCancelled else { return actions.settled.append(waiter) }
    var settling = Settling(id: id, revision: target, task: task, waiter: waiter, open: [])
    for (id, cursor) in cursors where cursor.hasAsked {
      guard let taken = cursor.taken, taken.revision < target else { continue }
      settling.open.insert(id)
    }
    settlings.append(settling)
    // From now on, no wait counts the subscriptions of the newly waiting task. Subscriptions of
    // tasks that already wait never counted for the new wait.
    let asleep = Set(settlings.compactMap(\.task))
    let exempt = cursors.filter { cursor in
      cursor.value.task.map(asleep.contains) ?? false
    }.keys
    for index in settlings.indices { settlings[index].open.subtract(exempt) }
    resumeSettled(&actions)
  }

  /// Gives up waiting.
  ///
  /// Does nothing if the wait has ended, or not begun.
  mutating func cancelSettling(_ id: SettlingID, _ actions: inout Actions) {
    guard let index = settlings.firstIndex(where: { $0.id == id }) else { return }
    actions.settled.append(settlings.remove(at: index).waiter)
  }

  /// Records that a subscriber has taken a revision or, for `nil`, has ended or rests.
  mutating func settle(_ id: CursorID, at revision: Revision?, _ actions: inout Actions) {
    guard !settlings.isEmpty else { return }
    for index in settlings.indices {
      if let revision, revision < settlings[index].revision { continue }
      settlings[index].open.remove(id)
    }
    resumeSettled(&actions)
  }

  private mutating func resumeSettled(_ actions: inout Actions) {
    actions.settled += settlings.filter(\.open.isEmpty).map(\.waiter)
    settlings.removeAll(where: \.open.isEmpty)
  }
}

/// Tells tasks apart, also from those that have ended.
///
/// A task has no name that lasts: when it ends, the next one may get its address, and with that the hash
/// and the equality of its `UnsafeCurrentTask`. The runtime counts tasks, though, and never uses a number
/// twice: it prints them in the descriptions of jobs.
package struct TaskIdentity: Hashable, Sendable {
  let number: UInt64

  /// The identity of the running task; `nil` outside of tasks.
  package static var current: TaskIdentity? {
    withUnsafeCurrentTask { task in
      // An `UnsafeCurrentTask` is the reference to the task, and it is valid here, as the task runs.
      task.map { TaskIdentity(number: runtimeNumber(unsafeBitCast($0, to: UnsafeRawPointer.self))) }
    }
  }
}

/// `uint64_t swift_task_getJobTaskId(Job *)` of the runtime, for the job of a task.
@_silgen_name("swift_task_getJobTaskId")
private func runtimeNumber(_ task: UnsafeRawPointer) -> UInt64
