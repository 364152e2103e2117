import Synchronization

/// What a mirror learns from one connection, for the pause before the next one.
final class FollowedConnection: Sendable {
  /// The number of pieces that have arrived, modulo 2^64.
  private let pieces = Atomic(0)
  private let appliesDeltas = Atomic(false)
  /// In milliseconds; negative if the server has not said it.
  private let retry = Atomic(-1)

  /// Whether a delta was applied.
  var hasApplied: Bool { appliesDeltas.load(ordering: .acquiring) }

  /// How long the server wants its client to wait before it connects again.
  var reconnectionTime: Duration? {
    let time = retry.load(ordering: .acquiring)
    return time < 0 ? nil : .milliseconds(max(100, time))
  }

  func hear() { pieces.wrappingAdd(1, ordering: .relaxed) }

  func apply() { appliesDeltas.store(true, ordering: .releasing) }

  func set(reconnectionTime time: Int) { retry.store(time, ordering: .releasing) }

  /// Waits until nothing has arrived for a while.
  ///
  /// - Throws: ``EventStreamError/silent(_:)`` between one limit and one and a quarter after the last piece,
  ///   and `CancellationError`.
  func waitForSilence(of limit: Duration, _ clock: any Clock<Duration>) async throws {
    var (heard, quarters) = (pieces.load(ordering: .relaxed), 0)
    while quarters < 4 {
      try await clock.sleep(for: max(limit / 4, .milliseconds(25)))
      let now = pieces.load(ordering: .relaxed)
      (heard, quarters) = (now, now == heard ? quarters + 1 : 0)
    }
    throw EventStreamError.silent(limit)
  }
}
