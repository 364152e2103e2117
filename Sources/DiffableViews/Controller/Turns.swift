/// Lets several tasks on the main actor take turns, in the order of their requests.
@MainActor
final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits for the turn.
  ///
  /// The task that has the turn passes it on.
  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Takes the turn if it is free.
  func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// Passes the turn to the task that has waited longest.
  func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
