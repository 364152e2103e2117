import Foundation
import Testing

/// The program of the article in which SQL filters, and a query sorts, groups and folds.
@Suite("A live query of a database", .timeLimit(.minutes(5))) struct IssueTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The blocks of a language on the page.
  private func blocks(_ language: String) throws -> [Substring] {
    let root = Self.package.deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent("Sources/Diffable/Diffable.docc/ListsFromADatabase.md")
    return try String(contentsOf: page, encoding: .utf8)
      .split(separator: "```").filter { $0.hasPrefix("\(language)\n") }
      .map { $0.dropFirst(language.count + 1) }
  }

  @Test("is the program that the documentation shows") func program() throws {
    let files = try ["Issues.swift", "Program.swift"].map { name in
      try String(
        contentsOf: Self.package.appendingPathComponent("Sources/issues/\(name)"), encoding: .utf8)
    }
    #expect(try blocks("swift issues").joined(separator: "\n") == files.joined(separator: "\n"))
  }

  @Test("shows what the documentation says, batch by batch") func output() async throws {
    // A file, not a pipe: nobody waits for this process to read.
    let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("issues")
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
    #expect(
      try String(contentsOf: file, encoding: .utf8) == blocks("console issues").joined())
  }
}
