import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Numbers
import RawSQLite
import Testing

/// A list in a file goes on where it was when the file was closed.
@Suite(.timeLimit(.minutes(2)))
struct ReopeningTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Opens the file anew, uses its lists, and closes it.
  private func withLists<Result>(
    _ names: [String] = ["list"], author: String? = "me",
    _ body: ([Numbers]) async throws -> Result
  ) async throws -> Result {
    let file = try await folder.open()
    var options = ReplicationOptions()
    options.author = author
    (options.revisionsPerState, options.revisionsKept) = (10, 20)
    var lists: [Numbers] = []
    for name in names { lists.append(try await Numbers.open(file.log(name), options)) }
    let result = try await body(lists)
    for list in lists { await list.finish() }
    return result
  }

  @Test func `Revisions, epochs and tokens are those of before`() async throws {
    let names = ["one", "two", "three"]
    var known: [String: (revision: Revision, token: ResumeToken, numbers: [Int])] = [:]
    for round in 0..<8 {
      try await withLists(names) { lists in
        for (name, list) in zip(names, lists) {
          if let known = known[name] {
            #expect(await list.revision == known.revision)
            #expect(await list.numbers == known.numbers)
            #expect(list.revision(for: known.token) == known.revision)
          }
          let count = name == "one" ? 1 : round * 3
          for number in 0..<count { try await list.add(round * 100 + number) }
          let revision = await list.revision
          known[name] = (revision, list.token(for: revision), await list.numbers)
        }
      }
    }
    #expect(known["three"]?.numbers.count == 84)
    #expect(Set(known.values.map { $0.token.description.prefix(22) }).count == 3)
  }

  @Test func `A write that changes nothing has no change to revert, before and after a restart`()
    async throws
  {
    let first = try await withLists { lists in
      let first = try await lists[0].update(named: "First") { draft in
        draft.appendSections(["Numbers"])
        try draft.appendItems([1, 2])
      }
      try await expectNothing(lists[0], "First")
      return first
    }
    try await withLists { lists in
      #expect(lists[0].change(of: first.revision)?.revision == first.revision)
      try await expectNothing(lists[0], "First")
      try await lists[0].revert(first.change)
      #expect(await lists[0].numbers == [])
    }
  }

  private func expectNothing(_ list: Numbers, _ undo: String) async throws {
    let before = await (list.snapshot, list.revision)
    let writes = [
      try await list.update(named: "Mine") { try $0.moveItem(2, afterItem: 1) }.change,
      try await list.apply(list.snapshot).change,
      try await list.merge(list.snapshot, basedOn: list.revision).change,
      try await list.updateOrder(named: "Mine") { _ in }.change,
    ]
    #expect(writes == [nil, nil, nil, nil])
    let reverted = try await list.revertAll(writes)
    #expect(reverted.change == nil && reverted.difference.isEmpty)
    #expect(await list.snapshot == before.0)
    #expect(await list.revision == before.1)
    #expect(list.nextUndo()?.name == undo && list.nextRedo() == nil)
  }

  @Test func `A client resumes without a reset`() async throws {
    let token = try await withLists { lists in
      for number in 0..<25 { try await lists[0].add(number) }
      return lists[0].token(for: Revision(22))
    }
    try await withLists { lists in
      let batch = try #require(await lists[0].updates(after: token).first { _ in true })
      #expect(batch.base == Revision(22))
      #expect(batch.snapshot.itemIdentifiers == Array(0..<25))
    }
  }

  @Test func `Named changes can be undone and redone by their author`() async throws {
    try await withLists { lists in
      for number in 0..<14 { try await lists[0].add(number, named: "add \(number)") }
      let undone = try await lists[0].undo()
      #expect(undone?.reversedChange?.name == "add 13")
    }
    try await withLists(author: "other") { lists in
      let undone = try await lists[0].undo()
      #expect(undone == nil)
      try await lists[0].add(100, named: "add 100")
    }
    try await withLists { lists in
      let undone = try await lists[0].undo()
      #expect(undone?.reversedChange?.name == "add 12")
      #expect(await lists[0].numbers == Array(0..<12) + [100])
    }
    try await withLists { lists in
      let redone = try await lists[0].redo()
      #expect(redone?.reversedChange?.name == "add 12")
      #expect(await lists[0].numbers == Array(0..<13) + [100])
    }
  }

  @Test func `A file that another program keeps locked is busy`() async throws {
    let file = try await folder.open()
    _ = try await file.log("list").epoch()
    var other: OpaquePointer?
    #expect(sqlite3_open(folder.file(), &other) == SQLITE_OK)
    defer { sqlite3_close(other) }
    #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    var options = SQLiteFile.Options()
    options.timeout = .milliseconds(20)
    // It can be read meanwhile.
    let impatient = try await SQLiteFile(path: folder.file(), options: options)
    let log = impatient.log("list")
    #expect(try await log.lastRevision() == .empty)
    let error = await #expect(throws: RevisionLogError.self) {
      _ = try await log.append(.text("one"), after: .empty)
    }
    guard case .notDone(let reason)? = error else {
      Issue.record("The error is \(String(describing: error)).")
      return
    }
    #expect(reason.contains(folder.file()))
    // Writers that share an append hear that nothing was changed, when their time is over.
    let numbers = try await Numbers.open(log, ReplicationOptions.short)
    let writers = (0..<4).map { number in Task { try await numbers.add(number) } }
    for writer in writers {
      await #expect {
        try await writer.value
      } throws: {
        if case ReplicationError.timedOut = $0 { true } else { false }
      }
    }
    // A task that waits for it can be cancelled.
    let patient = Task { try await file.log("list").append(.text("two"), after: .empty) }
    let waiting = Task { try await file.log("list").append(.text("three"), after: .empty) }
    waiting.cancel()
    await #expect(throws: RevisionLogError.self) { _ = try await waiting.value }
    #expect(sqlite3_exec(other, "COMMIT", nil, nil, nil) == SQLITE_OK)
    #expect(try await patient.value)
  }
}

extension ReplicationOptions {
  fileprivate static var short: ReplicationOptions {
    var options = ReplicationOptions()
    options.timeLimit = .milliseconds(300)
    return options
  }
}
