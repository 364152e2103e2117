import Diffable

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
      let batch = await events.subscription.deliver(transition)
      do {
        let (token, text) = try events.encode(batch)
        return try ServerSentEvent(
          id: token.description, name: "delta", data: String(decoding: text, as: UTF8.self)
        ).bytes
      } catch {
        finish()
        throw error
      }
    }
  }
}
