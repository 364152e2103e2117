import Diffable
import Synchronization

extension DeltaEvents {
  /// The state of a response: see ``DeltaEvents``.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: DeltaEvents
    private var state = State.new

    private enum State {
      case new
      case running(DeltaTimer)
      case over
    }

    init(_ events: DeltaEvents) {
      self.events = events
    }

    /// The next lines; `nil` at the end of the response.
    ///
    /// - Throws: The errors of the encoder, and ``EventStreamError`` if its text has a carriage
    ///   return. The response is over then.
    public mutating func next() async throws -> [UInt8]? {
      switch state {
      case .over: return nil
      case .new:
        state = .running(DeltaTimer(events.options, events.clock, of: events.subscription.token))
        return try beginning()
      case .running(let timer): return try await next(timer)
      }
    }

    private mutating func next(_ timer: DeltaTimer) async throws -> [UInt8]? {
      while true {
        switch timer.take() {
        case .close:
          finish()
          return nil
        case .beat: return ServerSentEvent.heartbeat
        case .nothing: break
        }
        if let transition = await transition() { return try await lines(of: transition) }
        // It was woken, or the stream has ended: with the source, or because it was dropped.
        if events.subscription.token.isSubscribed { continue }
        return try ending()
      }
    }

    // A task that waits keeps the variables of all the functions that it is in. So the waiting has a
    // function of its own, without those of the delivery.
    private func transition() async -> HubTransition? {
      let token = events.subscription.token
      return await withTaskCancellationHandler {
        await events.subscription.transition()
      } onCancel: {
        token.drop()
      }
    }

    private mutating func ending() throws(EventStreamError) -> [UInt8]? {
      finish()
      let hasEnded = events.subscription.token.hasSourceEnded
      return hasEnded ? try ServerSentEvent(name: "end", data: "").bytes : nil
    }

    private mutating func finish() {
      state = .over
      events.subscription.token.drop()
    }

    private func beginning() throws(EventStreamError) -> [UInt8] {
      // A client may send any text. Text that was never a token is not repeated.
      let id = events.token.flatMap { $0.parts == nil ? nil : $0.description }
      return try ServerSentEvent(id: id, retry: events.options.retry).bytes
    }

    private mutating func lines(of transition: HubTransition) async throws -> [UInt8] {
      let (subscription, shared) = (events.subscription, events.shared)
      let hub = subscription.token.hub
      let key = EncodedEvents.Key(hub, transition)
      if let known = shared?[key] {
        await subscription.deliver(transition, changeCount: known.changeCount)
        return known.bytes
      }
      let batch = await subscription.deliver(transition)
      do {
        let (token, text) = try events.encode(batch)
        let bytes = try ServerSentEvent(
          id: token.description, name: "delta", data: String(decoding: text, as: UTF8.self)
        ).bytes
        shared?.keep(
          .init(bytes: bytes, changeCount: subscription.changes(in: batch)), for: key, of: hub)
        return bytes
      } catch {
        finish()
        throw error
      }
    }
  }
}

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
      // How long a signal has not been taken.
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

  /// What is due; at most one heartbeat, however long ago it was asked for last.
  func take() -> Signal { bell.signal.exchange(.nothing, ordering: .acquiringAndReleasing) }
}
