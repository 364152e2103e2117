import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Numbers
import Synchronization
import Testing

/// What was acknowledged does not vanish without a word, whatever becomes of the file.
@Suite(.timeLimit(.minutes(5)))
struct LostFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func contents(_ name: String) -> Data? {
    FileManager.default.contents(atPath: folder.file(name))
  }

  /// A process that was killed has left its log.
  @Test(arguments: [false, true])
  func `A file that is gone beside its log is not made again`(isEmpty: Bool) async throws {
    let writer = try WriterProcess(folder.file(), list: "list", first: 0, count: 10_000)
    let written = try await writer.end(killingAfter: 20)
    let whole = try #require(contents("list"))
    let log = try #require(contents("list-wal"))
    #expect(written.count >= 20 && log.count > 0)
    try FileManager.default.removeItem(atPath: folder.file())
    if isEmpty { try Data().write(to: URL(fileURLWithPath: folder.file())) }
    for _ in 0..<2 {
      let error = await #expect(throws: SQLiteFileError.self) { _ = try await folder.open() }
      #expect(error?.fault == .missingBesideLog(bytes: log.count))
      #expect(error?.path == folder.file())
      #expect(contents("list-wal") == log)
      #expect(contents("list") == (isEmpty ? Data() : nil))
    }
    // With the file everything is there again.
    try whole.write(to: URL(fileURLWithPath: folder.file()))
    let list = try await Numbers.open(try await folder.open().log("list"))
    #expect(await Array(list.numbers.prefix(written.count)) == written)
  }

  @Test(arguments: [0, 4096, 40_960])
  func `A file that is cut while it is open takes no writes`(size: Int) async throws {
    do {
      let list = try await Numbers.open(try await folder.open().log("list"))
      for number in 0..<400 { try await list.add(number) }
    }
    try await Closing.wait(for: folder.file())
    let list = try await Numbers.open(try await folder.open().log("list"))
    try await list.add(400)
    let log = try #require(contents("list-wal"))
    let handle = try #require(FileHandle(forWritingAtPath: folder.file()))
    try handle.truncate(atOffset: UInt64(size))
    try handle.close()
    await #expect(throws: ReplicationError.self) { try await list.add(401) }
    #expect(contents("list-wal") == log)
  }

  enum Mishap: CaseIterable {
    case removed, renamed, replaced, folderRemoved, folderRenamed, folderReplaced, logRemoved,
      emptied
  }

  @Test(arguments: Mishap.allCases)
  func `Who only follows is told`(_ mishap: Mishap) async throws {
    let home = folder.file("home")
    let files = FileManager.default
    try files.createDirectory(atPath: home, withIntermediateDirectories: true)
    let path = home + "/list"
    let faults = Mutex<[SQLiteFileError]>([])
    let file = try await SQLiteFile(path: path) { error in faults.withLock { $0.append(error) } }
    let (told, reports) = AsyncStream.makeStream(of: (any Error).self)
    let list = try await Numbers.open(file.log("list")) { reports.yield($0) }
    try await list.add(1)
    switch mishap {
    case .removed: try files.removeItem(atPath: path)
    case .renamed: try files.moveItem(atPath: path, toPath: path + "-old")
    case .replaced:
      try files.copyItem(atPath: path, toPath: path + "-new")
      #expect(rename(path + "-new", path) == 0)
    case .folderRemoved: try files.removeItem(atPath: home)
    case .folderRenamed: try files.moveItem(atPath: home, toPath: home + "-old")
    case .folderReplaced:
      try files.copyItem(atPath: home, toPath: home + "-new")
      try files.moveItem(atPath: home, toPath: home + "-old")
      try files.moveItem(atPath: home + "-new", toPath: home)
    case .logRemoved: try files.removeItem(atPath: path + "-wal")
    case .emptied:
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: 0)
    }
    for await error in told {
      guard case ReplicationError.log(.rejected(let reason)) = error else { continue }
      #expect(reason.contains("“\(path)”"))
      break
    }
    #expect(faults.withLock { $0.first?.path } == path)
    guard case .log(.rejected)? = await list.failure else {
      Issue.record("The source does not say so.")
      return
    }
    #expect(await list.numbers == [1])
    await #expect(throws: ReplicationError.self) { try await list.add(2) }
  }
}
