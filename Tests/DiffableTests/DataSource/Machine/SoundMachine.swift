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
