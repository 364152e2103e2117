/// A clock on which nobody has to wait: each sleep ends at once, and the time is that of its end.
package struct ImmediateClock: Clock {
  package init() {}

  package var now: ContinuousClock.Instant { ContinuousClock().now }
  package var minimumResolution: Duration { .zero }

  package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    await Task.yield()
  }
}
