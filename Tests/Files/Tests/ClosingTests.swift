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
}

extension Folder {
  fileprivate func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name))
  }
}
