import Diffable
import DiffableNATS
import DiffableSync
import Foundation
import Servers
import SharedNumbers
import Testing

extension OnThreeServers {
  /// Four processes write one list on three servers, while a leader dies and a writer is cut off.
  @Suite(.timeLimit(.minutes(15)), .serialized)
  struct FourProcessesTests {
    /// The number of writes of all processes.
    private static let total =
      ["wide", "long"].contains(ProcessInfo.processInfo.environment["DIFFABLE_TESTS"])
      ? 10_000 : 2_000

    /// A process that writes, and what it has printed.
    private struct Writer: Sendable {
      let process = Process()
      let output = Pipe()

      init(_ cluster: Cluster, number: Int, writes: Int, last: Int) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
          .deletingLastPathComponent().appendingPathComponent("participant")
        process.arguments = [
          cluster.urls.joined(separator: ","), "numbers", "\(number)", "\(writes)", "\(last)",
        ]
        process.standardOutput = output
        try process.run()
      }

      /// Waits for the end, and returns what was printed; kills the process if the task is cancelled.
      func end() async throws -> String {
        let (process, output) = (process, output)
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              let data = output.fileHandleForReading.readDataToEndOfFile()
              process.waitUntilExit()
              guard process.terminationStatus == 0 else {
                return continuation.resume(throwing: Died(status: process.terminationStatus))
              }
              continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
          }
        } onCancel: {
          signal(SIGKILL)
        }
      }

      func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
      }
    }

    private struct Died: Error {
      let status: Int32
    }

    @Test func `Nothing is lost, nothing is doubled, and all are equal at the end`() async throws {
      let total = Self.total
      try await Cluster.with(size: 3) { cluster in
        var options = NATSRevisionLog.Options.patient
        options.replicas = 3
        let log = try NATSRevisionLog(urls: cluster.urls, name: "numbers", options: options)
        let list = try await SharedNumbers.open(log)
        let writers = try (1...4).map {
          try Writer(cluster, number: $0, writes: total / 4, last: total)
        }
        // A writer that dies ends the test at once.
        let digests = try await withThrowingTaskGroup(of: String.self) { group in
          for writer in writers { group.addTask { try await writer.end() } }
          group.addTask {
            try await Self.disturb(cluster, writers[3], while: list)
            try await list.reached(Revision(total))
            return await list.digest + "\n"
          }
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(digests.count == 1, "\(digests)")
        #expect(await list.revision == Revision(total))
        let numbers = await list.snapshot.itemIdentifiers
        #expect(numbers.count == total)
        for writer in 1...4 {
          let own = numbers.filter { $0 / 1_000_000 == writer }
          #expect(own == (0..<total / 4).map { writer * 1_000_000 + $0 })
        }
      }
    }

    /// Kills and restarts the server that leads, and then cuts a writer off for a while.
    private static func disturb(
      _ cluster: Cluster, _ writer: Writer, while list: SharedNumbers
    ) async throws {
      try await list.reached(Revision(total / 5))
      let leader = try await cluster.leader(ofStream: "numbers")
      await leader.kill()
      _ = try await cluster.leader(ofStream: "numbers")
      try await list.reached(Revision(total * 2 / 5))
      try leader.start()
      try await cluster.waitUntilReady()

      writer.signal(SIGSTOP)
      try await list.reached(Revision(total * 3 / 5))
      writer.signal(SIGCONT)
    }
  }
}
