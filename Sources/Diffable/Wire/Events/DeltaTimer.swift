import Synchronization

/// Wakes the subscriber of a response when a comment is due, and when the response has lasted long enough.
///
/// The response holds the timer and the task of the timer does not, so the task is cancelled when the
/// response is released.
final class DeltaTimer: Sendable {
  /// What is due.
  enum Signal: UInt8, AtomicRepresentable {
    case nothing
    case beat
    case close
  }

  private final class Bell: Sendable {
    let signal = Atomic(Signal.nothing)
  }

  private let bell: Bell
  private let task: Task<Void, Never>

  init(_ options: DeltaEventOptions, _ clock: any Clock<Duration>, of token: CursorToken) {
    let bell = Bell()
    let (hub, id) = (token.hub, token.id)
    let interval = max(options.heartbeat, .milliseconds(100))
    self.bell = bell
    task = Task {
      var left = options.lifetime
      while true {
        let pause = left.map { min($0, interval) } ?? interval
        guard (try? await clock.sleep(for: pause)) != nil else { return }
        left = left.map { $0 - pause }
        let isOver = left.map { $0 <= .zero } ?? false
        bell.signal.store(isOver ? .close : .beat, ordering: .releasing)
        hub.wake(id)
        if isOver { return }
      }
    }
  }

  deinit { task.cancel() }

  /// What is due; at most one comment is, however long nobody asked.
  func take() -> Signal { bell.signal.exchange(.nothing, ordering: .acquiringAndReleasing) }
}
