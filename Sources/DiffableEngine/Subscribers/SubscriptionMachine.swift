/// The rules by which revisions reach subscribers, without any concurrency.
///
/// An event is a method call. Its results are ``Actions`` for the caller to perform, or a
/// transition for the subscriber that requested it. The machine itself performs nothing: it resumes
/// no task, releases no state, and never reads a state, a note or a waiter. So it can run inside a
/// lock, and a test can drive it through every order of events.
///
/// - `State` is the state of a revision, `Notes` are its notes.
/// - `Waiter` waits for a transition, `SettledWaiter` waits for others to have taken one.
package struct SubscriptionMachine<
  State: Sendable, Notes: Sendable, Waiter: Sendable, SettledWaiter: Sendable
>: Sendable {
  typealias Stop = Transition<State, Notes>.Stop
  package typealias History = RevisionHistory<State, Notes>

  /// What the caller has to do after the event, outside of any lock.
  package struct Actions: Sendable {
    /// Waiters to resume, with a transition, or without one at the end of the stream or when woken.
    package var resumed: [(waiter: Waiter, transition: Transition<State, Notes>?)] = []
    /// Waiters to resume that waited for others.
    package var settled: [SettledWaiter] = []
    /// States and notes that the machine no longer holds.
    package var released = History.Released()
    /// Notes that the writer should join.
    package var join: History.JoinRequest?

    init() {}
  }

  /// The response to a subscriber that requests its next transition.
  package enum Answer: Sendable {
    case transition(Transition<State, Notes>)
    case ended
    /// Somebody woke the subscriber; there is nothing yet.
    case woken
    /// There is nothing yet: make a waiter and call ``wait(_:waiter:)``.
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
  }

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

  package var history: History
  var phase = Phase.open
  package var isFinished: Bool { phase != .open }
  var cursors: [CursorID: Cursor] = [:]
  /// The cursors that have waiters.
  package var waiting: Set<CursorID> = []
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
  package var revision: Revision { history.live }

  /// The state of a revision, or `nil` if the history does not have it.
  package func state(at revision: Revision) -> State? { history.stop(at: revision)?.state }

  /// The name of the next task that waits in `settled`.
  mutating func makeSettlingID() -> SettlingID { SettlingID(number: makeID()) }

  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }
}

/// The name of a subscriber.
package struct CursorID: Hashable, Sendable {
  let number: UInt64

  init(number: UInt64) {
    self.number = number
  }
}

/// The name of a task that waits in `settled`.
package struct SettlingID: Hashable, Sendable {
  let number: UInt64

  init(number: UInt64) {
    self.number = number
  }
}

/// Tells tasks apart.
///
/// A task that has ended may share its identity with a later one.
package struct TaskIdentity: Hashable, Sendable {
  let number: Int

  init(number: Int) {
    self.number = number
  }
}
