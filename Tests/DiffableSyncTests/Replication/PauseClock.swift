import ListSupport

@testable import Diffable

/// A clock that notes pauses, and does not make them; those of an hour or more do not end.
final class PauseClock: Clock {
  private let all = Lock<[Duration]>([])

  var pauses: [Duration] { all.withLock { $0 } }
  var now: ManualClock.Instant { ManualClock.Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    guard deadline.offset < .seconds(3_600) else {
      return try await ContinuousClock().sleep(for: deadline.offset)
    }
    try Task.checkCancellation()
    all.withLock { $0.append(deadline.offset) }
    await Task.yield()
  }
}
