import Diffable
import DiffableSQLite
import DiffableSync
import DiffableTesting
import Foundation
import Testing

/// A damaged file gives a typed error or the right list, and never another list.
@Suite(.timeLimit(.minutes(10)))
struct DamageTests {
  private static let pageSize = 4096

  /// What the lists of the file have.
  private struct Contents {
    var epochs: [String: Epoch] = [:]
    var entries: [String: [LogEntry]] = [:]
    var dropped: [String: Int] = [:]
    var states: [String: [StoredState]] = [:]
  }

  /// What was damaged.
  private enum Damage: CaseIterable {
    case bit
    case bytes
    case zeros
    case exchange
    case end
  }

  private static func write(_ path: String) async throws -> Contents {
    let file = try await SQLiteFile(path: path)
    var contents = Contents()
    var random = SplitMix64(seed: 1)
    for (name, count) in [("one", 40), ("two", 90), ("three", 0), ("four", 3)] {
      let log = file.log(name)
      contents.epochs[name] = try await log.epoch()
      var entries: [LogEntry] = []
      for revision in 0..<count {
        // Some are larger than a page.
        let size = random.chance(oneIn: 8) ? 6000 : random.number(below: 400) + 1
        let delta = (0..<size).map { _ in UInt8(random.number(below: 256)) }
        entries.append(
          LogEntry(
            id: WriteID(using: &random), delta: delta, author: revision % 3 == 0 ? nil : "me",
            kind: revision % 2 == 0 ? .change(name: "write") : .undo(of: [Revision(revision)])))
      }
      contents.entries[name] = entries
      if count > 0 { #expect(try await log.append(entries, after: .empty)) }
      for revision in [count / 3, count * 2 / 3] where revision > 0 {
        let size = random.number(below: 9000)
        let state = StoredState(
          revision: Revision(revision),
          reset: (0..<size).map { _ in UInt8(random.number(below: 256)) })
        contents.states[name, default: []].append(state)
        try await log.store(state, droppingEntriesThrough: Revision(revision / 2))
        contents.dropped[name] = revision / 2
      }
    }
    return contents
  }

  private static func damage(_ data: inout Data, _ random: inout SplitMix64) -> String {
    let pages = data.count / pageSize
    let page = random.number(below: pages) * pageSize
    // What is at the beginning of a page says what is in it.
    let offset =
      random.chance(oneIn: 2)
      ? random.number(below: 100) : random.number(below: pageSize)
    let count = min(pageSize - offset, random.number(below: 64) + 1)
    let damage = Damage.allCases[random.number(below: Damage.allCases.count)]
    switch damage {
    case .bit:
      data[page + offset] ^= 1 << UInt8(random.number(below: 8))
    case .bytes:
      for index in offset..<offset + count {
        data[page + index] = UInt8(random.number(below: 256))
      }
    case .zeros:
      let range =
        random.chance(oneIn: 2) ? page..<page + pageSize : page + offset..<page + offset + count
      data.replaceSubrange(range, with: Array(repeating: 0, count: range.count))
    case .exchange:
      let other = random.number(below: pages) * pageSize
      let (first, second) = (data[page..<page + pageSize], data[other..<other + pageSize])
      let copies = (Array(first), Array(second))
      data.replaceSubrange(page..<page + pageSize, with: copies.1)
      data.replaceSubrange(other..<other + pageSize, with: copies.0)
    case .end:
      data.removeLast(random.number(below: data.count))
    }
    return "\(damage) at \(page / pageSize) + \(offset)"
  }

  /// Reads a list; an error is an answer, too.
  private static func check(
    _ name: String, in file: SQLiteFile, _ contents: Contents, _ comment: Comment
  ) async throws {
    let log = file.log(name)
    #expect(try await log.epoch() == contents.epochs[name], comment)
    let entries = contents.entries[name] ?? []
    let last = try await log.lastRevision()
    #expect(last == Revision(entries.count), comment)
    let state = try await log.newestState()
    if let state { #expect(contents.states[name]?.contains(state) == true, comment) }
    let dropped = contents.dropped[name] ?? 0
    // There is a way to the end.
    #expect(state?.revision.number ?? 0 >= dropped, comment)
    var revision = state?.revision.number ?? 0
    while revision < entries.count {
      guard case .entries(let page, let base) = try await log.entries(after: Revision(revision))
      else {
        Issue.record(comment)
        return
      }
      #expect(page == Array(entries[base.number...].prefix(page.count)), comment)
      revision = base.number + page.count
    }
    // Writing to it either fails, or makes the next revision.
    let next = LogEntry.text("next")
    #expect(try await log.append(next, after: Revision(entries.count)), comment)
    let page = try await log.entries(after: Revision(entries.count))
    #expect(page == .entries([next], after: Revision(entries.count)), comment)
  }

  @Test func `Damaged pages give a typed error or the right list`() async throws {
    let folder = try Folder()
    let contents = try await Self.write(folder.file())
    try await Closing.wait(for: folder.file())
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    #expect(whole.count > 20 * Self.pageSize)
    var (errors, lists) = (0, 0)
    for seed in 0..<UInt64(Scope.rounds(300, long: 20_000)) {
      var random = SplitMix64(seed: seed)
      var data = whole
      let comment: Comment = "seed \(seed): \(Self.damage(&data, &random))"
      let path = folder.file("damaged-\(seed)")
      try data.write(to: URL(fileURLWithPath: path))
      do {
        let file = try await SQLiteFile(path: path)
        for name in contents.epochs.keys.sorted() {
          do {
            try await Self.check(name, in: file, contents, comment)
            lists += 1
          } catch is RevisionLogError {
            errors += 1
          }
        }
      } catch is SQLiteFileError {
        errors += 1
        // An empty file is a new one.
      }
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    #expect(errors > 0 && lists > 0)
  }
}
