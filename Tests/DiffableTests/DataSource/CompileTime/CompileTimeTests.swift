import Foundation
import Testing
import ToolchainSupport

/// Programs that the compiler must refuse, with the reason it must give, and some that it must not.
///
/// The first lines of each program say what is expected of it. All programs are files of one module, as
/// a compiler takes a second to read the libraries: so what they declare is private. Sanitized builds
/// have modules, too, so nothing is left out there.
@Suite(.timeLimit(.minutes(15))) struct CompileTimeTests {
  private struct Program: CustomTestStringConvertible {
    let url: URL

    var testDescription: String { url.deletingPathExtension().lastPathComponent }
  }

  private static let programs: [Program] = {
    let folder = Bundle.module.url(forResource: "Programs", withExtension: nil)
    let files = folder.flatMap {
      try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    return (files ?? []).sorted { $0.path < $1.path }.map(Program.init)
  }()

  /// What the compiler says of each program, by its path.
  ///
  /// An error of types anywhere keeps the compiler from looking for the others. So the programs that
  /// have none are compiled again, without the rest.
  private static let diagnostics = Task {
    let first = try await check(programs)
    let others = programs.filter { !hasErrors(first[$0.url.path]) }
    return first.merging(try await check(others)) { $1 }
  }

  private static func check(_ programs: [Program]) async throws -> [String: String] {
    let errors = try await SwiftCompiler().check(programs.map(\.url)).errors
    try #require(!errors.contains("no such module"), "\(errors)")
    var texts: [String: String] = [:]
    var path = ""
    for line in errors.split(separator: "\n") {
      // A note may be about a library; it belongs to the error before it.
      if let program = programs.first(where: { line.hasPrefix($0.url.path + ":") }) {
        path = program.url.path
      }
      texts[path, default: ""] += line + "\n"
    }
    return texts
  }

  private static func hasErrors(_ text: String?) -> Bool {
    text?.contains("error:") ?? false
  }

  @Test func `There are programs of both kinds`() {
    let names = Self.programs.map(\.testDescription)
    #expect(names.count == 51)
    #expect(names.filter { $0.hasPrefix("Compiles") }.count == 5)
  }

  @Test(arguments: programs)
  private func `The compiler says what is expected`(_ program: Program) async throws {
    let source = try String(contentsOf: program.url, encoding: .utf8)
    let header = source.split(separator: "\n").prefix { $0.hasPrefix("// ") }
    let expected = header.map { String($0.dropFirst(3)) }
    try #require(!expected.isEmpty)

    let diagnostics = try await Self.diagnostics.value
    let text = diagnostics[program.url.path] ?? ""
    #expect(Self.hasErrors(text) == (expected != ["compiles"]), "\(text)")
    for diagnostic in expected where diagnostic != "compiles" {
      #expect(text.contains(diagnostic), "\(text)")
    }
    // Where the compiler has stopped, it has not looked at what comes after.
    #expect(diagnostics[""] == nil)
  }
}
