import Foundation
import TestScope
import Testing

/// The command as it was built together with these tests.
enum BuiltCommand {
  /// The executable: it lies beside the test bundle.
  static func executable() throws -> URL {
    let starts = [
      Bundle(for: Anchor.self).bundleURL, Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]),
    ]
    for start in starts {
      var folder = start
      for _ in 0..<6 {
        let candidate = folder.appending(path: "livelist")
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
          !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: candidate.path)
        {
          return candidate
        }
        folder.deleteLastPathComponent()
      }
    }
    throw NotBuilt(places: starts)
  }

  private final class Anchor {}

  struct NotBuilt: Error {
    let places: [URL]
  }

  /// What a run left behind.
  struct Outcome {
    let status: Int32
    let output: [UInt8]
    let errors: String

    var lines: [String] {
      String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Runs the command to its end with all of its input there from the start.
  ///
  /// - Parameter output: Where it writes, if that is not what the outcome has.
  static func run(
    _ arguments: [String], input: Data = Data(), output: FileHandle? = nil,
    environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    // Files, not pipes: neither side waits for the other.
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "livelist-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["in", "out", "err"].map { folder.appending(path: $0) }
    for (file, content) in zip(files, [input, Data(), Data()]) { try content.write(to: file) }
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try output ?? FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try await end(of: process, sourceLocation)
    return Outcome(
      status: process.terminationStatus, output: [UInt8](try Data(contentsOf: files[1])),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }

  /// Longer than anything takes a command on a busy machine; only a failing test waits so long.
  static let longest = Duration.seconds(120)

  /// Starts a process and waits for its end without holding a thread.
  private static func end(of process: Process, _ place: SourceLocation) async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    do {
      try await ended("The end of the command", within: longest, sourceLocation: place) {
        for await _ in ends {}
        try Task.checkCancellation()
      }
    } catch {
      kill(process.processIdentifier, SIGKILL)
      throw error
    }
  }
}
