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
}

extension ReplicationOptions {
  fileprivate static var short: ReplicationOptions {
    var options = ReplicationOptions()
    options.timeLimit = .milliseconds(300)
    return options
  }
}
