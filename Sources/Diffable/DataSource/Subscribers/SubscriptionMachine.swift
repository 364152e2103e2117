/// The rules by which revisions reach subscribers, without any concurrency.
///
/// An event goes in by calling a method; what has to be done comes out as ``Actions``, or as a
/// transition for whoever asked. The machine does nothing itself: it resumes nobody, releases no
/// state, and never looks into a state, a note or a waiter. So it can run inside a lock, and a test
/// can drive it through every order of events.
///
/// - `State` is a revision's state, `Notes` what travels with a revision besides.
/// - `Waiter` is who waits for a transition, `SettledWaiter` who waits for others to have taken one.
package struct SubscriptionMachine<
  State: Sendable, Notes: Sendable, Waiter: Sendable, SettledWaiter: Sendable
>: Sendable {
  typealias Stop = Transition<State, Notes>.Stop
  package typealias History = RevisionHistory<State, Notes>

  /// What the caller has to do after the event, outside of any lock.
  package struct Actions: Sendable {
    /// Who is to be resumed, with a transition or with the end of the stream.
    package var resumed: [(waiter: Waiter, transition: Transition<State, Notes>?)] = []
    /// Who waited for others and is to be resumed.
    package var settled: [SettledWaiter] = []
    /// States that nothing here holds any longer.
    package var released: [State] = []
    /// Notes that the writer should join.
    package var join: History.JoinRequest?

    package init() {}
  }

  /// What a subscriber that asks for its next transition is told.
  package enum Answer: Sendable {
    case transition(Transition<State, Notes>)
    case ended
    /// There is nothing yet: make a waiter and call ``wait(_:waiter:)``.
    case wait
  }

  /// One subscriber.
  struct Cursor: Sendable {
    let policy: UpdatePolicy
    /// The revision handed out last, with its state; `nil` before the first one.
    var taken: Stop?
    /// The state handed out before that.
    ///
    /// It is held one step longer than needed, so that a renderer has let go of it by the time it
    /// is released, and does not pay for the release.
    var previous: State?
    /// Whether it has ever asked.
    ///
    /// One that has not keeps nobody waiting.
    var hasAsked = false
    /// The task that asked last.
    var task: TaskIdentity?
    /// Who waits for the next transition: more than one if tasks share the stream.
    var waiters: [Waiter] = []
  }

  /// A task that waits until others have taken a revision.
  struct Settling: Sendable {
    let id: SettlingID
    let revision: Revision
    let task: TaskIdentity?
    let waiter: SettledWaiter
    /// The subscribers it still waits for.
    var open: Set<CursorID>
  }

  var history: History
  var isFinished = false
  /// Nothing will be read from the history but what subscribers still have to take.
  var isClosed = false
  var cursors: [CursorID: Cursor] = [:]
  /// The cursors that have waiters.
  var waiting: Set<CursorID> = []
  var settlings: [Settling] = []
  var lastID: UInt64 = 0
  var metrics = DataSourceMetrics()

  /// Starts at revision 0.
  ///
  /// - Parameters:
  ///   - historyLength: The number of revisions kept besides the live one.
  ///   - empty: The state of revision 0.
  ///   - notesPerGroup: How many notes may pile up for a subscriber that is behind the history,
  ///     before the writer is asked to join them.
  package init(historyLength: Int, empty: State, notesPerGroup: Int = 16) {
    history = History(length: historyLength, empty: empty, notesPerGroup: notesPerGroup)
  }

  /// The live revision.
  package var revision: Revision { history.live }

  /// The state that a revision was, or `nil` if the history does not have it.
  func state(at revision: Revision) -> State? { history.stop(at: revision)?.state }

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

  package init(number: UInt64) {
    self.number = number
  }
}

/// The name of a task that waits in `settled`.
package struct SettlingID: Hashable, Sendable {
  let number: UInt64

  package init(number: UInt64) {
    self.number = number
  }
}

/// Tells tasks apart.
///
/// A task that has ended may share its identity with a later one.
package struct TaskIdentity: Hashable, Sendable {
  let number: Int

  package init(number: Int) {
    self.number = number
  }
}
