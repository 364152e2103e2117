import Diffable
import DiffableSync
import Synchronization

extension RevisionLogCheck {
  func pagesHaveNoGap() async throws {
    let (log, count) = (try makeLog(), scope.revisions)
    var written: [LogEntry] = []
    while written.count < count {
      let kinds: [LogEntry.Kind] = [
        .change(name: nil), .change(name: ""), .change(name: "\u{301}“x”: \n\0"),
        .undo(of: [Revision(3)]), .undo(of: [Revision(5), Revision(2)]), .redo(of: Revision(4)),
      ]
      let group = (0..<min(written.count % 5 + 1, count - written.count)).map { index in
        let number = written.count + index
        var entry = Self.entry(String(repeating: "\(number) ", count: number % 97 + 1))
        (entry.author, entry.kind) = (
          number % 3 == 0 ? nil : "née \(number)", kinds[number % kinds.count]
        )
        return entry
      }
      try await append(group, after: written.count, to: log)
      written += group
    }
    try require(try await read(makeLog(), count: count) == written, "the entries are as written")
    // From anywhere, also backwards.
    for start in [count - 1, count / 2, 0, count / 3] {
      let found = try await read(log, after: start, count: count - start)
      try require(found == Array(written[start...]), "the entries after \(start) are as written")
      let other = try await read(makeLog(), after: start, count: count - start)
      try require(other == Array(written[start...]), "and so they are for others")
    }
  }

  func aReaderIsWokenByAnEntry() async throws {
    let (reader, other, writer) = (try makeLog(), try makeLog(), try makeLog())
    _ = try await reader.epoch()
    for revision in 0..<20 {
      let pages = Task {
        async let first = reader.entries(after: Revision(revision))
        async let same = reader.entries(after: Revision(revision))
        async let second = other.entries(after: Revision(revision))
        return try await [first, same, second]
      }
      let entry = Self.entry("\(revision)")
      try await append([entry], after: revision, to: writer)
      let page = LogPage.entries([entry], after: Revision(revision))
      try requireEqual(try await pages.value, [page, page, page], "the pages of readers")
    }
  }

  func aReaderMayKnowEntries() async throws {
    let (log, other) = (try makeLog(), try makeLog())
    let entries = (0..<8).map { Self.entry("\($0)") }
    let known = KnownRevision()
    try await append(Array(entries[..<3]), after: 0, to: log)
    known.revision = Revision(3)
    let reader = Task { try await log.entries(after: { known.revision }) }
    // What it knows grows while it waits, and may be in the middle of a group.
    known.revision = Revision(4)
    try await append(Array(entries[3..<5]), after: 3, to: log)
    guard case .entries(let page, let base) = try await reader.value else {
      return try require(false, "the log was cut")
    }
    try require(
      (.empty...Revision(4)).contains(base), "a page has a gap after what the reader knows")
    try requireEqual(page, Array(entries[base.number..<5]), "the page")
    // It reads on after what it has appended itself.
    try await append([entries[5]], after: 5, to: log)
    let next = Task { try await log.entries(after: Revision(6)) }
    try await append(Array(entries[6...]), after: 6, to: other)
    guard case .entries(let later, let end) = try await next.value else {
      return try require(false, "the log was cut")
    }
    try requireEqual(end, Revision(6), "the next page begins after")
    try requireEqual(later.first, entries[6], "the first entry of the next page")
    try requireEqual(
      try await read(log, after: 4, count: 4), Array(entries[4...]), "the entries after 4")
  }
}

/// What a reader knows, which grows while it waits.
private final class KnownRevision: Sendable {
  private let state = Lock(Revision.empty)

  var revision: Revision {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
