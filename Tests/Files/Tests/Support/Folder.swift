import DiffableSQLite
import Foundation

/// A folder that is deleted when the last reference to it is gone.
final class Folder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("lists-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  func file(_ name: String = "list") -> String { path + "/" + name }

  /// Opens a file in it.
  func open(_ name: String = "list") async throws -> SQLiteFile {
    // The tests are about processes that end, and power stays on.
    var options = SQLiteFile.Options()
    options.synchronous = .normal
    options.timeout = .seconds(60)
    return try await SQLiteFile(path: file(name), options: options)
  }

  /// The size of a file in it, in bytes; 0 if there is none.
  func size(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}

/// How much the tests do.
enum Scope {
  static let isLong = ["wide", "long"].contains(
    ProcessInfo.processInfo.environment["DIFFABLE_TESTS"])

  static func rounds(_ usual: Int, long: Int) -> Int { isLong ? long : usual }
}
