import Dispatch
import Foundation
import Testing

@testable import DiffableSQLite

@Suite(.timeLimit(.minutes(1)))
struct ClosingTests {
  @Test func `The last reference waits for no disk, whoever has it`() throws {
    let folder = try Folder()
    // It stands for a slow disk.
    let queue = DispatchQueue(label: "ClosingTests")
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

extension Folder {
  fileprivate func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name))
  }
}
