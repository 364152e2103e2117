extension DeltaEvents {
  /// The iterator of ``DeltaEvents``.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: DeltaEvents
    private let feed: Feed
    private var signals: AsyncStream<Signal>.Iterator
    private var state = State.new
    private var hasAsked = false

    private enum State {
      case new
      case running
      case over
    }

    init(_ events: DeltaEvents) {
      self.events = events
      let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
      feed = Feed(events, continuation)
      signals = stream.makeAsyncIterator()
    }

    /// The next lines; `nil` at the end of the response.
    ///
    /// - Throws: What the encoder throws, and ``EventStreamError`` if its text has a carriage
    ///   return. The response is over then.
    public mutating func next() async throws -> [UInt8]? {
      try await next(isolation: nil)
    }

    /// The next lines; `nil` at the end of the response.
    ///
    /// - Throws: What the encoder throws, and ``EventStreamError`` if its text has a carriage
    ///   return. The response is over then.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> [UInt8]? {
      switch state {
      case .over: return nil
      case .new:
        state = .running
        feed.askForBeat()
        return try beginning()
      case .running: break
      }
      // If a heartbeat came first, the requested batch is still to come.
      if !hasAsked { feed.askForBatch() }
      hasAsked = true
      switch await signals.next(isolation: actor) {
      case .batch(let batch):
        hasAsked = false
        return try lines(of: batch)
      case .beat:
        feed.askForBeat()
        return ServerSentEvent.heartbeat
      case .end:
        finish()
        return try ServerSentEvent(name: "end", data: "").bytes
      case .close, nil:
        finish()
        return nil
      }
    }

    private mutating func finish() {
      state = .over
      feed.cancel()
    }

    private func beginning() throws(EventStreamError) -> [UInt8] {
      // A client may send any text. Text that is not a token is not repeated.
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

  /// What a response waits for.
  enum Signal: Sendable {
    case batch(Batch)
    /// Nothing came for a while.
    case beat
    case close
    case end
  }
}
