import Diffable
import Synchronization

/// The bytes of events that were made for a follower, for others.
///
/// The first follower that needs an event makes it. Those that need it meanwhile wait for that: a follower that
/// lags needs a difference that is worked out in a task, and until that task has had its turn, thousands of
/// others may ask for the same one.
///
/// Invariants:
/// 1. The events that are kept have no more bytes than the limit.
/// 2. Each event belongs to a source that a follower reads.
final class EncodedEvents: Sendable {
  /// What an event leads from and to; the differences and the notes in between are always the same.
  struct Key: Hashable, Sendable {
    let source: ObjectIdentifier
    let base: Revision?
    let target: Revision
    let presentation: Presentation

    init(_ hub: Hub, _ transition: HubTransition) {
      source = ObjectIdentifier(hub.name)
      base = transition.isReset ? nil : transition.base?.revision
      (target, presentation) = (transition.target.revision, transition.presentation)
    }
  }

  struct Event: Sendable {
    let bytes: [UInt8]
    let changeCount: Int
  }

  /// A follower that reads a source.
  ///
  /// The events of the source are kept while it is held.
  final class Reader: Sendable {
    /// Nothing else has the address of the name meanwhile.
    private let source: HubName
    private let events: EncodedEvents

    fileprivate init(_ source: HubName, _ events: EncodedEvents) {
      (self.source, self.events) = (source, events)
    }

    deinit { events.leave(ObjectIdentifier(source)) }
  }

  fileprivate typealias Waiter = CheckedContinuation<Event?, Never>

  fileprivate struct State {
    /// What is kept.
    var events: [Key: Event] = [:]
    /// Its keys, in the order in which it was made.
    var keys: [Key] = []
    /// The first key that is still in use.
    var start = 0
    var bytes = 0
    /// What is being made, with those that wait for it.
    var waiters: [Key: [Waiter]] = [:]
    /// The number of followers of each source.
    var readers: [ObjectIdentifier: Int] = [:]
  }

  private enum Begun {
    case made(Event)
    /// Another follower makes it.
    case making
    /// The caller has to make it.
    case new
  }

  private let limit: Int
  private let state = Lock(State())

  init(bytes: Int) {
    limit = bytes
  }

  /// The number of events and of bytes that are kept.
  var size: (events: Int, bytes: Int) { state.withLock { ($0.events.count, $0.bytes) } }

  /// An event that is kept.
  subscript(key: Key) -> Event? { state.withLock { $0.events[key] } }

  /// An event that is kept, or that another follower makes now, or else a new one.
  ///
  /// - Parameter make: Makes it. If it throws, the next follower that waits makes the event.
  /// - Returns: The event, and whether this call has made it.
  /// - Throws: What `make` throws.
  func event(
    for key: Key, _ make: () async throws -> Event
  ) async throws -> (event: Event, isOwn: Bool) {
    while true {
      switch begin(key) {
      case .made(let event): return (event, false)
      case .making: if let event = await made(key) { return (event, false) }
      case .new:
        do {
          let event = try await make()
          end(key, event)
          return (event, true)
        } catch {
          end(key, nil)
          throw error
        }
      }
    }
  }

  private func begin(_ key: Key) -> Begun {
    state.withLock { state in
      if let event = state.events[key] { return .made(event) }
      if state.waiters[key] != nil { return .making }
      state.waiters[key] = []
      return .new
    }
  }

  /// Waits for the follower that makes an event; `nil` if it has failed, or if the event is not kept.
  private func made(_ key: Key) async -> Event? {
    await withCheckedContinuation { waiter in
      let (isOver, event) = state.withLock { state -> (Bool, Event?) in
        guard state.waiters[key]?.append(waiter) == nil else { return (false, nil) }
        return (true, state.events[key])
      }
      if isOver { waiter.resume(returning: event) }
    }
  }

  /// Passes an event to those that wait for it, and keeps it.
  private func end(_ key: Key, _ event: Event?) {
    let (waiters, released) = state.withLock { state in
      (state.waiters.removeValue(forKey: key), event.map { state.keep($0, for: key, limit) })
    }
    for waiter in waiters ?? [] { waiter.resume(returning: event) }
    _ = consume released
  }

  // MARK: Followers

  /// Records that a follower reads a source.
  func enter(_ source: HubName) -> Reader {
    state.withLock { $0.readers[ObjectIdentifier(source), default: 0] += 1 }
    return Reader(source, self)
  }

  /// Drops the events of a source that nobody reads any longer.
  ///
  /// - Complexity: O(1), and O(k) for k events that are kept if it was the last follower of the source.
  private func leave(_ source: ObjectIdentifier) {
    let released = state.withLock { state -> [Event] in
      let count = (state.readers[source] ?? 1) - 1
      state.readers[source] = count > 0 ? count : nil
      return count > 0 ? [] : state.removeAll(of: source)
    }
    _ = consume released
  }
}

// What they return is no longer kept, and is to be released after unlocking.
extension EncodedEvents.State {
  fileprivate mutating func keep(
    _ event: EncodedEvents.Event, for key: EncodedEvents.Key, _ limit: Int
  ) -> [EncodedEvents.Event] {
    defer { _checkInvariants(limit) }
    guard event.bytes.count <= limit, readers[key.source] != nil else { return [] }
    events[key] = event
    keys.append(key)
    bytes += event.bytes.count
    var released: [EncodedEvents.Event] = []
    while bytes > limit {
      if let oldest = remove(keys[start]) { released.append(oldest) }
      start += 1
    }
    if start > 1024 {
      keys.removeFirst(start)
      start = 0
    }
    return released
  }

  fileprivate mutating func removeAll(of source: ObjectIdentifier) -> [EncodedEvents.Event] {
    let kept = keys[start...]
    (keys, start) = (kept.filter { $0.source != source }, 0)
    let released = kept.filter { $0.source == source }.compactMap { remove($0) }
    _checkInvariants(bytes)
    return released
  }

  private mutating func remove(_ key: EncodedEvents.Key) -> EncodedEvents.Event? {
    guard let event = events.removeValue(forKey: key) else { return nil }
    bytes -= event.bytes.count
    return event
  }

  private func _checkInvariants(_ limit: Int) {
    #if InternalChecks
    let size = events.values.reduce(0) { $0 + $1.bytes.count }
    precondition(size == bytes && size <= limit, "more bytes are kept than the limit allows")
    precondition(
      events.keys.allSatisfy { readers[$0.source] != nil }, "an event of a source without followers"
    )
    precondition(Set(keys[start...]) == Set(events.keys), "an event that would never go")
    #endif
  }
}
