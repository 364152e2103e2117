import Foundation
import Testing
import ToolchainSupport

/// The map in `CONTRIBUTING.md` says in which order the folders of a module build on each other.
///
/// The compiler checks it: the folders down to any line of the map are compiled without the others.
@Suite(.timeLimit(.minutes(15))) struct FolderTests {
  /// The first folders of a module.
  struct Ground: CustomStringConvertible {
    let module: String
    let folders: [String]

    var description: String { "\(module): \(folders.joined(separator: ", "))" }

    var folder: URL { Page.root.appendingPathComponent("Sources/\(module)") }

    /// Whether a file belongs to the folders; that of the engine's import goes with any of them.
    func contains(_ path: String) -> Bool {
      guard path.hasSuffix(".swift") else { return false }
      return path == "Engine.swift" || folders.contains { path.hasPrefix($0 + "/") }
    }

    func errors() async throws -> String {
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      let files = try #require(paths).filter(contains).sorted().map(folder.appendingPathComponent)
      return try await SwiftCompiler().check(files, as: module).errors
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
      return (1..<folders.count).map { Ground(module: module, folders: Array(folders[..<$0])) }
    }
  }

  @Test(arguments: try FolderTests.grounds())
  func `Folders use only those that the map lists above them`(_ ground: Ground) async throws {
    #expect(try await ground.errors() == "")
  }

  @Test func `A folder does not compile without those that it uses`() async throws {
    // One of the smallest module: the compiler takes long to say all that is missing.
    let last = try Self.folders(of: "DiffablePages").suffix(1)
    let ground = Ground(module: "DiffablePages", folders: Array(last))
    #expect(try await ground.errors().contains("error:"))
  }

  @Test(arguments: modules) func `The map lists all folders`(_ module: String) throws {
    let folder = Ground(module: module, folders: []).folder
    let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.contains(".") }
    #expect(try Set(folders) == Set(Self.folders(of: module)))
  }
}
