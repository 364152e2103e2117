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

extension SubscriptionMachine {
  /// Lets the machine process an event, as a hub does; returns also what is to be done then.
  mutating func process<Result>(
    _ event: (inout Self, inout Actions) -> Result
  ) -> (result: Result, actions: Actions) {
    defer { _checkInvariants() }
    var actions = Actions()
    let result = event(&self, &actions)
    return (result, actions)
  }
}

extension SubscriptionMachine
where State == Int, Notes == [Int], Waiter == DiffableTests.Waiter, SettledWaiter == Waiter {
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
