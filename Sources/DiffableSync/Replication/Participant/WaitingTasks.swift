/// Tasks that wait for something that their actor does.
///
/// Only the actor that owns it uses it. It is a class, so that no task is resumed inside an exclusive
/// access: an executor of the user may run code then.
final class WaitingTasks {
  typealias Continuation = CheckedContinuation<Bool, Never>

  private var waiters: [(number: UInt64, continuation: Continuation)] = []
  private var last: UInt64 = 0

  func makeNumber() -> UInt64 {
    last += 1
    return last
  }

  func wait(_ number: UInt64, _ continuation: Continuation) {
    waiters.append((number, continuation))
  }

  /// Wakes the task that has waited longest; `false` if there is none.
  func wakeFirst() -> Bool {
    guard !waiters.isEmpty else { return false }
    waiters.removeFirst().continuation.resume(returning: true)
    return true
  }

  func wakeAll() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.continuation.resume(returning: true) }
  }

  /// Wakes a task that was cancelled, if it still waits.
  func cancel(_ number: UInt64) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }
}
