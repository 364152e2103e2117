#if NATS
import Diffable
import DiffableSync
import Dispatch
import Synchronization

/// An answer that one task waits for and another thread gives.
///
/// Only the first answer counts. Cancelling the task is an answer, too: what has not begun then never does.
final class Answer<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, RevisionLogError>

  private enum State {
    case open
    case awaited(CheckedContinuation<Outcome, Never>)
    case given(Outcome)
    case done
  }

  private let state = Lock((answer: State.open, hasBegun: false))

  func give(_ outcome: Result<Value, RevisionLogError>) {
    give { _ in outcome }
  }

  private func give(_ outcome: (_ hasBegun: Bool) -> Outcome) {
    let given = state.withLock { state -> (CheckedContinuation<Outcome, Never>, Outcome)? in
      let outcome = outcome(state.hasBegun)
      switch state.answer {
      case .open:
        state.answer = .given(outcome)
        return nil
      case .awaited(let waiting):
        state.answer = .done
        return (waiting, outcome)
      case .given, .done:
        return nil
      }
    }
    if let (waiting, outcome) = given { waiting.resume(returning: outcome) }
  }

  /// Begins what is asked: from now on, a task that is cancelled cannot know whether it was done.
  ///
  /// - Returns: `false` if there is an answer already, so that nothing is to be done.
  func begin() -> Bool {
    state.withLock { state in
      switch state.answer {
      case .open, .awaited:
        state.hasBegun = true
        return true
      case .given, .done:
        return false
      }
    }
  }

  /// Waits for the answer.
  ///
  /// Call it once only.
  func value() async throws(RevisionLogError) -> Value {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let given = state.withLock { state -> Outcome? in
          if case .given(let outcome) = state.answer {
            state.answer = .done
            return outcome
          }
          state.answer = .awaited(continuation)
          return nil
        }
        if let given { continuation.resume(returning: given) }
      }
    } onCancel: {
      give { hasBegun in .failure(hasBegun ? .taskWasCancelled : .taskWasCancelled.ofNothingDone) }
    }
    return try outcome.get()
  }

  /// Runs a blocking function on a queue, so that it does not block a thread of tasks.
  static func made(
    on queue: DispatchQueue, by make: @escaping @Sendable () throws(RevisionLogError) -> Value
  ) async throws(RevisionLogError) -> Value {
    let answer = Answer()
    queue.async {
      guard answer.begin() else { return }
      answer.give(Result { () throws(RevisionLogError) in try make() })
    }
    return try await answer.value()
  }
}

extension RevisionLogError {
  static let taskWasCancelled = unavailable(reason: "the task was cancelled")

  /// The same failure, where it is certain that nothing was sent that could change the log.
  var ofNothingDone: RevisionLogError {
    if case .unavailable(let reason) = self { .notDone(reason: reason) } else { self }
  }
}
#endif
