import Diffable
import DiffableNATS
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
    private struct Writer {
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

      /// Waits for the end, and returns what was printed.
      func end() async throws -> String {
        let (process, output) = (process, output)
        return try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
              return continuation.resume(throwing: Died(status: process.terminationStatus))
            }
            continuation.resume(returning: String(decoding: data, as: UTF8.self))
          }
        }
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
        defer {
          for writer in writers where writer.process.isRunning {
            kill(writer.process.processIdentifier, SIGKILL)
          }
        }
        try await list.waitFor(Revision(total / 5))
        let leader = try await cluster.leader(ofStream: "numbers")
        await leader.kill()
        _ = try await cluster.leader(ofStream: "numbers")
        try await list.waitFor(Revision(total * 2 / 5))
        try leader.start()
        try await cluster.waitUntilReady()

        kill(writers[3].process.processIdentifier, SIGSTOP)
        try await list.waitFor(Revision(total * 3 / 5))
        kill(writers[3].process.processIdentifier, SIGCONT)

        var digests: Set<String> = []
        for writer in writers { digests.insert(try await writer.end()) }
        try await list.waitFor(Revision(total))
        digests.insert(await list.digest + "\n")
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
  }
}
