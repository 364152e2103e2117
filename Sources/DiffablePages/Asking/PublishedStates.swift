import Diffable
internal import Synchronization

/// The states of the loads, for those who show them.
///
/// They are not part of the actor: a status row or a button must not wait until a page is written.
final class PublishedStates: Sendable {
  private struct State {
    var states = PageLoadStates()
    var isFinished = false
    var observers: [Int: AsyncStream<PageLoadStates>.Continuation] = [:]
    /// The number of the last observer.
    var lastObserver = 0
  }

  private let state = Lock(State())

  deinit {
    for observer in takeObservers() { observer.finish() }
  }

  /// The present states.
  var states: PageLoadStates { state.withLock { $0.states } }

  /// The present states, then every change.
  func stream() -> AsyncStream<PageLoadStates> {
    let (stream, observer) = AsyncStream.makeStream(
      of: PageLoadStates.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      // Nobody waits for the stream yet, so this resumes nothing.
      observer.yield(state.states)
      guard !state.isFinished else { return nil }
      state.lastObserver += 1
      state.observers[state.lastObserver] = observer
      return state.lastObserver
    }
    guard let number else {
      observer.finish()
      return stream
    }
    observer.onTermination = { [weak self] _ in self?.forget(number) }
    return stream
  }

  /// Sends other states to the observers; called by one task at a time.
  func publish(_ states: PageLoadStates) {
    // Errors of the user are released after the lock.
    let (former, observers) = state.withLock { state in
      defer { state.states = states }
      return (state.states, state.observers)
    }
    withExtendedLifetime(former) {
      for observer in observers.values { observer.yield(states) }
    }
  }

  /// Ends all streams, also those that are made later.
  func finish() {
    for observer in takeObservers() { observer.finish() }
  }

  private func takeObservers() -> [AsyncStream<PageLoadStates>.Continuation] {
    state.withLock { state in
      state.isFinished = true
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
  }

  private func forget(_ number: Int) {
    _ = state.withLock { $0.observers.removeValue(forKey: number) }
  }
}
