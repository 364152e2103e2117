import Diffable
import Foundation
import Testing
import ToolchainSupport

/// Programs that the compiler must refuse, with the reason it must give, and some that it must not.
///
/// The first lines of each program say what is expected of it. Sanitized builds have modules, too,
/// so nothing is left out there.
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

  @Test func `There are programs of both kinds`() {
    let names = Self.programs.map(\.testDescription)
    #expect(names.count == 41)
    #expect(names.filter { $0.hasPrefix("Compiles") }.count == 4)
  }

  @Test(arguments: programs)
  private func `The compiler says what is expected`(_ program: Program) async throws {
    let source = try String(contentsOf: program.url, encoding: .utf8)
    let header = source.split(separator: "\n").prefix { $0.hasPrefix("// ") }
    let expected = header.map { String($0.dropFirst(3)) }
    try #require(!expected.isEmpty)

    let result = try await SwiftCompiler().check(program.url)
    #expect(!result.errors.contains("no such module"))
    if expected == ["compiles"] {
      #expect(result.status == 0)
      #expect(!result.errors.contains("error:"), "\(result.errors)")
    } else {
      #expect(result.status != 0)
      for diagnostic in expected {
        #expect(result.errors.contains(diagnostic), "\(result.errors)")
      }
    }
  }
}
