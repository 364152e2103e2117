/// Measures the time since it was made.
package enum Stopwatch {
  /// Most sources have the usual clock, which needs no closure.
  case continuous(since: ContinuousClock.Instant)
  case other(elapsed: () -> Duration)

  init(_ clock: any Clock<Duration>) {
    func other<Time: Clock<Duration>>(_ clock: Time) -> Stopwatch {
      let start = clock.now
      return .other { start.duration(to: clock.now) }
    }
    self = other(clock)
  }

  /// The time so far.
  package func callAsFunction() -> Duration {
    switch self {
    case .continuous(let start): start.duration(to: .now)
    case .other(let elapsed): elapsed()
    }
  }
}
