import Diffable

/// The writes of a source that have not ended, and the time that each has left.
///
/// Only the actor that owns it uses it. It is a class, so that the clock, which may be the user's, is not
/// asked inside an exclusive access.
final class WriteLimits {
  private struct Write {
    let limit: Duration
    let elapsed: Stopwatch
    let waiting: WaitingTasks<Void>

    var remaining: Duration { limit - elapsed() }
  }

  private var writes: [UInt64: Write] = [:]

  /// - Parameter waiting: Wakes the writer.
  func begin(
    _ number: UInt64, _ limit: Duration, _ elapsed: Stopwatch, _ waiting: WaitingTasks<Void>
  ) {
    writes[number] = Write(limit: limit, elapsed: elapsed, waiting: waiting)
  }

  func end(_ number: UInt64) {
    writes[number] = nil
  }

  func isLate(_ number: UInt64) -> Bool {
    guard let write = writes[number] else { return false }
    return write.remaining <= .zero
  }

  /// Wakes the writers that must not wait any longer.
  ///
  /// - Returns: The time until the next one must not; `nil` if there is none.
  func wakeLateWriters() -> Duration? {
    let remaining = writes.values.map { ($0.waiting, $0.remaining) }
    for (waiting, remaining) in remaining where remaining <= .zero {
      waiting.wake(returning: false)
    }
    return remaining.lazy.map(\.1).filter { $0 > .zero }.min()
  }
}

extension ReplicatedSource {
  /// Lets a write end when its time is over.
  func limit(_ number: UInt64, _ waiting: WaitingTasks<Void>) {
    limits.begin(number, options.timeLimit, list.core.hub.startTimer(), waiting)
    guard watching == nil else { return }
    // Detached: it watches the writes of all, and the first must not pass on its priority or its
    // task-local values.
    watching = Task.detached { [weak self, clock] in
      while let pause = await self?.endLateWrites() {
        guard (try? await clock.sleep(for: pause)) != nil else { return }
      }
    }
  }

  /// Wakes the writers whose time is over, and returns the time until the next one's is.
  private func endLateWrites() -> Duration? {
    let next = limits.wakeLateWriters()
    if next == nil { watching = nil }
    return next
  }
}
