import Foundation
import ToolchainSupport

/// A program for a module that isolates its declarations to the main actor.
struct DialectProgram: Sendable, CustomStringConvertible {
  let name: String
  let text: String

  var description: String { name }

  /// The programs of the folder; those that need UIKit only where there is something like it.
  static let all: [DialectProgram] = {
    guard let folder = Bundle.module.url(forResource: "Programs", withExtension: nil) else {
      return []
    }
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).sorted { $0.path < $1.path }.compactMap { file in
      (try? String(contentsOf: file, encoding: .utf8)).map {
        DialectProgram(name: file.deletingPathExtension().lastPathComponent, text: $0)
      }
    }.filter { Page.modules.contains("UIKit") || !$0.text.contains("import UIKit") }
  }()

  /// What the compiler must say, or `compiles`.
  var expected: String {
    String(text.prefix { $0 != "\n" }.dropFirst(3))
  }

  /// The program with the word that it forgets.
  var corrected: DialectProgram {
    DialectProgram(
      name: name, text: text.replacing("/* nonisolated */", with: "nonisolated"))
  }

  func check(in dialect: Dialect) async throws -> ProgramResult {
    try await Self.check([self], in: dialect)
  }

  /// Checks programs as files of one module, which takes less time than one module each.
  static func check(_ programs: [DialectProgram], in dialect: Dialect) async throws -> ProgramResult
  {
    let compiler = try SwiftCompiler()
    return try await withTemporaryFolder { folder in
      let sources = try programs.enumerated().map { number, program in
        // The name of a page is a path.
        let name = program.name.split(separator: "/").last ?? ""
        let source = folder.appendingPathComponent("\(number)-\(name).swift")
        try Data(program.text(in: dialect).utf8).write(to: source)
        return source
      }
      return try await compiler.check(sources, in: dialect)
    }
  }

  /// A module that does not isolate its classes and functions by itself must say so at each.
  private func text(in dialect: Dialect) -> String {
    guard !dialect.isolatesToMainActor, text.hasPrefix("// ") else { return text }
    return text.replacing(/(?m)^(?=final class|func|@Observable)/, with: "@MainActor ")
  }
}
