import Diffable

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
