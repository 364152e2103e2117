import Diffable
import DiffableSQLite
import DiffableSync
import DiffableTesting
import Foundation
import Numbers
import Testing

/// Several processes write one list, and processes are killed while they write.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProcessTests {
  private static func options() -> ReplicationOptions {
    var options = ReplicationOptions()
    options.revisionsPerState = .max
    return options
  }

  @Test func `Four processes write one list`() async throws {
    let folder = try Folder()
    let each = Scope.rounds(250, long: 2500)
    let file = try await folder.open()
    let list = try await Numbers.open(file.log("list"), Self.options())
    let written = try await withThrowingTaskGroup(of: [Int].self) { group in
      for writer in 1...4 {
        group.addTask {
          try await WriterProcess(
            folder.file(), list: "list", first: writer * 1_000_000, count: each
          ).end()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // This process has heard of it all, and has the same list as one that opens the file now.
    try await list.reached(Revision(4 * each))
    let numbers = await list.numbers
    for own in written {
      #expect(own.count == each)
      #expect(numbers.filter { own.first.map { $0 / 1_000_000 } == $0 / 1_000_000 } == own)
    }
    let other = try await Numbers.open(try await folder.open().log("list"), Self.options())
    #expect(await other.revision == Revision(4 * each))
    #expect(await other.numbers == numbers)
    #expect(await other.token(for: other.revision) == list.token(for: list.revision))
  }

  /// The limit strikes at any place of a write: in the file, in the log beside it, and in what they share.
  @Test func `A file that may not become larger takes what was acknowledged, and nothing else`()
    async throws
  {
    var (least, most) = (Int.max, 0)
    for limit in stride(from: 1, to: Scope.rounds(1200, long: 12_000), by: 47) {
      let folder = try Folder()
      let written = try await WriterProcess(
        folder.file(), list: "list", first: 0, count: 10_000, limit: limit
      ).end()
      #expect(written == Array(0..<written.count))
      // Without the limit it goes on.
      let list = try await Numbers.open(try await folder.open().log("list"), Self.options())
      #expect(await list.numbers == written, "limit \(limit)")
      try await list.add(-1)
      #expect(await list.numbers == written + [-1], "limit \(limit)")
      (least, most) = (min(least, written.count), max(most, written.count))
    }
    // It has struck before the first write, and after some.
    #expect(least == 0 && most > 0)
  }

  @Test func `What was acknowledged before a process was killed is there once`() async throws {
    let folder = try Folder()
    var random = SplitMix64(seed: 7)
    var (acknowledged, token): ([Int], ResumeToken?) = ([], nil)
    var first = 0
    for round in 0..<Scope.rounds(12, long: 500) {
      let limit = random.number(below: 24)
      let writer = try WriterProcess(folder.file(), list: "list", first: first, count: 10_000)
      let written = try await writer.end(killingAfter: limit)
      acknowledged += written
      let list = try await Numbers.open(try await folder.open().log("list"), Self.options())
      let numbers = await list.numbers
      // The write that was under way may have been made.
      let isMade = numbers.last == first + written.count
      #expect(numbers == acknowledged + (isMade ? [first + written.count] : []), "round \(round)")
      acknowledged = numbers
      first += written.count + 1
      // A client that followed the list before the process was killed resumes.
      if let token, token != list.token(for: await list.revision) {
        let batch = try #require(await list.updates(after: token).first { _ in true })
        #expect(batch.base != nil, "round \(round)")
        #expect(batch.snapshot.itemIdentifiers == numbers)
      }
      token = await list.token(for: list.revision)
    }
  }
}
