import Diffable

/// A clock that stands still until it is moved.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package init(offset: Duration = .zero) {
      self.offset = offset
    }

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    var sleepers: [(id: Int, deadline: Instant, wake: CheckedContinuation<Void, any Error>)] = []
    var lastID = 0
  }

  private let state = Lock(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .zero }

  /// How many tasks sleep.
  package var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// When the next one of them wakes.
  package var nextDeadline: Instant? { state.withLock { $0.sleepers.map(\.deadline).min() } }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wake in
        let error: (any Error)?? = state.withLock { state in
          if Task.isCancelled { return .some(CancellationError()) }
          guard deadline > state.now else { return .some(nil) }
          state.sleepers.append((id, deadline, wake))
          return .none
        }
        guard let error else { return }
        if let error { wake.resume(throwing: error) } else { wake.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.wake.resume(throwing: CancellationError())
    }
  }

  package func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let awake = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return awake
    }
    for sleeper in awake { sleeper.wake.resume() }
  }
}
