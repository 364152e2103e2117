import Foundation
import Testing
import ToolchainSupport

/// The map in `CONTRIBUTING.md` says in which order the folders of a module build on each other.
///
/// The compiler checks it: each folder is compiled with nothing but those above its line of the map.
@Suite(.timeLimit(.minutes(15))) struct FolderTests {
  /// A folder of a module, and those that the map lists above it.
  struct Ground: CustomStringConvertible {
    let module: String
    let folders: [String]
    let last: String

    var description: String { "\(module)/\(last)" }

    func errors() async throws -> String {
      let folder = Page.root.appendingPathComponent("Sources/\(module)")
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      let files = try #require(paths).filter { $0.hasSuffix(".swift") }.sorted()
      func urls(_ isIncluded: (String) -> Bool) -> [URL] {
        files.filter(isIncluded).map(folder.appendingPathComponent)
      }
      return try await SwiftCompiler().check(
        urls { $0.hasPrefix(last + "/") },
        // The file of the engine's import goes with any of them.
        beside: urls { path in
          path == "Engine.swift" || folders.contains { path.hasPrefix($0 + "/") }
        },
        as: module
      ).errors
    }
  }

  private static let modules = [
    "DiffableEngine", "Diffable", "DiffableQueries", "DiffablePages", "DiffableSync",
  ]

  /// The folders of a module as the map lists them, from the ground up.
  private static func folders(of module: String) throws -> [String] {
    let map = try String(
      contentsOf: Page.root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    let lines = map.split(separator: "\n")
      .drop { !$0.hasPrefix("├── \(module) ") }.dropFirst()
      .prefix { $0.hasPrefix("│") }
    return lines.compactMap { $0.firstMatch(of: /^│   [├└]── (\w+)\s/).map { String($0.1) } }
  }

  /// The last folder of each module may use all others, and is compiled anyway.
  private static func grounds() throws -> [Ground] {
    try modules.flatMap { module in
      let folders = try folders(of: module)
      return folders.indices.dropLast().map {
        Ground(module: module, folders: Array(folders[..<$0]), last: folders[$0])
      }
    }
  }

  @Test(arguments: try FolderTests.grounds())
  func `Folders use only those that the map lists above them`(_ ground: Ground) async throws {
    #expect(try await ground.errors() == "")
  }

  @Test func `A folder does not compile without those that it uses`() async throws {
    // The more is missing, the longer the compiler looks for it.
    let second = try #require(try Self.folders(of: "DiffablePages").dropFirst().first)
    let ground = Ground(module: "DiffablePages", folders: [], last: second)
    #expect(try await ground.errors().contains("error:"))
  }

  @Test(arguments: modules) func `The map lists all folders`(_ module: String) throws {
    let folder = Page.root.appendingPathComponent("Sources/\(module)").path
    let folders = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { !$0.contains(".") }
    #expect(try Set(folders) == Set(Self.folders(of: module)))
  }
}
