#if NATS
import DiffableSync

/// Entries that have arrived and that nobody has taken yet.
///
/// It has no concurrency. Invariants:
///
/// 1. The entries follow one another without a gap, and the first one comes after `last`.
/// 2. Once it has ended, nothing is added.
struct FeedBuffer {
  /// Why the buffer has ended.
  enum End {
    /// An entry is or may be missing, or the buffer is full. Read on with another feed.
    case restart
  }

  /// The largest number of entries and bytes in a page, which has at least one entry.
  static let page = (entries: 256, bytes: 1 << 20)
  /// The number of entries and bytes at which reading stops until somebody asks again.
  static let limit = (entries: 16384, bytes: 16 << 20)

  /// The sequence number of the last entry that was handed out or skipped.
  private(set) var last: UInt64
  private(set) var end: End?
  /// The waiting entries are those from `start` on.
  private var entries: [LogEntry] = []
  private var start = 0
  private var bytes = 0

  init(after last: UInt64) {
    self.last = last
  }

  var isEmpty: Bool { start == entries.count }
  /// The sequence number of the next entry to arrive.
  var next: UInt64 { last + UInt64(entries.count - start) + 1 }

  /// Adds an entry.
  mutating func receive(_ entry: LogEntry, _ sequence: UInt64) {
    guard end == nil, sequence >= next else { return }
    guard sequence == next else { return finish(.restart) }
    entries.append(entry)
    bytes += entry.delta.count
    if entries.count - start >= Self.limit.entries || bytes >= Self.limit.bytes {
      finish(.restart)
    }
  }

  mutating func finish(_ end: End) {
    if self.end == nil { self.end = end }
  }

  /// Skips the entries up to a sequence number, including those that are still to arrive.
  mutating func skip(through sequence: UInt64) {
    guard sequence > last else { return }
    _ = take(Int(min(sequence - last, UInt64(entries.count - start))))
    last = sequence
  }

  /// Takes the next entries, if there are any.
  mutating func takePage() -> [LogEntry] {
    var (index, size) = (start, 0)
    while index < entries.count, index - start < Self.page.entries {
      size += entries[index].delta.count
      if size > Self.page.bytes, index > start { break }
      index += 1
    }
    return take(index - start)
  }

  private mutating func take(_ count: Int) -> [LogEntry] {
    let page = Array(entries[start..<start + count])
    last += UInt64(page.count)
    bytes -= page.reduce(0) { $0 + $1.delta.count }
    start += count
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
