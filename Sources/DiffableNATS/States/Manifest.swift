#if NATS
import CNATS
import Diffable
import DiffableSync

/// Describes a stored state: its size, its checksum, and where its pieces are.
struct Manifest {
  var revision: Revision
  /// Where to read the entries after the revision.
  var place: LogPlace
  var byteCount: Int
  /// The checksum of all bytes of the state.
  var checksum: UInt64
  /// The sequence numbers of the pieces, in order.
  var pieces: [UInt64]

  /// Reads a message; `nil` if it is not a manifest, or says numbers that cannot be.
  init?(_ message: OpaquePointer) {
    self.init(header: { DiffableNATS.header($0, of: message) }, payload: payload(of: message))
  }

  /// Reads the parts of a message.
  init?(header: (String) -> String?, payload: [UInt8]) {
    guard let revision = header(Header.revision).flatMap({ Int($0) }), Revision(revision).isOfLog,
      let byteCount = header(Header.byteCount).flatMap({ Int($0) }), byteCount >= 0,
      let checksum = header(Header.checksum).flatMap({ UInt64($0) }),
      let sequence = header(Header.sequence).flatMap({ UInt64($0) }),
      let base = header(Header.base).flatMap({ Int($0) }),
      let place = LogPlace(checking: sequence, base), base <= revision
    else { return nil }
    (self.revision, self.byteCount, self.checksum) = (Revision(revision), byteCount, checksum)
    (self.place, pieces) = (place, [])
    for text in String(decoding: payload, as: UTF8.self).split(separator: " ") {
      guard let piece = UInt64(text) else { return nil }
      pieces.append(piece)
    }
    guard header(Header.manifest) == "\(coveringChecksum)" else { return nil }
  }

  /// The checksum of all that the manifest says.
  private var coveringChecksum: UInt64 {
    var sum = Checksum()
    sum.add("\(revision.number) \(place.sequence) \(place.revision) \(byteCount) \(checksum)")
    sum.add(pieces.map { "\($0)" }.joined(separator: " "))
    return sum.bits
  }

  /// Creates the manifest of a state whose pieces are stored.
  init(of state: StoredState, at place: LogPlace, pieces: [UInt64]) {
    (revision, byteCount) = (state.revision, state.reset.count)
    (checksum, self.place, self.pieces) = (Checksum(of: state.reset).bits, place, pieces)
  }

  /// Joins the pieces to a state; `nil` if they are not those that were stored.
  func state(_ reset: [UInt8]) -> StoredState? {
    guard reset.count == byteCount, Checksum(of: reset).bits == checksum else { return nil }
    return StoredState(revision: revision, reset: reset)
  }

  /// The message of this manifest, for the stream to take after a given message only.
  func message(
    on subject: String, replacing last: UInt64
  ) throws(RevisionLogError) -> OpaquePointer {
    let what = "preparing a state"
    let text = pieces.map(String.init).joined(separator: " ")
    let message = try made(what) {
      natsMsg_Create($0, subject, nil, text, Int32(clamping: text.utf8.count))
    }
    do {
      try check(natsMsgHeader_Set(message, Header.last, "\(last)"), what)
      try check(natsMsgHeader_Set(message, Header.revision, "\(revision.number)"), what)
      try check(natsMsgHeader_Set(message, Header.sequence, "\(place.sequence)"), what)
      try check(natsMsgHeader_Set(message, Header.base, "\(place.revision)"), what)
      try check(natsMsgHeader_Set(message, Header.byteCount, "\(byteCount)"), what)
      try check(natsMsgHeader_Set(message, Header.checksum, "\(checksum)"), what)
      try check(natsMsgHeader_Set(message, Header.manifest, "\(coveringChecksum)"), what)
      return message
    } catch {
      natsMsg_Destroy(message)
      throw error
    }
  }
}
#endif
