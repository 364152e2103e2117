import Diffable

/// The writes of a source that have not ended, and the time that each has left.
///
/// Only the actor that owns it uses it. It is a class, so that the clock, which may be the user's, is not
/// asked inside an exclusive access.
final class WriteLimits {
  private struct Write {
    let limit: Duration
    let elapsed: Stopwatch

    var remaining: Duration { limit - elapsed() }
  }

  private var writes: [UInt64: Write] = [:]

  func begin(_ number: UInt64, _ limit: Duration, _ elapsed: Stopwatch) {
    writes[number] = Write(limit: limit, elapsed: elapsed)
  }

  func end(_ number: UInt64) {
    writes[number] = nil
  }

  func isLate(_ number: UInt64) -> Bool {
    guard let write = writes[number] else { return false }
    return write.remaining <= .zero
  }

  /// The writes whose time is over, and the time until that of the next one is; `nil` if there is none.
  func late() -> (numbers: [UInt64], next: Duration?) {
    let remaining = writes.mapValues(\.remaining)
    return (
      remaining.filter { $0.value <= .zero }.map(\.key),
      remaining.values.lazy.filter { $0 > .zero }.min()
    )
  }
}

extension ReplicatedSource {
  /// Lets a write end when its time is over.
  func limit(_ number: UInt64) {
    let (limit, elapsed) = (Swift.min(options.timeLimit, .longest), list.core.hub.startTimer())
    limits.begin(number, limit, elapsed)
    guard watching == nil else { return }
    // Detached: it watches the writes of all, and the first must not pass on its priority or its
    // task-local values. No other write is late before this one.
    watching = Task.detached { [weak self, clock] in
      var pause: Duration? = limit - elapsed()
      while let left = pause {
        guard (try? await clock.sleep(for: left)) != nil else { return }
        pause = await self?.endLateWrites()
      }
    }
  }

  /// Ends the writes whose time is over, and returns the time until the next one's is.
  private func endLateWrites() -> Duration? {
    let (late, next) = limits.late()
    for number in late { stop(number) }
    if next == nil { watching = nil }
    return next
  }
}
