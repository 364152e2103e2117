import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Testing

/// A file that is not one of lists says why, and stays as it is.
@Suite(.timeLimit(.minutes(1)))
struct RecognitionTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func contents(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
  }

  /// Opening a file fails, and leaves it and its folder as they were.
  private func expect(
    _ expected: SQLiteFileError.Fault, opening name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try contents(name)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let error = await #expect(throws: SQLiteFileError.self, sourceLocation: sourceLocation) {
      _ = try await folder.open(name)
    }
    #expect(error?.fault == expected, sourceLocation: sourceLocation)
    #expect(error?.description.contains(folder.file(name)) == true, sourceLocation: sourceLocation)
    #expect(try contents(name) == before, sourceLocation: sourceLocation)
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(after == names, sourceLocation: sourceLocation)
  }

  /// Changes bytes of a new file of lists.
  private func makeFile(_ name: String, replacing bytes: [Int: [UInt8]]) async throws {
    do {
      let file = try await folder.open("new")
      _ = try await file.log("list").epoch()
    }
    // What has closed the file has written everything into it.
    try await Closing.wait(for: folder.file("new"))
    var data = try contents("new")
    for (offset, bytes) in bytes {
      data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    try data.write(to: URL(fileURLWithPath: folder.file(name)))
  }

  @Test(arguments: [2, 100, 511, 512, 4096, 10_000])
  func `A file that is no database`(size: Int) async throws {
    try Data(repeating: UInt8(ascii: "x"), count: size)
      .write(to: URL(fileURLWithPath: folder.file("notes.txt")))
    try await expect(.notADatabase, opening: "notes.txt")
  }

  /// The application is at byte 68 of the header, and the version at byte 60.
  @Test(
    arguments: [
      ([68: [0, 0, 1, 2]], .otherApplication(id: 258)),
      ([68: [0, 0, 0, 0]], .otherApplication(id: 0)),
      ([60: [0, 0, 0, 2]], .newerVersion(found: 2, supported: 1)),
      ([60: [0, 0, 0, 0]], .corrupt(reason: "it says version 0, which there has not been")),
    ] as [([Int: [UInt8]], SQLiteFileError.Fault)])
  func `A database of another application or version`(
    _ bytes: [Int: [UInt8]], _ fault: SQLiteFileError.Fault
  ) async throws {
    try await makeFile("other", replacing: bytes)
    try await expect(fault, opening: "other")
  }

  @Test func `A database of another application that was killed keeps its log`() async throws {
    let ends = ["", "-wal", "-shm"]
    let sql = "PRAGMA journal_mode = WAL; CREATE TABLE songs (title)"
    try OtherProgram.run(sql, on: folder.file("music")) {
      for end in ends {
        try FileManager.default.copyItem(
          atPath: folder.file("music" + end), toPath: folder.file("killed" + end))
      }
    }
    let log = try contents("killed-wal")
    #expect(!log.isEmpty)
    try await expect(.otherApplication(id: 0), opening: "killed")
    #expect(try contents("killed-wal") == log)
  }

  @Test func `A folder that does not exist, and what is not a path`() async throws {
    for path in ["", folder.file("missing/list")] {
      let error = await #expect(throws: SQLiteFileError.self) {
        _ = try await SQLiteFile(path: path)
      }
      #expect(error?.path == path)
      guard case .cannotOpen? = error?.fault else {
        Issue.record("“\(path)” gives \(String(describing: error)).")
        continue
      }
    }
  }

  @Test func `What is no file says what it is`() async throws {
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    for (path, found) in [
      (folder.path, "a folder"), (folder.file("pipe"), "a pipe (FIFO)"), ("/dev/null", "a device"),
      ("/dev/zero", "a device"),
    ] {
      let error = await #expect(throws: SQLiteFileError.self) {
        _ = try await SQLiteFile(path: path)
      }
      #expect(error?.fault == .notAFile(found: found))
      #expect(error?.description.contains("“\(path)”") == true)
    }
  }

  @Test func `What another program has added is refused`() async throws {
    for (number, (name, sql)) in [
      ("t", "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END"),
      ("v", "CREATE VIEW v AS SELECT * FROM entries"), ("i", "CREATE INDEX i ON entries (id)"),
      ("x", "CREATE TABLE x (y)"),
    ].enumerated() {
      let path = "file \(number)"
      do { _ = try await folder.open(path).log("list").epoch() }
      try await Closing.wait(for: folder.file(path))
      try OtherProgram.run(sql, on: folder.file(path))
      try await Closing.wait(for: folder.file(path))
      try await expect(.foreignSchema(name: name), opening: path)
    }
  }

  @Test func `A trigger that comes later deletes nothing`() async throws {
    let file = try await folder.open()
    let log = file.log("list")
    #expect(try await log.append(.text("one"), after: .empty))
    try OtherProgram.run(
      "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END", on: folder.file())
    let error = await #expect(throws: RevisionLogError.self) {
      _ = try await log.append(.text("two"), after: Revision(1))
    }
    #expect("\(String(describing: error))".contains("“t”"))
    try OtherProgram.run("DROP TRIGGER t", on: folder.file())
    #expect(try await log.append(.text("two"), after: Revision(1)))
    #expect(try await log.lastRevision() == Revision(2))
  }

  @Test func `An empty file becomes a file of lists`() async throws {
    try Data().write(to: URL(fileURLWithPath: folder.file("empty")))
    #expect(try await folder.open("empty").names().isEmpty)
  }

  @Test func `A new file that several open at once is one of lists for all of them`() async throws {
    for round in 0..<Scope.rounds(30, long: 1000) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask { [folder] in _ = try await folder.open("new \(round)").names() }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `A file that is deleted while it is open refuses writes`() async throws {
    let file = try await folder.open()
    let log = file.log("list")
    #expect(try await log.append(.text("one"), after: .empty))
    try FileManager.default.removeItem(atPath: folder.file())
    let error = await #expect(throws: (any Error).self) {
      _ = try await log.append(.text("two"), after: .init(1))
    }
    #expect("\(String(describing: error))".contains("moved or deleted"))
  }
}
