/// Keeps a subscriber from being woken too often.
///
/// The subscriber waits before its request; the source does not wait before it responds. A
/// subscriber that coalesces misses nothing by asking later, and always receives the newest state.
actor Throttle<Time: Clock> where Time.Duration == Duration {
  private let clock: Time
  private let interval: Duration
  private var next: Time.Instant?

  init(_ interval: Duration, clock: Time) {
    self.interval = interval
    self.clock = clock
  }

  /// Waits until the interval since the last batch is over, or the task is cancelled.
  func wait() async {
    guard let next, next > clock.now else { return }
    try? await clock.sleep(until: next, tolerance: nil)
  }

  /// Begins the next interval.
  func begin() {
    next = clock.now.advanced(by: interval)
  }
}

/// A throttle of any clock.
protocol Throttling: Actor {
  func wait() async
  func begin() async
}

extension Throttle: Throttling {}

extension UpdatePolicy {
  /// The throttle of the subscriber, if the policy has one.
  func throttle(_ clock: some Clock<Duration>) -> (any Throttling)? {
    interval.map { Throttle($0, clock: clock) }
  }
}
