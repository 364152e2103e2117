/// Lets one of several tasks on the main actor do something at a time, in the order they came.
@MainActor
struct Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Takes the turn, if it is free.
  mutating func take() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// Is resumed with the turn.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiting.append(continuation)
  }

  /// Passes the turn to whoever has waited longest.
  mutating func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
