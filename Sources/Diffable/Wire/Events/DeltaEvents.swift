/// The bytes of a response that a follower reads as server-sent events.
///
/// A server framework writes the elements to the body of its response, one after another:
///
/// ```swift
/// let events = source.events(after: request.lastEventID.map(ResumeToken.init)) { delta in
///   try Array(JSONEncoder().encode(delta))
/// }
/// for try await bytes in events { try await response.write(bytes) }
/// ```
///
/// - The first element says how long to wait before connecting again. It repeats the token that the
///   client sent, so that the client has an id even if nothing changes.
/// - Each delta is an event `delta` with the token of its target as `id`. The first one is a reset,
///   or leads on from the token that the client sent.
/// - A comment is sent at regular intervals, so that proxies keep the connection open.
/// - The response ends after its lifetime, and the client connects again. If the source has ended,
///   an event `end` comes last: the client should not connect again.
///
/// The next delta is computed when the next element is requested. So a slow client costs one batch,
/// not a queue of batches. When the writing task is cancelled, or the iterator is released, the
/// subscription ends.
public struct DeltaEvents<Batch: Sendable>: AsyncSequence, Sendable {
  /// Some lines of the stream, in UTF-8.
  public typealias Element = [UInt8]

  let subscription: Subscription<Batch>
  let token: ResumeToken?
  let options: DeltaEventOptions
  let clock: any Clock<Duration>
  /// The token and the text of a batch.
  let encode: @Sendable (Batch) throws -> (token: ResumeToken, text: [UInt8])

  /// Starts the response.
  public func makeAsyncIterator() -> Iterator {
    Iterator(self)
  }
}

/// How a response of ``DeltaEvents`` behaves.
public struct DeltaEventOptions: Hashable, Sendable {
  /// The time from one comment to the next.
  ///
  /// Less than 100 milliseconds count as 100.
  public var heartbeat: Duration
  /// How long the response lasts; `nil` lets it last until the client or the source ends it.
  ///
  /// Vary this over a range, so that clients do not all reconnect at once.
  public var lifetime: Duration?
  /// How long a client waits before it connects again, in milliseconds.
  public var retry: Int

  /// Creates options.
  ///
  /// - Parameters:
  ///   - heartbeat: The time from one comment to the next: 15 seconds by default.
  ///   - lifetime: How long the response lasts: a minute by default.
  ///   - retry: How long a client waits before it connects again, in milliseconds: 2,000 by
  ///     default. A negative number counts as 0.
  public init(
    heartbeat: Duration = .seconds(15), lifetime: Duration? = .seconds(60), retry: Int = 2_000
  ) {
    (self.heartbeat, self.lifetime, self.retry) = (heartbeat, lifetime, max(0, retry))
  }
}
