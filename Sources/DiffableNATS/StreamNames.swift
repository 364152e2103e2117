#if NATS
import Diffable

/// The names of the streams of a list, and the subjects of their messages.
struct StreamNames: Sendable {
  let list: String

  /// Answers whether a list may have a name.
  ///
  /// The names of streams may have more characters than this, those of subjects may not.
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

  /// What the names of the other two streams of a list end with.
  static let suffixes = (states: "-state", pieces: "-pieces")

  /// The suffix of a name that makes it one of another list's streams; `nil` if it has none.
  static func suffix(of list: String) -> String? {
    [suffixes.states, suffixes.pieces].first { list.hasSuffix($0) }
  }

  var log: String { list }
  var states: String { list + Self.suffixes.states }
  var pieces: String { list + Self.suffixes.pieces }

  var allManifests: String { "\(list).state.*" }
  var allPieces: String { "\(list).pieces.*" }

  func manifest(of epoch: Epoch) -> String { "\(list).state.\(epoch)" }
  /// The epoch in the subject of a manifest; `nil` if it has another form.
  func epoch(ofManifest subject: String) -> Epoch? {
    let prefix = "\(list).state."
    return subject.hasPrefix(prefix) ? Epoch(String(subject.dropFirst(prefix.count))) : nil
  }
  func pieces(of epoch: Epoch) -> String { "\(list).pieces.\(epoch)" }

  /// The subjects of the log: one for the epoch, one for entries.
  var inLog: String { "\(list).log.*" }
  var epoch: String { "\(list).log.epoch" }
  var entries: String { "\(list).log.entry" }
}

/// The headers of messages.
enum Header {
  /// The name of the write, by which a stream recognizes a repeated entry.
  static let id = "Nats-Msg-Id"
  /// The sequence number that must be the last one in the stream.
  static let last = "Nats-Expected-Last-Sequence"
  /// The largest size of all headers of a message, in bytes.
  static let largestSize: Int64 = 256
  /// The epoch of the log, in each entry.
  static let epoch = "Diffable-Epoch"
  /// The revision that the writer of an append has seen; in a manifest, the one that the message makes
  /// after which a reader of the state goes on.
  static let base = "Diffable-Base"
  static let revision = "Diffable-Revision"
  /// The message after which a reader of a state goes on.
  static let sequence = "Diffable-Sequence"
  static let byteCount = "Diffable-Bytes"
  /// The checksum of the bytes of a state.
  static let checksum = "Diffable-Checksum"
  /// The checksum of everything that a manifest says.
  static let manifest = "Diffable-Manifest"
}
#endif
