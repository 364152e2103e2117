import Diffable

/// The writes of a source that have not ended, and the time that each has left.
///
/// Only the actor that owns it uses it. It is a class, so that the clock, which may be the user's, is not
/// asked inside an exclusive access.
final class WriteLimits {
  private struct Write {
    let number: UInt64
    let limit: Duration
    let elapsed: Stopwatch
  }

  /// In the order in which they began.
  private var writes: [Write] = []

  func begin(_ number: UInt64, _ limit: Duration, _ elapsed: Stopwatch) {
    writes.append(Write(number: number, limit: limit, elapsed: elapsed))
  }

  func end(_ number: UInt64) {
    writes.removeAll { $0.number == number }
  }

  /// The time that a write has left; `nil` if it has no limit.
  func remaining(_ number: UInt64) -> Duration? {
    writes.first { $0.number == number }.map { $0.limit - $0.elapsed() }
  }

  func isLate(_ number: UInt64) -> Bool {
    remaining(number).map { $0 <= .zero } ?? false
  }

  /// The writes that must end now, and the time until the next one must.
  func look() -> (late: [UInt64], next: Duration?) {
    let remaining = writes.map { ($0.number, $0.limit - $0.elapsed()) }
    return (
      remaining.filter { $0.1 <= .zero }.map(\.0),
      remaining.lazy.map(\.1).filter { $0 > .zero }.min()
    )
  }
}

extension ReplicatedSource {
  /// Lets a write end when its time is over.
  func limit(_ number: UInt64) {
    limits.begin(number, options.timeLimit, list.core.hub.startTimer())
    guard watching == nil else { return }
    // Detached: it watches the writes of all, and the first must not pass on its priority or its
    // task-local values.
    watching = Task.detached { [weak self, clock] in
      while let pause = await self?.endLateWrites() {
        guard (try? await clock.sleep(for: pause)) != nil else { return }
      }
    }
  }

  /// Wakes the writes whose time is over.
  ///
  /// - Returns: The time until the next one has to be woken; `nil` if there is none.
  private func endLateWrites() -> Duration? {
    let (late, next) = limits.look()
    if next == nil { watching = nil }
    guard !late.isEmpty else { return next }
    for number in late { turns.leave(number) }
    if let writing, late.contains(writing) { asking?.cancel() }
    waiting.wake()
    return next
  }
}
