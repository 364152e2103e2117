public import Diffable
import Synchronization

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
///   or leads on from the token that the client sent. If another server of a ``ReplicatedSource`` was faster,
///   the token may name a later state than the source has. Then the response waits for that state, until the
///   first heartbeat or the end of its lifetime.
/// - An event `heartbeat` without data is sent at regular intervals. So proxies keep the connection
///   open, and a client that receives nothing for some intervals knows that its connection is dead.
/// - The response ends after its lifetime, and the client connects again. If the source has ended,
///   an event `end` comes last: the client should not connect again. A ``ReplicatedSource`` and
///   sources derived from it send none: the list continues at other servers, or when it is opened
///   again.
///
/// The next delta is computed when the next element is requested. So a slow client costs one batch,
/// not a queue of batches. When the writing task is cancelled, the iterator is released, or no element
/// is requested for too long, the subscription ends. Only the server can end a write that its client
/// does not read: give writes a deadline there.
public struct DeltaEvents<Batch: Sendable>: AsyncSequence, Sendable {
  /// Some lines of the stream, in UTF-8.
  public typealias Element = [UInt8]

  /// Makes a subscriber that begins where the client is, or from scratch.
  let subscribe: @Sendable () -> Subscription<Batch>
  let subscription: Subscription<Batch>
  let token: ResumeToken?
  let options: DeltaEventOptions
  let clock: any Clock<Duration>
  /// What other responses have made; `nil` if they share nothing.
  let shared: EncodedEvents?
  /// The token of a batch, its text, and the number of changes in it.
  let encode: @Sendable (Batch) throws -> (token: ResumeToken, text: [UInt8], changeCount: Int)

  /// Makes the event of a transition, and reports that a subscriber has it.
  func event(of transition: HubTransition) async throws -> EncodedEvents.Event {
    let batch = await subscription.batch(transition)
    let (token, text, changeCount) = try encode(batch)
    let bytes = try ServerSentEvent.bytes(
      id: token.description, name: "delta", data: String(decoding: text, as: UTF8.self))
    return EncodedEvents.Event(bytes: bytes, changeCount: changeCount)
  }

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
  public var lifetime: Duration?
  /// The largest part of ``lifetime`` by which a response ends earlier, at random.
  ///
  /// With 0.2, each response lasts for 80 to 100 percent of its lifetime. So clients that have come together, after
  /// the start of a server, do not come back together each time. Less than 0 counts as 0, and more than 1 as 1.
  public var lifetimeVariation: Double
  /// How long the writer may take for one element; `nil` lets it take any time.
  ///
  /// A writer takes long if its client does not read. The subscription ends then, at a heartbeat, and
  /// the response at the next request for an element.
  public var stall: Duration?
  /// How long a client waits before it connects again, in milliseconds.
  ///
  /// A negative number counts as 0.
  public var retry: Int

  /// Creates options.
  ///
  /// - Parameters:
  ///   - heartbeat: The time from one heartbeat to the next: 15 seconds by default.
  ///   - lifetime: How long the response lasts: a minute by default.
  ///   - lifetimeVariation: The largest part of that by which it ends earlier, at random: 0 by default.
  ///   - stall: How long the writer may take for one element: 45 seconds by default.
  ///   - retry: How long a client waits before it connects again, in milliseconds: 2,000 by
  ///     default.
  public init(
    heartbeat: Duration = .seconds(15), lifetime: Duration? = .seconds(60),
    lifetimeVariation: Double = 0, stall: Duration? = .seconds(45), retry: Int = 2_000
  ) {
    (self.heartbeat, self.lifetime, self.stall) = (heartbeat, lifetime, stall)
    (self.lifetimeVariation, self.retry) = (lifetimeVariation, retry)
  }

  /// How long one response lasts.
  package func drawnLifetime() -> Duration? {
    guard let lifetime, lifetime > .zero, lifetimeVariation > 0 else { return lifetime }
    return min(lifetime, .longest) * (1 - .random(in: 0...min(lifetimeVariation, 1)))
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
    let reader = reader
    let subscribe = { @Sendable () -> Subscription<Batch> in
      reader.subscribe(policy, after: token)
    }
    return DeltaEvents(
      subscribe: subscribe, subscription: subscribe(), token: token, options: options,
      clock: clock, shared: shared
    ) { batch in
      (batch.token, try encode(batch.delta), batch.difference.changeCount)
    }
  }
}

