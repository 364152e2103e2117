#if os(Linux)
import Diffable
import DiffableSQLite
import DiffableSync
import Foundation
import Glibc
import Numbers
import Synchronization
import Testing

/// Lists on a disk that is full, or that accepts no writes: a small file system in memory.
///
/// Only an administrator may make one. Elsewhere these tests do nothing.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct FullDiskTests {
  /// A file system of half a megabyte, while this exists.
  private final class Disk: Sendable {
    let folder: Folder

    init?() throws {
      folder = try Folder()
      guard mount("tmpfs", folder.path, "tmpfs", 0, "size=512k") == 0 else { return nil }
    }

    func remount(readOnly: Bool) -> Bool {
      let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
      return mount("tmpfs", folder.path, "tmpfs", flags, "size=512k") == 0
    }

    /// Fills it with something else.
    ///
    /// - Returns: The path of that.
    func fill() throws -> String {
      let ballast = folder.file("ballast")
      _ = FileManager.default.createFile(atPath: ballast, contents: nil)
      let handle = try #require(FileHandle(forWritingAtPath: ballast))
      for size in [4096, 512, 1] {
        while (try? handle.write(contentsOf: Data(count: size))) != nil {}
      }
      try handle.close()
      return ballast
    }

    deinit { umount2(folder.path, Int32(MNT_DETACH)) }
  }

  private static let hasDisk = (try? Disk()) != nil

  @Test(.enabled(if: hasDisk))
  func `A full disk refuses a write, and takes it once there is space`() async throws {
    let disk = try #require(try Disk())
    let failures = Mutex<[SQLiteFileError]>([])
    let file = try await SQLiteFile(path: disk.folder.file()) { error in
      failures.withLock { $0.append(error) }
    }
    let log = file.log("list")
    let list = try await Numbers.open(log)
    try await list.add(1)
    let ballast = try disk.fill()
    var accepted = [1]
    // The log of the file may have a little space left.
    for number in 2..<200 {
      do {
        try await list.add(number)
        accepted.append(number)
      } catch let error as ReplicationError {
        guard case .rejected(let reason) = error else {
          Issue.record(error)
          break
        }
        #expect(reason.contains("full"))
        break
      }
    }
    #expect(accepted.count < 150)
    #expect(failures.withLock { $0.last?.fault } == .full)
    #expect(await list.numbers == accepted)
    // It can still be read, here and by others.
    #expect(try await Numbers.open(file.log("list")).numbers == accepted)
    try FileManager.default.removeItem(atPath: ballast)
    try await list.add(1000)
    #expect(await list.numbers == accepted + [1000])
    #expect(
      try await Numbers.open(SQLiteFile(path: disk.folder.file()).log("list")).numbers
        == accepted + [1000])
  }

  private func expect(_ fault: SQLiteFileError.Fault, of disk: Disk) async {
    let error = await #expect(throws: SQLiteFileError.self) {
      _ = try await SQLiteFile(path: disk.folder.file())
    }
    #expect(error?.fault == fault)
    #expect(error?.path == disk.folder.file())
  }

  @Test(.enabled(if: hasDisk), arguments: [false, true])
  func `A file cannot be opened on a full disk, and can once there is space`(
    exists: Bool
  ) async throws {
    let disk = try #require(try Disk())
    if exists {
      _ = try await SQLiteFile(path: disk.folder.file()).log("list").epoch()
      try await Closing.wait(for: disk.folder.file())
    }
    let ballast = try disk.fill()
    await expect(.full, of: disk)
    try FileManager.default.removeItem(atPath: ballast)
    #expect(try await SQLiteFile(path: disk.folder.file()).names() == (exists ? ["list"] : []))
  }

  @Test(.enabled(if: hasDisk)) func `A disk that accepts no writes says so`() async throws {
    let disk = try #require(try Disk())
    do {
      let file = try await SQLiteFile(path: disk.folder.file())
      _ = try await file.log("list").epoch()
    }
    try await Closing.wait(for: disk.folder.file())
    try #require(disk.remount(readOnly: true))
    await expect(.readOnly, of: disk)
    try #require(disk.remount(readOnly: false))
    #expect(try await SQLiteFile(path: disk.folder.file()).names() == ["list"])
  }
}
#endif
