public import Diffable

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
/// - An event `heartbeat` without data is sent at regular intervals. So proxies keep the connection open,
///   and a client that hears nothing for some intervals knows that it is cut off.
/// - The response ends after its lifetime, and the client connects again. If the source has ended,
///   an event `end` comes last: the client should not connect again.
///
/// The next delta is computed when the next element is requested. So a slow client costs one batch,
/// not a queue of batches. When the writing task is cancelled, the iterator is released, or no element
/// is requested for too long, the subscription ends. Only the server can end a write that its client
/// does not read: give writes a deadline there.
public struct DeltaEvents<Batch: Sendable>: AsyncSequence, Sendable {
  /// Some lines of the stream, in UTF-8.
  public typealias Element = [UInt8]

  let subscription: Subscription<Batch>
  let token: ResumeToken?
  let options: DeltaEventOptions
  let clock: any Clock<Duration>
  /// What other responses have made; `nil` if they share nothing.
  let shared: EncodedEvents?
  /// The token and the text of a batch.
  let encode: @Sendable (Batch) throws -> (token: ResumeToken, text: [UInt8])

  /// Starts the response.
  public func makeAsyncIterator() -> Iterator {
    Iterator(self)
  }
}

/// How a response of ``DeltaEvents`` behaves.
public struct DeltaEventOptions: Hashable, Sendable {
  /// The time from one heartbeat to the next.
  ///
  /// Less than 100 milliseconds count as 100. Clients wait for about three of them before they connect
  /// again: see ``MirrorSource/follow(clock:longestWait:silence:connect:decode:failure:)``.
  public var heartbeat: Duration
  /// How long the response lasts; `nil` lets it last until the client or the source ends it.
  ///
  /// Vary this over a range, so that clients do not all reconnect at once.
  public var lifetime: Duration?
  /// How long the writer may take for one element; `nil` lets it take any time.
  ///
  /// A writer takes long if its client does not read. The subscription ends then, at a heartbeat, and
  /// the response at the next request for an element.
  public var stall: Duration?
  /// How long a client waits before it connects again, in milliseconds.
  public var retry: Int

  /// Creates options.
  ///
  /// - Parameters:
  ///   - heartbeat: The time from one heartbeat to the next: 15 seconds by default.
  ///   - lifetime: How long the response lasts: a minute by default.
  ///   - stall: How long the writer may take for one element: 45 seconds by default.
  ///   - retry: How long a client waits before it connects again, in milliseconds: 2,000 by
  ///     default. A negative number counts as 0.
  public init(
    heartbeat: Duration = .seconds(15), lifetime: Duration? = .seconds(60),
    stall: Duration? = .seconds(45), retry: Int = 2_000
  ) {
    (self.heartbeat, self.lifetime, self.stall) = (heartbeat, lifetime, stall)
    self.retry = max(0, retry)
  }
}

extension ListSource where Batch: DeltaBatch {
  /// The changes as server-sent events, for followers in other processes.
  ///
  /// - Parameters:
  ///   - token: What the client holds: its `Last-Event-ID`. Any text will do; a text that the
  ///     source does not know gives a reset.
  ///   - policy: How to serve a follower that cannot keep up.
  ///   - options: Heartbeats, how long the response lasts, and how slow a client may be.
  ///   - clock: Their clock. A test can pass a clock that it advances itself.
  ///   - encode: Writes a delta as JSON without line breaks: an ``UpdateDelta``, or the
  ///     ``ModelDelta`` of a ``ModelSource``. What it throws ends the response.
  /// - Complexity: O(1). Each delta costs what ``UpdateDelta/init(_:)`` or ``ModelDelta/init(_:)``
  ///   costs, for each follower. With many followers, use ``events(after:_:options:clock:encoding:)``.
  public nonisolated func events(
    after token: ResumeToken? = nil, _ policy: UpdatePolicy = .coalesced,
    options: DeltaEventOptions = DeltaEventOptions(),
    clock: any Clock<Duration> = ContinuousClock(),
    encode: @escaping @Sendable (Batch.Delta) throws -> [UInt8]
  ) -> DeltaEvents<Batch> {
    events(after: token, policy, options, clock, sharing: nil, encode)
  }

  /// The changes as server-sent events, which followers with the same encoding share.
  ///
  /// - Parameters:
  ///   - token: As in ``events(after:_:options:clock:encode:)``.
  ///   - policy: How to serve a follower that cannot keep up.
  ///   - options: Heartbeats, how long the response lasts, and how slow a client may be.
  ///   - clock: Their clock.
  ///   - encoding: How deltas become bytes.
  /// - Complexity: O(1). A delta costs what ``UpdateDelta/init(_:)`` or ``ModelDelta/init(_:)`` costs for the
  ///   first follower that needs it, and O(1) for others.
  public nonisolated func events(
    after token: ResumeToken? = nil, _ policy: UpdatePolicy = .coalesced,
    options: DeltaEventOptions = DeltaEventOptions(),
    clock: any Clock<Duration> = ContinuousClock(), encoding: DeltaEncoding<Batch>
  ) -> DeltaEvents<Batch> {
    events(after: token, policy, options, clock, sharing: encoding.events, encoding.encode)
  }

  private nonisolated func events(
    after token: ResumeToken?, _ policy: UpdatePolicy, _ options: DeltaEventOptions,
    _ clock: any Clock<Duration>, sharing shared: EncodedEvents?,
    _ encode: @escaping @Sendable (Batch.Delta) throws -> [UInt8]
  ) -> DeltaEvents<Batch> {
    DeltaEvents(
      subscription: reader.subscribe(policy, after: token), token: token, options: options,
      clock: clock, shared: shared
    ) { batch in
      (batch.token, try encode(batch.delta))
    }
  }
}