extension DeltaEvents {
  /// The state of a response: see ``DeltaEvents``.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: DeltaEvents
    private var subscription: Subscription<Batch>
    /// The revision of what the client has, as long as the source does not have it.
    private var awaited: Revision?
    private var state = State.new

    private enum State {
      case new
      case running(DeltaTimer)
      case over
    }

    init(_ events: DeltaEvents) {
      (self.events, subscription) = (events, events.subscription)
      let hub = subscription.token.hub
      if let known = events.token?.parts, known.epoch == hub.epoch,
        known.place.revision > hub.revision
      {
        awaited = known.place.revision
      }
    }

    /// The next lines; `nil` at the end of the response.
    ///
    /// - Throws: The errors of the encoder, and ``EventStreamError`` if its text has a carriage
    ///   return. The response is over then.
    public mutating func next() async throws -> [UInt8]? {
      switch state {
      case .over: return nil
      case .new:
        start()
        return try beginning()
      case .running: return try await nextLines()
      }
    }

    private mutating func start() {
      state = .running(DeltaTimer(events.options, events.clock, of: subscription.token))
    }

    private mutating func nextLines() async throws -> [UInt8]? {
      while case .running(let timer) = state {
        switch timer.take() {
        // Perhaps the list has lost what the client has. The client gets all of it before the response ends.
        case .close where awaited != nil:
          goOn()
          continue
        case .close:
          finish()
          return nil
        case .beat:
          goOn()
          return ServerSentEvent.heartbeat
        case .nothing: break
        }
        if let transition = await transition() {
          guard let awaited else { return try await lines(of: transition) }
          if transition.target.revision >= awaited { goOn() }
          continue
        }
        // It was woken, or the stream has ended: with the source, or because it was dropped.
        if subscription.token.isSubscribed || awaited != nil && timer.isDue { continue }
        return try ending()
      }
      return nil
    }

    /// Ends the wait for what the client has, if there is one, and begins there or from scratch.
    private mutating func goOn() {
      guard awaited != nil else { return }
      awaited = nil
      subscription.end()
      subscription = events.subscribe()
      start()
    }

    // A task that waits keeps the variables of all the functions that it is in. So the waiting has a
    // function of its own, without those of the delivery.
    private func transition() async -> HubTransition? {
      let token = subscription.token
      return await withTaskCancellationHandler {
        await token.next()
      } onCancel: {
        token.drop()
      }
    }

    private mutating func ending() throws(EventStreamError) -> [UInt8]? {
      finish()
      return subscription.token.hasListEnded
        ? try ServerSentEvent.bytes(name: "end", data: "") : nil
    }

    private mutating func finish() {
      state = .over
      subscription.end()
    }

    private func beginning() throws(EventStreamError) -> [UInt8] {
      // A client may send any text. Text that was never a token is not repeated.
      let id = events.token.flatMap { $0.parts == nil ? nil : $0.description }
      return try ServerSentEvent.bytes(id: id, retry: Swift.max(0, events.options.retry))
    }

    private mutating func lines(of transition: HubTransition) async throws -> [UInt8] {
      do {
        guard let shared = events.shared else {
          return try await events.event(of: transition).bytes
        }
        let hub = subscription.token.hub
        let key = EncodedEvents.Key(hub, transition)
        if let known = shared[key] {
          hub.deliver(transition, changeCount: known.changeCount)
          return known.bytes
        }
        let (event, isOwn) = try await shared.event(for: key) { [events] in
          try await events.event(of: transition)
        }
        if !isOwn { hub.deliver(transition, changeCount: event.changeCount) }
        return event.bytes
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
    let interval = min(max(options.heartbeat, .milliseconds(100)), .longest)
    self.bell = bell
    // Not detached: it works for one response only, in the task that made it.
    task = Task {
      var left = options.drawnLifetime()
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

  /// Whether something is due.
  var isDue: Bool { bell.signal.load(ordering: .acquiring) != .nothing }

  /// What is due; at most one heartbeat, however long ago it was asked for last.
  func take() -> Signal { bell.signal.exchange(.nothing, ordering: .acquiringAndReleasing) }
}
