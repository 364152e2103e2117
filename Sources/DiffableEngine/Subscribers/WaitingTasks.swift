import Synchronization

/// Tasks that wait until another one wakes them, or until they are cancelled.
///
/// Each may have a goal: the revision that it waits for.
package final class WaitingTasks: Sendable {
  private typealias Waiter = (
    number: UInt64, goal: Revision, continuation: CheckedContinuation<Bool, Never>
  )

  private let state = Lock((waiters: [Waiter](), last: UInt64(0)))

  package init() {}

  package var isEmpty: Bool { state.withLock { $0.waiters.isEmpty } }

  /// A number for a task that is going to wait.
  package func makeNumber() -> UInt64 {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  /// Waits without giving up the actor before the task is registered.
  ///
  /// - Parameters:
  ///   - number: A number of ``makeNumber()``, for the call of ``cancel(_:)``.
  ///   - isCancellable: Whether the wait ends if the task is cancelled.
  /// - Returns: What the task is woken with; `false` if it was cancelled.
  package func wait(
    for goal: Revision = .empty, _ number: UInt64? = nil, isCancellable: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let number = number ?? makeNumber()
    return await withTaskCancellationHandler {
      // A closure that captures its actor stays on it, so nothing comes before the task is registered.
      _ = isolation
      return await withCheckedContinuation { continuation in
        // Cancellation is checked inside the lock. The flag is set before the handler runs, so
        // either this check sees it, or the handler finds the waiter that is registered here.
        let isCancelled = state.withLock { state in
          guard !isCancellable || !Task.isCancelled else { return true }
          state.waiters.append((number, goal, continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      if isCancellable { cancel(number) }
    }
  }

  /// Wakes the tasks that wait for some goals, or all.
  package func wake(
    returning result: Bool = true, where isReached: @Sendable (Revision) -> Bool = { _ in true }
  ) {
    for waiter in take(where: { isReached($0.goal) }) {
      waiter.continuation.resume(returning: result)
    }
  }

  /// Wakes the task that has waited longest; returns whether there is one.
  package func wakeFirst() -> Bool {
    let first = state.withLock { $0.waiters.isEmpty ? nil : $0.waiters.removeFirst() }
    first?.continuation.resume(returning: true)
    return first != nil
  }

  /// Wakes a task with `false`, if it still waits.
  package func cancel(_ number: UInt64) {
    take { $0.number == number }.first?.continuation.resume(returning: false)
  }

  /// Lets the tasks that wait here wait there, for another goal; none of them may be cancellable, as its number
  /// counts here.
  package func move(to other: WaitingTasks, for goal: Revision) {
    for waiter in take(where: { _ in true }) {
      other.state.withLock { $0.waiters.append((waiter.number, goal, waiter.continuation)) }
    }
  }

  private func take(where isTaken: (Waiter) -> Bool) -> [Waiter] {
    state.withLock { state in
      let taken = state.waiters.filter(isTaken)
      if !taken.isEmpty { state.waiters.removeAll(where: isTaken) }
      return taken
    }
  }
}

/// Lets the tasks of one actor take turns, in the order of their requests.
package final class Turns {
  private var isTaken = false
  private let waiting = WaitingTasks()

  package init() {}

  package func makeNumber() -> UInt64 { waiting.makeNumber() }

  /// Waits for the turn, which the task that has it passes on.
  package func take(isolation: isolated (any Actor)? = #isolation) async {
    if takeIfFree() { return }
    _ = await waiting.wait(isCancellable: false)
  }

  /// Waits for the turn until the task is cancelled, or ``leave(_:)`` is called.
  ///
  /// - Parameter number: A number of ``makeNumber()``, for the call of ``leave(_:)``.
  /// - Returns: Whether the task has the turn.
  package func take(
    _ number: UInt64, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    guard !Task.isCancelled else { return false }
    if takeIfFree() { return true }
    return await waiting.wait(number)
  }

  /// Ends the wait of a task that no longer wants its turn, if it is still waiting.
  package func leave(_ number: UInt64) { waiting.cancel(number) }

  /// Takes the turn if it is free.
  package func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// Passes the turn to the task that has waited longest.
  package func pass() { isTaken = waiting.wakeFirst() }
}
