package import Foundation

/// What a program that has ended leaves behind.
package struct ProgramResult: Sendable {
  /// The exit status, or the number of the signal that ended it.
  package let status: Int32
  package let output: String
  package let errors: String
}

extension URL {
  /// Runs the program at this place, with nothing on its standard input, until it ends.
  ///
  /// No thread of the pool waits for it. If the task is cancelled, the program is ended.
  package func run(_ arguments: [String]) async throws -> ProgramResult {
    try await withTemporaryFolder { folder in
      // Files instead of pipes: a program that writes more than a pipe holds must not get stuck.
      let files = ["output", "errors"].map { folder.appendingPathComponent($0) }
      for file in files { try Data().write(to: file) }
      let process = Process()
      process.executableURL = self
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: files[0])
      process.standardError = try FileHandle(forWritingTo: files[1])
      let running = RunningProcess(process)
      try await withTaskCancellationHandler {
        try await running.end()
      } onCancel: {
        running.terminate()
      }
      return ProgramResult(
        status: process.terminationStatus,
        output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
    }
  }
}

/// A process that one task starts and waits for, and any other may end.
///
/// Unchecked, because `Process` is not marked: it is started by one call of ``end()``, and
/// `terminate` may be called from any thread; before the start it would be an error, so a lock
/// keeps the two apart.
private final class RunningProcess: @unchecked Sendable {
  private let process: Process
  private let lock = NSLock()
  private var isStarted = false
  private var isTerminated = false

  init(_ process: Process) {
    self.process = process
  }

  func end() async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      lock.withLock {
        guard !isTerminated else {
          process.terminationHandler = nil
          return done.resume(throwing: CancellationError())
        }
        do {
          try process.run()
          isStarted = true
        } catch {
          process.terminationHandler = nil
          done.resume(throwing: error)
        }
      }
    }
  }

  func terminate() {
    lock.withLock {
      isTerminated = true
      if isStarted { process.terminate() }
    }
  }
}

/// Makes a folder for the time of a call.
package func withTemporaryFolder<Result>(
  _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("swift-diffable-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}
