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
/// | enqueued writes (`WriteQueue`) | the lock in it |
///
/// The lock is not part of the actor for two reasons. Cancellation, unsubscribing and a slow
/// subscriber must not have to wait until a long apply is over. And streams can hold the hub alone,
/// so they end when the owner drops the source.
///
/// Inside a lock nothing is compared, hashed, released, resumed or completed: all of that can run
/// user code, and taking a second lock in the same thread is a crash. Events leave actions, which
/// are performed after unlocking (see ``process(releasing:_:)``).
///
/// The lock is taken in ``withMachine(_:)`` only.
package final class Hub: Sendable {
  typealias Waiter = CheckedContinuation<HubTransition?, Never>
  typealias SettledWaiter = CheckedContinuation<Void, Never>
  typealias Machine = SubscriptionMachine<
    RevisionState, any RevisionNotes, Waiter, SettledWaiter
  >
  package typealias Reversible = RevisionHistory<RevisionState, any RevisionNotes>.Reversible

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
  /// The number of revisions kept besides the live one.
  package let historyLength: Int
  /// The number of bytes that they may hold; `nil` for any number.
  package let historyBytes: Int?
  /// Whether the list goes on without this source: others show it, or it is opened again.
  let outlivesSource: Bool
  /// Not among the other metrics: tasks that enqueue must not contend for a lock.
  let superseded = Atomic<Int>(0)
  private let machine: Lock<Machine>

  package init(
    historyLength: Int, historyBytes: Int?, empty: RevisionState, epoch: Epoch?,
    clock: any Clock<Duration>, observer: DataSourceObserver?, upstream: Upstream?,
    outlivesSource: Bool = false
  ) {
    (self.upstream, self.outlivesSource) = (upstream, outlivesSource)
    self.epoch = epoch ?? Epoch()
    machine = Lock(
      Machine(historyLength: historyLength, historyBytes: historyBytes ?? .max, empty: empty))
    (self.historyLength, self.historyBytes) = (historyLength, historyBytes)
    self.clock = clock
    hasContinuousClock = clock is ContinuousClock
    self.observer = observer
  }

  /// Lets the machine answer a query, or process an event; the only critical section of the hub.
  ///
  /// - Parameter body: Runs inside the lock, so it may only call the machine: see the rule above.
  func withMachine<Result: Sendable>(_ body: (inout Machine) -> Result) -> Result {
    machine.withLock { body(&$0) }
  }
}

// Other modules ask the hub, and not the machine in it: they would call code that is generic over
// states.
extension Hub {
  /// The live revision.
  package var revision: Revision { withMachine { $0.revision } }

  /// The oldest revision that the history has.
  package var oldest: Int { withMachine { $0.history.oldest } }

  /// The state of the live revision; `nil` if it is gone with its source.
  package var liveState: RevisionState? { withMachine { $0.state(at: $0.revision) } }

  /// The current number of subscribers and of waiting tasks.
  ///
  /// - Complexity: O(k) for k subscribers.
  package var population: Population { withMachine { $0.population } }

  /// Whether there are subscribers.
  ///
  /// - Complexity: O(1).
  package var hasSubscribers: Bool { withMachine { !$0.cursors.isEmpty } }

  /// Whether a subscriber waits for a batch.
  ///
  /// - Complexity: O(1).
  package var isAwaited: Bool { withMachine { !$0.waiting.isEmpty } }

  /// The state of a revision, or `nil` if the history does not have it.
  package func state(at revision: Revision) -> RevisionState? {
    withMachine { $0.state(at: revision) }
  }

  /// The notes of the revisions after one that the history or a subscriber has.
  package func notes(after revision: Revision) -> [any RevisionNotes] {
    withMachine { $0.history.span(after: revision, through: $0.revision).notes }
  }

  /// Brings a reader without a cursor to the live revision.
  ///
  /// - Parameters:
  ///   - base: The revision where the reader is; `nil` if it begins.
  ///   - known: Revisions of which the reader knows what they say, in their order.
  /// - Returns: The strongest presentation and the notes of the other revisions since the base.
  package func read(
    after base: Revision?, except known: [Revision]
  ) -> (presentation: Presentation?, notes: [any RevisionNotes]) {
    process { $0.read(after: base, except: known, &$1) }
  }

  /// Lets a reader without a cursor go, from the revision where it is.
  package func endReading(at revision: Revision) {
    process(releasing: .elsewhere) { $0.history.leave(revision, &$1.released) }
  }

  /// The transition from one revision to a later one, if the history has both.
  package func transition(from base: Revision, to target: Revision) -> HubTransition? {
    withMachine { $0.transition(from: base, to: target) }
  }

  /// The transition from a subscriber's state to a later revision.
  ///
  /// It ends at the live revision if the history does not have the target, and is `nil` if the
  /// subscriber has no state yet.
  package func transition(of id: CursorID, through target: Revision) -> HubTransition? {
    withMachine { $0.transition(of: id, through: target) }
  }

