/// Lets several tasks on the main actor take turns, in the order of their requests.
@MainActor
final class Turns {
  private var isTaken = false
  private var waiting: [(number: Int, turn: CheckedContinuation<Bool, Never>)] = []
  private var count = 0

  /// Waits for the turn.
  ///
  /// The task that has the turn passes it on.
  func take() async {
    if takeIfFree() { return }
    _ = await wait(makeNumber())
  }

  /// Waits for the turn until the task is cancelled, or ``leave(_:)`` is called.
  ///
  /// - Parameter number: A number of ``makeNumber()``, for the call of ``leave(_:)``.
  /// - Returns: Whether the task has the turn.
  func take(_ number: Int) async -> Bool {
    guard !Task.isCancelled else { return false }
    if takeIfFree() { return true }
    return await withTaskCancellationHandler {
      await wait(number)
    } onCancel: {
      Task { @MainActor [weak self] in self?.leave(number) }
    }
  }

  func makeNumber() -> Int {
    count += 1
    return count
  }

  private func wait(_ number: Int) async -> Bool {
    await withCheckedContinuation { waiting.append((number, $0)) }
  }

  /// Ends the wait of a task that no longer wants its turn, if it is still waiting.
  func leave(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).turn.resume(returning: false)
  }

  /// Takes the turn if it is free.
  func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// Passes the turn to the task that has waited longest.
  func pass() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().turn.resume(returning: true)
    }
  }
}
