import Foundation
import Testing
import ToolchainSupport

/// The public declarations of each module are kept as a list, so that a review sees what a change
/// makes of them.
///
/// `DIFFABLE_RECORD_INTERFACES=1` writes the lists again.
@Suite(.timeLimit(.minutes(5)))
struct InterfaceTests {
  /// The modules that every build has; what users name of the engine, the core exports.
  static let modules = Page.modules.filter { $0.hasPrefix("Diffable") }

  // Other compilers print a declaration in another way, and other systems have other modules.
  #if compiler(>=6.3) && os(Linux)
  @Test("The public declarations are those of the list", arguments: modules)
  func declarations(of module: String) async throws {
    try compare(PublicInterface(try await SwiftCompiler().interface(of: module)).text, of: module)
  }
  #endif

  @Test(
    "The public declarations behind a trait are those of the list",
    arguments: ["DiffableNATS", "DiffableSQLite"])
  func declarationsInSources(of module: String) throws {
    try compare(SourceInterface(of: module).text, of: module)
  }

  private func compare(_ found: String, of module: String) throws {
    let list = Page.root.appendingPathComponent(
      "Tests/DocumentationTests/Interfaces/\(module).txt")
    if ProcessInfo.processInfo.environment["DIFFABLE_RECORD_INTERFACES"] != nil {
      try Data(found.utf8).write(to: list)
      return
    }
    let kept = try String(contentsOf: list, encoding: .utf8)
    let (old, new) = (kept.split(separator: "\n"), found.split(separator: "\n"))
    for change in new.difference(from: old) {
      switch change {
      case .insert(_, let line, _): Issue.record("not in the list: \(line)")
      case .remove(_, let line, _): Issue.record("only in the list: \(line)")
      }
    }
    #expect(kept == found)
  }

  @Test("The list of sources has what is public, by the types it belongs to")
  func sources() {
    let source = """
      public import Diffable

      /// A file.
      public final class File: Sendable {
        /// Where it is.
        public let path: String
        let number: Int

        /// Opens it.
        public init(
          path: String, mode: Mode = .safe, done: () -> Void = {}
        ) throws(Problem) {
          number = 1
        }

        public enum Mode: Hashable {
          case safe
          case fast(Int)
        }

        enum Hidden {
          case nothing
        }
      }

      extension File: Log {
        public var end: Int { number }
        func find() {}
      }
      """
    #expect(
      SourceInterface.declarations(in: source).sorted() == [
        "File / Mode / case fast(Int)", "File / Mode / case safe",
        "File / public enum Mode: Hashable",
        "File / public init(path: String, mode: Mode = .safe, done: () -> Void = {}) throws(Problem)",
        "File / public let path: String", "File / public var end: Int", "extension File: Log",
        "public final class File: Sendable",
      ])
  }

  @Test("A list has declarations without comments, by the types they belong to")
  func format() {
    let printed = """
      import Swift

      /// A list.
      public struct List : Swift.Sendable {

          /// Its length.
          public var count: Swift.Int { get }
          public package(set) var name: Swift.String
          public var _core: Demo._Core { get }

          deinit
      }

      extension List {

          public func find(_ item: Demo.Item) -> Swift.Int?
      }

      public func append()
      """
    #expect(
      PublicInterface(printed).text == """
        extension List {
          public func find(_ item: Item) -> Int?
        }
        public func append()
        public struct List : Sendable {
          public var count: Int { get }
          public var name: String { get }
          public var _core: _Core { get }
        }

        """)
  }
}

/// What the compiler prints of a module, as a list that does not depend on files.
private struct PublicInterface {
  let text: String

  init(_ printed: String) {
    var blocks: [[String]] = []
    for line in printed.split(separator: "\n") {
      let content = line.drop { $0 == " " }
      let depth = line.count - content.count
      if ["//", "/*", "*", "import ", "deinit"].contains(where: content.hasPrefix) { continue }
      // An attribute on a line of its own says how a declaration is used, not what it is.
      if content.first == "@", !content.contains(" ") { continue }
      let declaration = String(content).replacing(/\b[A-Z]\w*\.(?=[A-Z_])/) { match in
        // A module's name says nothing here; the name of an outer type does.
        Self.isModule(match.output.dropLast()) ? "" : String(match.output)
      }
      // Users can only read it.
      .replacing(/\spackage\(set\) (.*)/) { " \($0.output.1) { get }" }
      if depth == 0, content.first != "}" {
        blocks.append([declaration])
      } else if !blocks.isEmpty {
        blocks[blocks.count - 1].append(String(repeating: " ", count: depth / 2) + declaration)
      }
    }
    text = blocks.map { $0.joined(separator: "\n") }.sorted().map { $0 + "\n" }.joined()
  }

  private static func isModule(_ name: Substring) -> Bool {
    name.hasPrefix("Diffable") && InterfaceTests.modules.contains(String(name))
      || ["Demo", "DiffableEngine", "Swift", "UIKit", "AppKit", "Foundation"].contains(name)
  }
}
