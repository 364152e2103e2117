/// Knows the time, and calls an action when something has been shown long enough.
@MainActor
final class ExpiryClock {
  /// A time that a test advances; `nil` for the system clock.
  private let time: (@MainActor () -> ContinuousClock.Instant)?
  private var waiting: (deadline: ContinuousClock.Instant, task: Task<Void, Never>)?

  init(time: (@MainActor () -> ContinuousClock.Instant)?) {
    self.time = time
  }

  deinit { waiting?.task.cancel() }

  var now: ContinuousClock.Instant { time?() ?? .now }

  /// Schedules an action at a time, instead of an earlier one; `nil` schedules none.
  ///
  /// If a test advances the time, the action is not called by itself.
  func wait(until deadline: ContinuousClock.Instant?, _ act: @escaping @MainActor () -> Void) {
    guard time == nil, deadline != waiting?.deadline else { return }
    waiting?.task.cancel()
    waiting = deadline.map { deadline in
      let task = Task { [weak self] in
        try? await Task.sleep(until: deadline, clock: .continuous)
        guard !Task.isCancelled, let self else { return }
        self.waiting = nil
        act()
      }
      return (deadline, task)
    }
  }
}
