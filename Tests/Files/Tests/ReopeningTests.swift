import Diffable
import DiffableSync
import Dispatch
import Foundation
import Numbers
import RawSQLite
import Testing

@testable import DiffableSQLite

/// A list in a file goes on where it was when the file was closed, which nobody waits for.
@Suite(.timeLimit(.minutes(2)))
struct ReopeningTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test func `Revisions, epochs and tokens are those of before`() async throws {
    let names = ["one", "two", "three"]
    var known: [String: (revision: Revision, token: ResumeToken, numbers: [Int])] = [:]
    for round in 0..<8 {
      let file = try await folder.open()
      var options = ReplicationOptions()
      (options.revisionsPerState, options.revisionsKept) = (10, 20)
      for name in names {
        let list = try await Numbers.open(file.log(name), options)
        if let known = known[name] {
          #expect(await list.revision == known.revision)
          #expect(await list.numbers == known.numbers)
          #expect(list.revision(for: known.token) == known.revision)
        }
        let count = name == "one" ? 1 : round * 3
        for number in 0..<count { try await list.add(round * 100 + number) }
        let revision = await list.revision
        known[name] = (revision, list.token(for: revision), await list.numbers)
        await list.finish()
      }
    }
    #expect(known["three"]?.numbers.count == 84)
    #expect(Set(known.values.map { $0.token.description.prefix(22) }).count == 3)
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

  @Test func `The last reference waits for no disk, whoever has it`() throws {
    let folder = try Folder()
    // It stands for a slow disk.
    let queue = DispatchQueue(label: "ReopeningTests")
    queue.suspend()
    do {
      let database = try Database.lists(at: folder.file(), SQLiteFile.Options())
      database.closingQueue = queue
    }
    #expect(folder.has("list-wal"))
    queue.resume()
    queue.sync {}
    #expect(folder.has("list") && !folder.has("list-wal"))
  }

  @Test func `Of many that close at once the last one deletes the log`() async throws {
    let folder = try Folder()
    for _ in 0..<20 {
      do {
        let files = [try await folder.open(), try await folder.open(), try await folder.open()]
        #expect(folder.has("list-wal"))
        withExtendedLifetime(files) {}
      }
      try await Closing.wait(for: folder.file())
    }
  }
}

extension ReplicationOptions {
  fileprivate static var short: ReplicationOptions {
    var options = ReplicationOptions()
    options.timeLimit = .milliseconds(300)
    return options
  }
}

extension Folder {
  fileprivate func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name))
  }
}
