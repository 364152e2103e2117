#if NATS
import DiffableSync

/// Entries that have arrived and that nobody has taken yet.
///
/// It has no concurrency. Invariants:
///
/// 1. The entries follow one another without a gap, and the first one makes the revision after `last`.
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

  /// The revision of the last entry that was handed out or skipped.
  private(set) var last: Int
  /// The last message that has arrived, and the revision that it makes.
  private(set) var arrived: LogPlace
  private(set) var end: End?
  /// The waiting entries are those from `start` on.
  private var entries: [LogEntry] = []
  private var start = 0
  private var bytes = 0

  init(after place: LogPlace) {
    (last, arrived) = (place.revision, place)
  }

  var isEmpty: Bool { start == entries.count }
  /// The revision of the next entry that is not known yet.
  var next: Int { last + entries.count - start + 1 }

  /// Adds the entries of a message.
  mutating func receive(_ new: [LogEntry], _ sequence: UInt64) {
    guard end == nil, sequence > arrived.sequence else { return }
    guard sequence == arrived.sequence + 1 else { return finish(.restart) }
    let known = next - 1 - arrived.revision
    arrived = LogPlace(sequence: sequence, revision: arrived.revision + new.count)
    let added = new.dropFirst(max(0, known))
    entries += added
    bytes += added.reduce(0) { $0 + $1.delta.count }
    if entries.count - start >= Self.limit.entries || bytes >= Self.limit.bytes {
      finish(.restart)
    }
  }

  mutating func finish(_ end: End) {
    if self.end == nil { self.end = end }
  }

  /// Skips the entries up to a revision, including those that are still to arrive.
  mutating func skip(through revision: Int) {
    guard revision > last else { return }
    _ = take(min(revision - last, entries.count - start))
    last = revision
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
    last += page.count
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
