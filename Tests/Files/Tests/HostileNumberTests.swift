import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Numbers
import RawSQLite
import Testing

/// Each field of a stored file set to numbers that it cannot have: a typed error, or the right list.
@Suite(.timeLimit(.minutes(5)))
struct HostileNumberTests {
  private static let numbers = [-1, 0, 1, Int(Int32.max), 1 << 40, 1 << 62, Int.max, Int.min]

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func makeFile() async throws -> Data {
    do {
      let file = try await folder.open("whole")
      for name in ["one", "two"] {
        let log = file.log(name)
        for revision in 0..<3 {
          let entry = LogEntry(
            id: WriteID(), delta: [1, 2], author: "me", kind: .undo(of: [Revision(revision)]))
          #expect(try await log.append(entry, after: Revision(revision)))
        }
        try await log.store(
          StoredState(revision: Revision(2), reset: [1]), droppingEntriesThrough: Revision(1))
      }
    }
    try await Closing.wait(for: folder.file("whole"))
    return try Data(contentsOf: URL(fileURLWithPath: folder.file("whole")))
  }

  /// Uses all of a file, and expects nothing but that the program goes on.
  private func use(_ name: String) async {
    guard let file = try? await folder.open(name) else { return }
    _ = try? await file.names()
    for name in ["one", "two", "three"] {
      let log = file.log(name)
      let end = (try? await log.lastRevision()) ?? .empty
      _ = try? await log.newestState()
      _ = try? await log.state(before: end)
      _ = try? await log.isComplete()
      for revision in [-1, 0, 1, 2, .min] where revision < end.number {
        _ = try? await log.entries(after: Revision(revision))
      }
      _ = try? await log.append(.text("next"), after: end)
      _ = try? await log.store(
        StoredState(revision: end, reset: [3]), droppingEntriesThrough: end)
    }
  }

  @Test func `Every field of every row`() async throws {
    let whole = try await makeFile()
    let tables = [
      "lists": ["number", "name", "epoch", "dropped", "last", "checksum"],
      "entries": ["key", "id", "author", "kind", "delta", "checksum"],
      "states": ["key", "reset", "checksum"], "sqlite_sequence": ["name", "seq"],
      "sqlite_schema": ["type", "name", "tbl_name", "rootpage", "sql"],
    ]
    var count = 0
    for (table, columns) in tables.sorted(by: { $0.key < $1.key }) {
      for column in columns {
        for row in 0..<(table == "sqlite_schema" ? 4 : table == "sqlite_sequence" ? 1 : 2) {
          for number in Self.numbers {
            count += 1
            let name = "changed-\(count)"
            try whole.write(to: URL(fileURLWithPath: folder.file(name)))
            try? OtherProgram.run(
              """
              PRAGMA writable_schema = ON;
              UPDATE \(table) SET \(column) = \(number == .min ? "-9223372036854775807 - 1" : "\(number)")
              WHERE rowid = (SELECT rowid FROM \(table) ORDER BY rowid LIMIT 1 OFFSET \(row))
              """, on: folder.file(name))
            await use(name)
            for end in ["", "-wal", "-shm"] {
              try? FileManager.default.removeItem(atPath: folder.file(name) + end)
            }
          }
        }
      }
    }
    #expect(count > 300)
  }

  @Test func `Every number of the header`() async throws {
    let whole = try await makeFile()
    for offset in 0..<100 {
      for bytes in [[0], [0xFF], [0x7F], [0x80], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
        var data = whole
        data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        let name = "header-\(offset)"
        try data.write(to: URL(fileURLWithPath: folder.file(name)))
        await use(name)
        for end in ["", "-wal", "-shm", "-journal"] {
          try? FileManager.default.removeItem(atPath: folder.file(name) + end)
        }
      }
    }
  }

  @Test(arguments: [-1, 0, 1 << 62, Int.max, Int.min])
  func `A number of lists that cannot be is an error that names the file`(_ number: Int)
    async throws
  {
    _ = try await makeFile()
    try OtherProgram.run(
      "UPDATE sqlite_sequence SET seq = \(number == .min ? "-9223372036854775807 - 1" : "\(number)")",
      on: folder.file("whole"))
    let file = try await folder.open("whole")
    let error = await #expect(throws: SQLiteFileError.self) { _ = try await file.names() }
    guard case .corrupt? = error?.fault else {
      Issue.record("The error is \(String(describing: error)).")
      return
    }
    #expect(error?.path == folder.file("whole"))
  }
}
