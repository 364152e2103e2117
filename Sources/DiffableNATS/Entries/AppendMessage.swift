#if NATS
import CNATS
import Diffable
import DiffableSync

/// The entries of an append as a message of the stream.
///
/// A message is stored as a whole, so a log has all entries of an append or none. Each entry begins with
/// a line: the name of the write, and the sizes of the kind, the author and the delta in bytes. They
/// follow in this order. The author of an entry without one has the size `-`:
///
///     0Yw3Jx5c8dV1qkz2m4nB7A 17 5 218
///     change: Move cardann{"format":1, …
enum AppendMessage {
  /// The payload of entries.
  static func payload(of entries: [LogEntry]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.reduce(0) { $0 + $1.delta.count + 80 })
    for entry in entries {
      let kind = Array(entry.kind.description.utf8)
      let author = entry.author.map { Array($0.utf8) }
      let size = author.map { String($0.count) } ?? "-"
      bytes += "\(entry.id) \(kind.count) \(size) \(entry.delta.count)\n".utf8
      bytes += kind
      bytes += author ?? []
      bytes += entry.delta
    }
    return bytes
  }

  /// Reads a payload; `nil` if it is not one.
  static func entries(in bytes: [UInt8]) -> [LogEntry]? {
    var (entries, rest) = ([LogEntry](), bytes[...])
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    while !rest.isEmpty {
      guard let end = rest.prefix(200).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      let fields = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      rest = rest[(end + 1)...]
      guard fields.count == 4, let id = WriteID(String(fields[0])),
        let kind = Int(fields[1]).flatMap(take).flatMap({
          LogEntry.Kind(String(decoding: $0, as: UTF8.self))
        })
      else { return nil }
      var author: String?
      if fields[2] != "-" {
        guard let bytes = Int(fields[2]).flatMap(take) else { return nil }
        author = String(decoding: bytes, as: UTF8.self)
      }
      guard let delta = Int(fields[3]).flatMap(take), !delta.isEmpty else { return nil }
      entries.append(LogEntry(id: id, delta: Array(delta), author: author, kind: kind))
    }
    return entries.isEmpty ? nil : entries
  }

  /// What is in a message.
  struct Content {
    /// The entries, one at least.
    var entries: [LogEntry]
    /// The revision that their writer has seen; `nil` if a stranger has written the message.
    var base: Int?
  }

  /// What is in a message.
  ///
  /// One that no participant of this log has written counts as an entry that changes nothing.
  static func content(of message: OpaquePointer, _ sequence: UInt64, in epoch: Epoch) -> Content {
    if header(Header.epoch, of: message) == epoch.description,
      // So that adding to it cannot overflow, whoever has written it.
      let base = header(Header.base, of: message).flatMap({ Int($0) }), Revision(base).isOfLog,
      let entries = entries(in: DiffableNATS.payload(of: message))
    {
      return Content(entries: entries, base: base)
    }
    return Content(
      entries: [LogEntry(id: WriteID(ofForeignMessage: sequence), delta: [])], base: nil)
  }
}
#endif
