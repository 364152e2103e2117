import Diffable

@testable import DiffableEngine

/// The machine as the explorer drives it: a state is its revision's number, notes are the numbers of
/// the revisions they come from, and who waits is known by its place in the schedule.
typealias SoundMachine = SubscriptionMachine<Int, [Int], Waiter, Waiter>
typealias Step = Transition<Int, [Int]>

/// A process at an operation of its program.
struct Waiter: Hashable, Sendable {
  let process: Int
  let operation: Int
}

/// The events that the explorer sends, so that a machine with a defect can stand in for the real one.
protocol MachineUnderTest {
  mutating func subscribe(_ policy: UpdatePolicy, after revision: Revision?) -> CursorID
  mutating func begin(
    _ id: CursorID, task: TaskIdentity?
  ) -> (answer: SoundMachine.Answer, actions: SoundMachine.Actions)
  mutating func poll(_ id: CursorID) -> (transition: Step?, actions: SoundMachine.Actions)
  mutating func rest(_ id: CursorID) -> SoundMachine.Actions
  mutating func wait(_ id: CursorID, waiter: Waiter) -> SoundMachine.Actions
  mutating func drop(_ id: CursorID) -> SoundMachine.Actions
  mutating func publish(
    state: Int, notes: [Int]?, presentation: Presentation, kind: RevisionKind
  ) -> SoundMachine.Actions
  func reversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> SoundMachine.History.Reversible?
  mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection)
  mutating func groupUndo(since revision: Revision, by author: String?)
  mutating func joined(
    _ request: SoundMachine.History.JoinRequest, notes: [Int], presentation: Presentation
  ) -> SoundMachine.Actions
  mutating func finish() -> SoundMachine.Actions
  mutating func close() -> SoundMachine.Actions
  mutating func settle(
    _ target: Revision, id: SettlingID, task: TaskIdentity?, waiter: Waiter, isCancelled: Bool
  ) -> SoundMachine.Actions
  mutating func cancelSettling(_ id: SettlingID) -> SoundMachine.Actions
}

extension SubscriptionMachine: MachineUnderTest
where State == Int, Notes == [Int], Waiter == DiffableTests.Waiter, SettledWaiter == Waiter {
  mutating func publish(
    state: Int, notes: [Int]?, presentation: Presentation, kind: RevisionKind
  ) -> SoundMachine.Actions {
    publish(
      state: state, notes: notes, presentation: presentation, kind: kind, replacedBytes: 0)
  }

  func reversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> SoundMachine.History.Reversible? {
    history.reversible(direction, scope)
  }

  mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    history.passOver(revisions, direction)
  }

  mutating func groupUndo(since revision: Revision, by author: String?) {
    history.groupUndo(since: revision, by: author)
  }
}
