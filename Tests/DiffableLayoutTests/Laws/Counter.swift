import Synchronization

/// Counts calls, from any thread.
final class Counter: Sendable {
  private let number = Atomic(0)

  /// The number of calls so far.
  var value: Int { number.load(ordering: .relaxed) }

  /// Counts one call.
  func count() { number.add(1, ordering: .relaxed) }
}
