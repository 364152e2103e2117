#if NATS
import Diffable

/// What the streams of a list are called, and the subjects of their messages.
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

  func manifest(of epoch: Epoch) -> String { "\(list).state.\(epoch)" }
  func pieces(of epoch: Epoch) -> String { "\(list).pieces.\(epoch)" }

  /// The subjects of the log: one message with the epoch, and entries.
  var inLog: String { "\(list).log.*" }
  var epoch: String { "\(list).log.epoch" }
  var entries: String { "\(list).log.entry" }
}

extension Revision {
  /// The sequence number of the entry that makes the revision; `nil` if no entry can make it.
  ///
  /// The first message of the stream has the epoch. So revision 0 has its number.
  var sequence: UInt64? {
    number >= 0 && number < Int.max - 1 ? UInt64(number) + 1 : nil
  }
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
