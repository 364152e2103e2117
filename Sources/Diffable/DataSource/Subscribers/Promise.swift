import Synchronization

/// A value that becomes known later, once.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open(waiters: [CheckedContinuation<Value, Never>])
    case fulfilled(Value)
  }

  private let state = Lock(State.open(waiters: []))

  package init() {}

  /// Sets the value; only the first call counts.
  package func fulfil(_ value: Value) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard case .open(let waiters) = state else { return [] }
      state = .fulfilled(value)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  /// The value; waits until it is known.
  package var value: Value {
    get async {
      await withCheckedContinuation { waiter in
        let known = state.withLock { state -> Value? in
          switch state {
          case .fulfilled(let value): return value
          case .open(let waiters):
            state = .open(waiters: waiters + [waiter])
            return nil
          }
        }
        if let known { waiter.resume(returning: known) }
      }
    }
  }
}
