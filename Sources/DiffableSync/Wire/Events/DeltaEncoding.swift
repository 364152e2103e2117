import Diffable
import Synchronization

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
/// For the others an event is looked up. What a slow follower needs is made for it.
///
/// An encoding may serve several sources, of any kind: one that owns its list, a derived one, a mirror. The
/// followers of each of them share. Sources that are derived twice from one base share nothing, even with
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
  ///   - bytes: The number of bytes of events that it keeps; those that were made first go first. An
  ///     event that is larger is not kept. By default 16 MiB.
  ///   - encode: Writes a delta as JSON without line breaks. What it throws ends the response.
  public init(
    keeping bytes: Int = 16 << 20, encode: @escaping @Sendable (Batch.Delta) throws -> [UInt8]
  ) {
    self.encode = encode
    events = EncodedEvents(bytes: bytes)
  }
}

/// The bytes of events that were made for a follower, for others.
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

  private struct State {
    /// The name of its source is kept with an event: nothing else has its address meanwhile.
    var events: [Key: (event: Event, source: HubName)] = [:]
    /// In the order in which they were made.
    var keys: [Key] = []
    /// The first key that is still in use.
    var start = 0
    var bytes = 0
  }

  private let limit: Int
  private let state = Lock(State())

  init(bytes: Int) {
    limit = bytes
  }

  subscript(key: Key) -> Event? {
    state.withLock { $0.events[key]?.event }
  }

  /// Keeps an event, and drops the oldest ones if there are too many bytes.
  func keep(_ event: Event, for key: Key, of hub: Hub) {
    guard event.bytes.count <= limit else { return }
    state.withLock { state in
      guard state.events.updateValue((event, hub.name), forKey: key) == nil else { return }
      state.keys.append(key)
      state.bytes += event.bytes.count
      while state.bytes > limit {
        let oldest = state.keys[state.start]
        state.start += 1
        state.bytes -= state.events.removeValue(forKey: oldest)?.event.bytes.count ?? 0
      }
      if state.start > 1024 {
        state.keys.removeFirst(state.start)
        state.start = 0
      }
    }
  }
}
