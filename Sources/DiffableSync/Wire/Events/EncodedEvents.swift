import Diffable
import Synchronization

/// The bytes of events that were made for a follower, for others.
///
/// The first follower that needs an event makes it. Those that need it meanwhile wait for that: a follower that
/// lags needs a difference that is worked out in a task, and until that task has had its turn, thousands of
/// others may ask for the same one.
///
/// They stay when the last follower of a source leaves: clients come back one after another.
///
/// Invariant: The events that are kept have no more bytes than the limit.
final class EncodedEvents: Sendable {
  /// What an event leads from and to; the differences and the notes in between are always the same.
  struct Key: Hashable, Sendable {
    /// The name is held, so that no other source is taken for this one.
    private let source: HubName
    let base: Revision?
    let target: Revision
    let presentation: Presentation

    init(_ hub: Hub, _ transition: HubTransition) {
      source = hub.name
      // A reset has no difference, but it has the names that were given since.
      let isSameForAll = transition.isReset && transition.notes.isEmpty
      base = isSameForAll ? nil : transition.base?.revision
      (target, presentation) = (transition.target.revision, transition.presentation)
    }
  }

  struct Event: Sendable {
    let bytes: [UInt8]
    let changeCount: Int
  }

  fileprivate struct State {
    /// What is kept.
    var events: [Key: Event] = [:]
    /// Its keys, in the order in which it was made.
    var keys: [Key] = []
    /// The first key that is still in use.
    var start = 0
    var bytes = 0
    /// What is being made, for those that wait for it; `nil` if it cannot be made.
    var awaited: [Key: Promised<Event?>] = [:]
  }

  private enum Begun {
    case made(Event)
    /// Another follower makes it.
    case making(Promised<Event?>)
    /// The caller has to make it.
    case new(Promise<Event?>)
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
      case .making(let other): if let event = await other.value { return (event, false) }
      case .new(let promise):
        do {
          let event = try await make()
          end(key, event, promise)
          return (event, true)
        } catch {
          end(key, nil, promise)
          throw error
        }
      }
    }
  }

  private func begin(_ key: Key) -> Begun {
    state.withLock { state in
      if let event = state.events[key] { return .made(event) }
      if let awaited = state.awaited[key] { return .making(awaited) }
      let promise = Promise<Event?>(otherwise: nil)
      state.awaited[key] = promise.promised
      return .new(promise)
    }
  }

  /// Passes an event to those that wait for it, and keeps it.
  private func end(_ key: Key, _ event: Event?, _ promise: Promise<Event?>) {
    let released = state.withLock { state in
      state.awaited[key] = nil
      return event.map { state.keep($0, for: key, limit) }
    }
    promise.fulfil(event)
    _ = consume released
  }
}

extension EncodedEvents.State {
  /// - Returns: What is no longer kept, to be released after unlocking.
  fileprivate mutating func keep(
    _ event: EncodedEvents.Event, for key: EncodedEvents.Key, _ limit: Int
  ) -> [EncodedEvents.Event] {
    defer { _checkInvariants(limit) }
    guard event.bytes.count <= limit else { return [] }
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

  private mutating func remove(_ key: EncodedEvents.Key) -> EncodedEvents.Event? {
    guard let event = events.removeValue(forKey: key) else { return nil }
    bytes -= event.bytes.count
    return event
  }

  private func _checkInvariants(_ limit: Int) {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    let size = events.values.reduce(0) { $0 + $1.bytes.count }
    precondition(size == bytes && size <= limit, "more bytes are kept than the limit allows")
    precondition(Set(keys[start...]) == Set(events.keys), "an event that would never go")
    #endif
  }
}

/// How deltas become the bytes of events, once for all followers that need the same delta.
///
/// Nearly all followers of a list go from the same revision to the same revision. A server with many of
/// them makes one encoding, and passes it to each response:
///
/// ```swift
/// let encoding = DeltaEncoding<ModelBatch<String, Note>> { try Array(JSONEncoder().encode($0)) }
///
/// func response(to request: Request) -> some AsyncSequence<[UInt8], any Error> {
///   notes.events(after: request.lastEventID.map(ResumeToken.init), encoding: encoding)
/// }
/// ```
///
/// The first follower that goes from one revision to another pays for the batch, the delta and its text.
/// For the others an event is looked up, or awaited while it is made. So followers that lag cost little more than
/// the others: those that go from the same revision to the same later one share their bytes as well.
///
/// An encoding may serve several sources, of any kind: one that owns its list, a derived one, a mirror. The
/// followers of one source share. Sources that are derived twice from one base share nothing, even with
/// equal queries: let all followers of a query follow one derived source.
///
/// All followers get the same bytes. If they may not see the same, make an encoding for each group
/// of them, or pass a function to each response.
public final class DeltaEncoding<Batch: DeltaBatch>: Sendable {
  let encode: @Sendable (Batch.Delta) throws -> [UInt8]
  let events: EncodedEvents

  /// Creates an encoding.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes of events that it keeps, for all sources together: 16 MiB by default.
  ///     Those that were made first go first. An event that is larger is not kept.
  ///   - encode: Writes a delta as JSON without line breaks. What it throws ends the response.
  public init(
    keeping bytes: Int = 16 << 20, encode: @escaping @Sendable (Batch.Delta) throws -> [UInt8]
  ) {
    self.encode = encode
    events = EncodedEvents(bytes: bytes)
  }
}
