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

  /// Creates one without a value.
  package init() { contents = Lock(nil) }

  /// Hands over another value.
  package func put(_ value: Value) {
    // What it replaces is released outside of the lock.
    var value: Value? = value
    contents.withLock { swap(&$0, &value) }
  }

  /// Returns the value, the first time it is called.
  package func take() -> Value? { contents.withLock { $0.take() } }
}

/// The number of values that tasks still have to release.
private let pendingReleases = Atomic<Int>(0)

/// Lets a task release a value, so that the calling thread does not pay for it.
///
/// The last release of a million heap-allocated identifiers takes tens of milliseconds on the
/// thread that performs it. Small values are released by the caller, since a task costs more than
/// the release.
///
/// - Parameters:
///   - value: The value to release. The handover should be its last holder: whoever releases it
///     later than the task pays after all.
///   - weight: The approximate number of identifiers that it holds.
///   - limit: The number of values that may be pending. Beyond that, the caller releases the value
///     itself. A writer that floods a source needs a limit, since it can produce values faster than
///     tasks release them.
package func releaseInTask<Value>(
  _ value: Handover<Value>, weight: Int, pendingAtMost limit: Int = .max
) {
  guard weight > 4096 else { return }
  guard pendingReleases.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
    pendingReleases.wrappingSubtract(1, ordering: .relaxed)
    return
  }
  Task.detached(priority: .utility) {
    _ = value.take()
    pendingReleases.wrappingSubtract(1, ordering: .relaxed)
  }
}

/// The duty to make a value known, once.
///
/// Those who wait hold the ``Promised`` value only. So whoever has the duty may be released at any time:
/// with the last holder of the promise, the value becomes what was agreed on for that case, and nobody
/// waits for ever. No owner has to remember that in its `deinit`.
package final class Promise<Value: Sendable>: Sendable {
  /// The value, for those who wait for it.
  package let promised = Promised<Value>()
  private let otherwise: Value

  /// - Parameter otherwise: The value if the promise is released before it is fulfilled.
  package init(otherwise: Value) { self.otherwise = otherwise }

  deinit { promised.settle(otherwise) }

  /// Sets the value; only the first call counts.
  package func fulfil(_ value: Value) { promised.settle(value) }
}

/// A value that becomes known later, at the latest when its ``Promise`` is released.
package final class Promised<Value: Sendable>: Sendable {
  private let state = Lock((value: Value?.none, waiters: [CheckedContinuation<Value, Never>]()))

  fileprivate init() {}

  /// The value; waits until it is known.
  package var value: Value {
    get async {
      await withCheckedContinuation { waiter in
        let known = state.withLock { state in
          if state.value == nil { state.waiters.append(waiter) }
          return state.value
        }
        if let known { waiter.resume(returning: known) }
      }
    }
  }

  fileprivate func settle(_ value: Value) {
    let waiters = state.withLock { state in
      if state.value == nil { state.value = value }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }
}
