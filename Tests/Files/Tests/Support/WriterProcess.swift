import Foundation

/// A process that writes to a list in a file.
struct WriterProcess: Sendable {
  struct Died: Error {
    let status: Int32
  }

  private let process = Process()
  private let output = Pipe()

  /// Starts a process that appends numbers to a list.
  init(_ path: String, list: String, first: Int, count: Int) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("writer")
    process.arguments = [path, list, "\(first)", "\(count)"]
    process.standardOutput = output
    try process.run()
  }

  /// Waits for the end, and returns the numbers that were acknowledged.
  ///
  /// - Parameter limit: The number of acknowledgments after which to kill the process; `nil` for never.
  /// - Throws: ``Died`` if it ends with an error without having been killed.
  func end(killingAfter limit: Int? = nil) async throws -> [Int] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          var (text, isKilled) = (Data(), false)
          while true {
            if let limit, !isKilled, text.count(where: { $0 == UInt8(ascii: "\n") }) >= limit {
              isKilled = true
              kill()
            }
            // Waits until there is something.
            let next = output.fileHandleForReading.availableData
            if next.isEmpty { break }
            text += next
          }
          process.waitUntilExit()
          guard isKilled || process.terminationStatus == 0 else {
            return continuation.resume(throwing: Died(status: process.terminationStatus))
          }
          let lines = String(decoding: text, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
          // The last line may have been cut off.
          continuation.resume(returning: lines.dropLast().compactMap { Int($0) })
        }
      }
    } onCancel: {
      kill()
    }
  }

  private func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }
}
