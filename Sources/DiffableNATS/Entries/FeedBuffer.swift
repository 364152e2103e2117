#if NATS
import Diffable

/// Entries that have come and that nobody has asked for yet.
///
/// Without any concurrency.
///
/// 1. The entries follow each other without a gap, and the first one makes the revision after `last`.
/// 2. Once it has ended, nothing is added.
struct FeedBuffer {
  /// Why nothing more is added.
  enum End {
    /// Something is missing or may be missing, or too much has come: read on from there.
    case restart
    case failed(RevisionLogError)
  }

  /// The largest number of entries and bytes of a page.
  ///
  /// A page has one entry at least.
  static let page = (entries: 256, bytes: 1 << 20)
  /// How many entries and bytes may wait before reading stops until somebody asks again.
  static let limit = (entries: 16384, bytes: 16 << 20)

  /// The sequence number of the last entry that was handed out.
  private(set) var last: UInt64
  private(set) var end: End?
  /// Entries from `start` on.
  private var entries: [LogEntry] = []
  private var start = 0
  private var bytes = 0

  init(after last: UInt64) {
    self.last = last
  }

  var isEmpty: Bool { start == entries.count }
  /// The sequence number of the next entry to come.
  var next: UInt64 { last + UInt64(entries.count - start) + 1 }

  /// Adds what has come; `nil` for a message that is no entry.
  mutating func receive(_ entry: LogEntry?, _ sequence: UInt64) {
    guard end == nil, sequence >= next else { return }
    guard sequence == next else { return finish(.restart) }
    guard let entry else {
      return finish(
        .failed(.rejected(reason: "message \(sequence) of the stream is not an entry of a log")))
    }
    entries.append(entry)
    bytes += entry.delta.count
    if entries.count - start >= Self.limit.entries || bytes >= Self.limit.bytes {
      finish(.restart)
    }
  }

  mutating func finish(_ end: End) {
    if self.end == nil { self.end = end }
  }

  /// Takes the next entries, which may be none.
  mutating func takePage() -> [LogEntry] {
    var (index, size) = (start, 0)
    while index < entries.count, index - start < Self.page.entries {
      size += entries[index].delta.count
      if size > Self.page.bytes, index > start { break }
      index += 1
    }
    let page = Array(entries[start..<index])
    last += UInt64(page.count)
    bytes -= page.reduce(0) { $0 + $1.delta.count }
    start = index
    if start == entries.count {
      (entries, start) = ([], 0)
    } else if start >= 4096 {
      entries.removeFirst(start)
      start = 0
    }
    return page
  }
}
#endif
