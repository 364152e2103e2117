import Synchronization

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
