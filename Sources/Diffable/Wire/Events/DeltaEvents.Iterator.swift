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
      let subscription = events.subscription
      while true {
        switch timer.take() {
        case .close:
          finish()
          return nil
        case .beat: return ServerSentEvent.heartbeat
        case .nothing: break
        }
        let transition = await withTaskCancellationHandler {
          await subscription.transition()
        } onCancel: {
          subscription.token.drop()
        }
        if let transition { return try lines(of: await subscription.deliver(transition)) }
        // It was woken, or the stream has ended: with the source, or because it was dropped.
        let (isSubscribed, hasEnded) = subscription.token.hub.withMachine {
          ($0.cursors[subscription.token.id] != nil, $0.isFinished || $0.isClosed)
        }
        guard !isSubscribed else { continue }
        finish()
        return hasEnded ? try ServerSentEvent(name: "end", data: "").bytes : nil
      }
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

    private mutating func lines(of batch: Batch) throws -> [UInt8] {
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
