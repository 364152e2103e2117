#if NATS
import Diffable

/// What the streams of a list are called, and the subjects of their messages.
///
/// The subjects contain the epoch. So an entry for a stream that was deleted and made again does not
/// get into the new one, whose sequence numbers may happen to fit.
struct StreamNames: Sendable {
  let list: String

  /// Answers whether a list may have a name.
  ///
  /// Streams accept more, subjects do not.
  static func accepts(_ list: String) -> Bool {
    (1...100).contains(list.utf8.count)
      && list.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  var log: String { list }
  var states: String { list + "-state" }
  var pieces: String { list + "-pieces" }

  var allManifests: String { "\(list).state.*" }
  var allPieces: String { "\(list).pieces.*" }

  func entries(of epoch: Epoch) -> String { entries + epoch.description }
  func manifest(of epoch: Epoch) -> String { "\(list).state.\(epoch)" }
  func pieces(of epoch: Epoch) -> String { "\(list).pieces.\(epoch)" }

  /// The epoch of a log whose messages have a subject; `nil` if a subject is none of a log.
  func epoch(ofEntries subject: String) -> Epoch? {
    subject.hasPrefix(entries) ? Epoch(String(subject.dropFirst(entries.count))) : nil
  }

  private var entries: String { "\(list).log." }
}

/// The headers of messages.
enum Header {
  /// The name of the write, by which a stream recognizes an entry that it has.
  static let id = "Nats-Msg-Id"
  /// The sequence number that must be the last one of the stream.
  static let last = "Nats-Expected-Last-Sequence"
  /// No message has more bytes of headers.
  static let largestSize: Int64 = 256
  static let revision = "Diffable-Revision"
  static let byteCount = "Diffable-Bytes"
  static let checksum = "Diffable-Checksum"
}
#endif
