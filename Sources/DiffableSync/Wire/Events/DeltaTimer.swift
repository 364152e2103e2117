import Diffable
import Synchronization

/// Wakes the subscriber of a response when a heartbeat is due, and ends its subscription when the response
/// has lasted long enough or its client has read nothing for too long.
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
    // Not detached: it works for one response only, in the task that made it.
    task = Task {
      var left = options.lifetime
      // How long a signal has been there that nobody has taken.
      var waited = Duration.zero
      while true {
        let pause = left.map { min($0, interval) } ?? interval
        guard (try? await clock.sleep(for: pause)) != nil else { return }
        left = left.map { $0 - pause }
        waited = bell.signal.load(ordering: .acquiring) == .nothing ? .zero : waited + pause
        let isOver =
          left.map { $0 <= .zero } ?? false || options.stall.map { $0 <= waited } ?? false
        bell.signal.store(isOver ? .close : .beat, ordering: .releasing)
        if isOver { return hub.drop(id) }
        hub.wake(id)
      }
    }
  }

  deinit { task.cancel() }

  /// What is due; at most one heartbeat is, however long nobody asked.
  func take() -> Signal { bell.signal.exchange(.nothing, ordering: .acquiringAndReleasing) }
}
