/// Knows what time it is, and says when something has been shown long enough.
@MainActor
final class ExpiryClock {
  /// The time that somebody else moves; `nil` for the clock of the machine.
  private let time: (@MainActor () -> ContinuousClock.Instant)?
  private var waiting: (deadline: ContinuousClock.Instant, task: Task<Void, Never>)?

  init(time: (@MainActor () -> ContinuousClock.Instant)?) {
    self.time = time
  }

  deinit { waiting?.task.cancel() }

  var now: ContinuousClock.Instant { time?() ?? .now }

  /// Does something at a time, and nothing else any longer; `nil` for nothing at all.
  ///
  /// Where somebody else moves the time, nobody else knows when it has come.
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
