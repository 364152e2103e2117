import Foundation

/// A process that writes to a list in a file.
struct WriterProcess: Sendable {
  struct Died: Error {
    let status: Int32
  }

  private let process = Process()
  private let output = Pipe()
  private let isLimited: Bool

  /// Starts a process that appends numbers to a list.
  ///
  /// - Parameter limit: How large its files may become, in units of 512 bytes; `nil` for any size.
  init(_ path: String, list: String, first: Int, count: Int, limit: Int? = nil) throws {
    let writer = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("writer")
    isLimited = limit != nil
    if let limit {
      // Without the first command, the system would end a process that exceeds the limit.
      let script = "trap '' XFSZ; ulimit -f \(limit); exec \"$0\" \"$@\""
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script, writer.path]
    } else {
      process.executableURL = writer
      process.arguments = []
    }
    process.arguments? += [path, list, "\(first)", "\(count)"]
    process.standardOutput = output
    try process.run()
  }

  /// Waits for the end, and returns the numbers that were acknowledged.
  ///
  /// - Parameter limit: The number of acknowledgments after which to kill the process; `nil` for never.
  /// - Throws: ``Died`` if it ends with an error without having been killed. That a limited process may not
  ///   write any more is none.
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
          let isRefused = isLimited && process.terminationStatus == 75
          guard isKilled || isRefused || process.terminationStatus == 0 else {
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
