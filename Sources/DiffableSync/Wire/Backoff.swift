import Diffable

/// The pauses before something that has failed is tried again.
struct Backoff: Sendable {
  /// The first pause.
  var first: Duration
  /// The longest pause.
  var longest: Duration
  /// The number of failures in a row.
  var failures = 0

  /// The pause after these failures: the first one, doubled by each failure after the first.
  ///
  /// - Parameter share: How much of it counts, from a half to all: at random, so that not everybody tries
  ///   again at the same time.
  func duration(share: Double = .random(in: 0.5...1)) -> Duration {
    // 2¹⁶ × 100 ms is almost two hours.
    let limit = max(.zero, min(longest, .longest))
    let doubled = max(.zero, min(first, limit)) * (1 << (min(max(1, failures), 17) - 1))
    return min(doubled, limit) * share
  }
}
