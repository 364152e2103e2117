import Foundation
import Testing

/// The program of the article is compiled and run.
@Suite(.timeLimit(.minutes(1)))
struct ArticleTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  private func article() throws -> [Substring] {
    let root = Self.package.deletingLastPathComponent().deletingLastPathComponent()
    let path = "Sources/DiffableSQLite/DiffableSQLite.docc/AListThatOutlivesItsProcess.md"
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The lines of the blocks of a language.
  private func blocks(_ language: String) throws -> [Substring] {
    var (lines, isInside): ([Substring], Bool) = ([], false)
    for line in try article() {
      if line.hasPrefix("```") {
        isInside = line == "```\(language)"
      } else if isInside, !line.isEmpty {
        lines.append(line)
      }
    }
    return lines
  }

  @Test func `The article shows the program`() throws {
    let program = try String(
      contentsOf: Self.package.appendingPathComponent("Example/main.swift"), encoding: .utf8)
    #expect(try blocks("swift") == program.split(separator: "\n"))
  }

  @Test func `The program prints what the article says`() async throws {
    // A file, not a pipe: nobody waits for this process to read.
    let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("example")
    process.standardOutput = try FileHandle(forWritingTo: file)
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ends {}
    guard !Task.isCancelled else {
      kill(process.processIdentifier, SIGKILL)
      throw CancellationError()
    }
    #expect(process.terminationStatus == 0)
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(try lines == blocks("console"))
  }
}
