/// Lets one of several tasks on the main actor do something at a time, in the order they came.
@MainActor
final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits for the turn.
  ///
  /// Whoever has it passes it on.
  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Takes the turn if nobody has it.
  func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// Passes the turn to whoever has waited longest.
  func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
