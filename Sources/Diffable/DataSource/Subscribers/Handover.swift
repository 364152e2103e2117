import Synchronization

/// A value that is handed over for good: the code that takes it becomes its last holder.
///
/// A closure keeps what it captured until the closure itself is destroyed, possibly on the thread
/// that made it. The code that empties a handover decides where the value is released.
package final class Handover<Value: Sendable>: Sendable {
  private let contents: Lock<Value?>

  package init(_ value: consuming Value) {
    contents = Lock(value)
  }

  /// Returns the value, the first time it is called.
  func take() -> Value? {
    contents.withLock { contents in
      let value = contents
      contents = nil
      return value
    }
  }
}
