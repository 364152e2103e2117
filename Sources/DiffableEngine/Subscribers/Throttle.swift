/// Keeps a subscriber from being served too often.
///
/// The subscriber waits before its request; the source does not wait before it responds. A
/// subscriber that coalesces misses nothing by asking later, and always receives the newest state.
actor Throttle {
  private let clock: any Clock<Duration>
  private let interval: Duration
  /// The interval after the last transition.
  private var pause: Pause?
  /// Tasks that share the stream request one after another: one that waited already would be served at once.
  private let turns = Turns()

  private struct Pause {
    let revision: Revision
    let isOver: @Sendable () -> Bool
    let sleep: @Sendable () async throws -> Void
  }

  init(_ interval: Duration, clock: any Clock<Duration>) {
    self.interval = interval
    self.clock = clock
  }

  /// Waits for the turn of the task, and until the interval is over, or the subscriber is woken or gone.
  ///
  /// - Returns: Whether the subscriber may request a transition.
  func beginTurn(_ id: CursorID, of hub: Hub) async -> Bool {
    await turns.take()
    guard let pause, !pause.isOver() else { return true }
    let timer = Task {
      // A clock that fails has no say in whether a subscriber gets what it waits for.
      try? await pause.sleep()
      if !Task.isCancelled { hub.endPause(id, after: pause.revision) }
    }
    defer { timer.cancel() }
    return await hub.pause(id, after: pause.revision)
  }

  /// Begins the next interval, if the task got a transition, and ends its turn.
  func endTurn(after revision: Revision?) {
    if let revision { pause = pause(after: revision, by: clock) }
    turns.pass()
  }

  private func pause(after revision: Revision, by clock: some Clock<Duration>) -> Pause {
    let end = clock.now.advanced(by: interval)
    return Pause(revision: revision) {
      end <= clock.now
    } sleep: {
      try await clock.sleep(until: end, tolerance: nil)
    }
  }
}

extension Hub {
  /// Waits until the interval after a transition is over, or the subscriber is woken or gone.
  ///
  /// - Returns: Whether the subscriber may request a transition.
  fileprivate func pause(_ id: CursorID, after revision: Revision) async -> Bool {
    _ = await withCheckedContinuation { waiter in
      process { $0.pause(id, after: revision, waiter: waiter, &$1) }
    }
    return !withMachine { $0.isInterrupted(id) }
  }

  /// Ends the interval after a transition.
  fileprivate func endPause(_ id: CursorID, after revision: Revision) {
    process { $0.endPause(id, after: revision, &$1) }
  }
}
