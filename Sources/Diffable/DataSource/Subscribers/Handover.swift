import Synchronization

/// A value that is handed over for good: whoever takes it is the last to hold it.
///
/// A closure keeps what it captured until it is destroyed itself, which may happen on the thread
/// that made it. Whoever empties a handover decides where its contents are released.
package final class Handover<Value: Sendable>: Sendable {
  private let contents: Mutex<Value?>

  package init(_ value: consuming Value) {
    contents = Mutex(value)
  }

  /// The value, the first time.
  func take() -> Value? {
    contents.withLock { contents in
      let value = contents
      contents = nil
      return value
    }
  }
}
