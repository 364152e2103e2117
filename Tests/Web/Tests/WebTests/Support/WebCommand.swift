import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The command, as it was built together with these tests.
final class WebCommand: Sendable {
  private let process: Process
  private let output: AsyncStream<String>
  private let errors: AsyncStream<String>
  private let statuses: AsyncStream<Int32>

  /// Starts the command at a port that the system chooses, unless the arguments say otherwise.
  ///
  /// - Parameter shell: What a shell runs before it.
  init(_ arguments: [String], after shell: String = "true") throws {
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "\(shell) && exec \"$0\" \"$@\"", try Self.executable().path]
      + ["--port", "0", "--rows", "20"] + arguments
    (process.standardOutput, process.standardError) = (output, errors)
    self.process = process
    (self.output, self.errors) = (output.lines(), errors.lines())
    let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.statuses = statuses
    process.terminationHandler = { process in
      continuation.yield(process.terminationStatus)
      continuation.finish()
    }
    try process.run()
  }

  /// A port that nothing takes while a killed server starts again.
  ///
  /// The system gives ports from 32,768 on to connections of other tests.
  static func lastingPort() async throws -> Int {
    for _ in 0..<100 {
      let port = lastPort.withLock { last in
        last = last < 30_000 ? last + 1 : 20_000
        return last
      }
      // Another program may have it.
      let listener = try? await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .bind(host: "127.0.0.1", port: port).get()
      guard let listener else { continue }
      try await listener.close()
      return port
    }
    throw BrowserFault("there is no free port")
  }

  private static let lastPort = Mutex(Int.random(in: 20_000..<30_000))

  deinit { process.end() }

  /// The address that it prints after a word.
  func address(after word: String = "Open") async throws -> URL {
    for await line in output where line.hasPrefix("\(word) ") {
      if let url = URL(string: String(line.dropFirst(word.count + 1))) { return url }
    }
    throw BrowserFault("the command ends: \(await complaint())")
  }

  /// What it writes about its end.
  func complaint() async -> String {
    var text = ""
    for await line in errors { text += line + "\n" }
    return text
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The status that it ends with.
  func end() async -> Int32? { await statuses.first { _ in true } }

  /// The executable: it lies beside the test bundle.
  static func executable() throws -> URL {
    let starts = [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
    for start in starts {
      var folder = start
      for _ in 0..<6 {
        let candidate = folder.appending(path: "web")
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
          !isFolder.boolValue
        {
          return candidate
        }
        folder.deleteLastPathComponent()
      }
    }
    throw BrowserFault("the command was not built: it is at none of \(starts)")
  }
}
