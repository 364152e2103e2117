import Foundation

/// Waits until files are closed.
enum Closing {
  struct StillOpen: Error {}

  /// Waits until a file has no log next to it, since whoever closes it last deletes the log.
  static func wait(for path: String) async throws {
    for _ in 0..<1000 {
      guard FileManager.default.fileExists(atPath: path + "-wal") else { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw StillOpen()
  }
}
