#if NATS
import DiffableSync
import Dispatch
import Synchronization

/// An answer that one task waits for and another thread gives.
///
/// Only the first answer counts. Cancelling the task is an answer, too.
final class Answer<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, RevisionLogError>

  private enum State {
    case open
    case awaited(CheckedContinuation<Outcome, Never>)
    case given(Outcome)
    case done
  }

  private let state = Mutex(State.open)

  func give(_ outcome: Result<Value, RevisionLogError>) {
    let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      switch state {
      case .open:
        state = .given(outcome)
        return nil
      case .awaited(let waiting):
        state = .done
        return waiting
      case .given, .done:
        return nil
      }
    }
    waiting?.resume(returning: outcome)
  }

  /// Waits for the answer.
  ///
  /// Call it once only.
  func value() async throws(RevisionLogError) -> Value {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let given = state.withLock { state -> Outcome? in
          if case .given(let outcome) = state {
            state = .done
            return outcome
          }
          state = .awaited(continuation)
          return nil
        }
        if let given { continuation.resume(returning: given) }
      }
    } onCancel: {
      give(.failure(.taskWasCancelled))
    }
    return try outcome.get()
  }

  /// Runs a blocking function on a queue, so that it does not block a thread of tasks.
  static func made(
    on queue: DispatchQueue, by make: @escaping @Sendable () throws(RevisionLogError) -> Value
  ) async throws(RevisionLogError) -> Value {
    let answer = Answer()
    queue.async {
      answer.give(Result { () throws(RevisionLogError) in try make() })
    }
    return try await answer.value()
  }
}

extension RevisionLogError {
  static let taskWasCancelled = unavailable(reason: "the task was cancelled")
}
#endif