  /// What undo or redo reverts next, or `nil` if there is nothing.
  package func reversible(_ direction: UndoDirection, _ scope: UndoScope) -> Reversible? {
    withMachine { $0.history.reversible(direction, scope) }
  }

  /// The changes of some revisions, newest first; `nil` if the history does not have one of them, or
  /// the state before it.
  package func reversal(of revisions: [Revision]) -> Reversible? {
    withMachine { $0.history.reversal(of: revisions) }
  }

  /// The change of a revision of this source.
  package func change(_ revision: Revision, named name: String?) -> UndoableChange {
    UndoableChange(revision: revision, name: name, of: epoch)
  }

  /// The change that some revisions make, for callers that do not need the states.
  package func change(_ found: Reversible) -> UndoableChange {
    change(found.revisions[0], named: found.name)
  }

  /// The change that undo or redo reverts next.
  package func nextChange(_ direction: UndoDirection, _ scope: UndoScope) -> UndoableChange? {
    reversible(direction, scope).map(change)
  }

  /// The change of a revision; `nil` if the history does not have it, or the state before it.
  package func change(of revision: Revision) -> UndoableChange? {
    reversal(of: [revision]).map(change)
  }

  /// Lets undo revert all changes since a revision as one step.
  ///
  /// - Parameter author: Whose undo it is; `nil` for the scopes of all writers.
  package func groupUndo(since revision: Revision, by author: String? = nil) {
    withMachine { $0.history.groupUndo(since: revision, by: author) }
  }

  /// Removes revisions from the stacks because their reversal changed nothing and made no revision.
  package func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    withMachine { $0.history.passOver(revisions, direction) }
  }

  /// The name of a revision of a kind: the name of what it reverts, or its own.
  package func name(of kind: RevisionKind) -> String? {
    withMachine { $0.history.name(of: kind) }
  }

  /// Ends the streams: those of waiting subscribers at once, the others after their last state.
  package func finish() { process(releasing: .elsewhere) { $0.finish(&$1) } }

  /// Finishes because the source is gone; drops states that no subscriber has to take.
  package func close() { process(releasing: .elsewhere) { $0.close(&$1) } }
}

/// The name of a hub in this process, which no other has while somebody holds it.
package final class HubName: Hashable, Sendable {
  package static func == (left: HubName, right: HubName) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

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
    let notesWeight = notes?.weight ?? 0
    let request = process {
      $0.metrics.changed += 1
      $0.metrics.writingTime.add(duration)
      return $0.publish(
        state: state, notes: notes, notesWeight: notesWeight, presentation: presentation,
        kind: kind, replacedBytes: replacedBytes, as: number, &$1)
    }
    guard let request, let first = request.notes.first else { return }
    var joined = first.joined(with: request.notes.dropFirst())
    let isReset = Presentation.isReset(byMarks: joined.markCount, weight: state.weight)
    if isReset { joined = joined.withoutMarks }
    // A subscriber can use the renames of items that it shows, and what was placed of them.
    if Presentation.areTooMany(renames: joined.rowNoteCount, weight: 0),
      let shown = withMachine({ $0.stateTaken(at: request.base) }),
      Presentation.areTooMany(renames: joined.rowNoteCount, weight: shown.weight)
    {
      joined = joined.withoutRowNotes(ofRowsMissingIn: shown.snapshot)
    }
    joined = joined.withoutOldProposals
    let weight = joined.weight
    process {
      $0.history.replaceNotes(
        request, by: joined, weight: weight,
        presentation: isReset ? .reset : .immediate, &$1.released)
    }
  }
}

extension Hub {
  /// Lets the machine process an event; then ends waits, and releases states and notes.
  ///
  /// - Parameters:
  ///   - place: Where they may be released. A subscriber can be dropped on the main actor, and the
  ///     last release of a large state takes milliseconds.
  ///   - event: Runs inside the lock, as in ``withMachine(_:)``.
  @discardableResult
  func process<Result: Sendable>(
    releasing place: ReleasePlace = .here,
    _ event: (inout Machine, inout Machine.Actions) -> Result
  ) -> Result {
    var actions = Machine.Actions()
    let result = withMachine { machine in
      defer { machine._checkInvariants() }
      return event(&machine, &actions)
    }
    for (waiter, transition) in actions.resumed {
      waiter.resume(returning: transition)
    }
    for waiter in actions.settled {
      waiter.resume()
    }
    if place == .elsewhere {
      let released = actions.released
      // A copy that stayed here could be released last, after the task that is meant to release it.
      actions.released = .init()
      let weight =
        released.states.reduce(0) { $0 + $1.weight } + released.notes.reduce(0) { $0 + $1.weight }
      releaseInTask(Handover(consume released), weight: weight)
    }
    return result
  }

  /// Where states and notes may be released.
  package enum ReleasePlace {
    /// The caller runs where a slow release delays no other work.
    case here
    /// The caller may run anywhere, including the main actor.
    case elsewhere
  }
}
