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

  /// Reads a message; `nil` if it is not a manifest.
  init?(_ message: OpaquePointer) {
    guard let revision = Self.number(Header.revision, of: message, as: Int.self), revision >= 0,
      let byteCount = Self.number(Header.byteCount, of: message, as: Int.self), byteCount >= 0,
      let checksum = Self.number(Header.checksum, of: message, as: UInt64.self)
    else { return nil }
    (self.revision, self.byteCount) = (Revision(revision), byteCount)
    self.checksum = checksum
    // Earlier versions have no place in it: each message of theirs made one revision.
    place = LogPlace(
      sequence: Self.number(Header.sequence, of: message, as: UInt64.self) ?? UInt64(revision) + 1,
      revision: Self.number(Header.base, of: message, as: Int.self) ?? revision)
    pieces = []
    for text in String(decoding: payload(of: message), as: UTF8.self).split(separator: " ") {
      guard let piece = UInt64(text) else { return nil }
      pieces.append(piece)
    }
  }

  /// Creates the manifest of a state whose pieces are stored.
  init(of state: StoredState, at place: LogPlace, pieces: [UInt64]) {
    self.place = place
    (revision, byteCount) = (state.revision, state.reset.count)
    (checksum, self.pieces) = (Checksum(of: state.reset).bits, pieces)
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
      return message
    } catch {
      natsMsg_Destroy(message)
      throw error
    }
  }

  private static func number<Number: LosslessStringConvertible>(
    _ header: String, of message: OpaquePointer, as type: Number.Type
  ) -> Number? {
    DiffableNATS.header(header, of: message).flatMap { Number($0) }
  }
}
#endif
