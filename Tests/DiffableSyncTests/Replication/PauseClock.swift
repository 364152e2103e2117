@testable import Diffable

/// A clock that notes pauses, and does not make them; those of an hour or more do not end.
final class PauseClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let all = Lock<[Duration]>([])

  var pauses: [Duration] { all.withLock { $0 } }
  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    guard deadline.offset < .seconds(3_600) else {
      return try await ContinuousClock().sleep(for: deadline.offset)
    }
    try Task.checkCancellation()
    all.withLock { $0.append(deadline.offset) }
    await Task.yield()
  }
}
