import Diffable
import DiffableSync
import Synchronization

/// Counts from 0.
final class Counter: Sendable {
  private let number = Atomic(0)

  func next() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension LogEntry {
  /// An entry that has a text in the place of a delta.
  static func text(_ text: String) -> LogEntry {
    LogEntry(id: WriteID(), delta: Array(text.utf8))
  }
}
