import Foundation
import Testing
import ToolchainSupport

/// `DiffableUI` keeps the rules of `@objc`, which the compiler can check without a system that has it.
@Suite(.timeLimit(.minutes(15))) struct ObjectiveCTests {
  @Test(
    "The sources are right where the protocols are those of Objective-C",
    arguments: [["UIKit", "AppKit"], ["UIKit"], ["AppKit"]])
  func sources(modules: [String]) async throws {
    let folder = ObjectiveCModules.root.appendingPathComponent("Sources/DiffableUI")
    let sources =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    #expect(sources.count > 20)
    try await withTemporaryFolder { folder in
      let modules = try await ObjectiveCModules(modules, in: folder)
      let errors = try await modules.check(
        sources.sorted { $0.path < $1.path }, module: "DiffableUI")
      #expect(errors.isEmpty, "\(errors)")
    }
  }

  @Test("What Objective-C cannot have is refused, and what is optional is asked as such")
  func rules() async throws {
    let mistakes = [
      """
      @MainActor class Delegate<Item>: NSObject {}
      extension Delegate: UITableViewDelegate {
        func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
      }
      """: "generic class",
      """
      @MainActor final class Source: NSObject, UITableViewDataSource {
        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
      }
      """: "does not conform to protocol 'UITableViewDataSource'",
      """
      @MainActor final class Target: NSObject {
        func press() {}
        var action: Selector { #selector(press) }
      }
      """: "not exposed to Objective-C",
      """
      @MainActor func ask(_ delegate: any UITableViewDelegate, _ view: UITableView) {
        delegate.tableView(view, didSelectRowAt: IndexPath(row: 0, section: 0))
      }
      """: "must be unwrapped",
      """
      @MainActor final class Delegate: NSObject, UITableViewDelegate {
        func tableView(_ view: UITableView, didSelectRowsAt indexPath: IndexPath) {}
      }
      """: "nearly matches",
    ]
    let right = """
      @MainActor final class Delegate: NSObject, UITableViewDelegate {
        func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
        var action: Selector { #selector(tableView(_:didSelectRowAt:)) }
      }
      @MainActor func ask(_ delegate: any UITableViewDelegate, _ view: UITableView) {
        delegate.tableView?(view, didSelectRowAt: IndexPath(row: 0, section: 0))
      }
      """
    try await withTemporaryFolder { folder in
      let modules = try await ObjectiveCModules(["UIKit"], in: folder)
      func errors(_ source: String) async throws -> String {
        let file = folder.appendingPathComponent("Program.swift")
        try "import ObjectiveC\nimport UIKit\n\(source)\n"
          .write(to: file, atomically: true, encoding: .utf8)
        return try await modules.check([file])
      }
      #expect(try await errors(right) == "")
      for (source, error) in mistakes {
        let errors = try await errors(source)
        #expect(errors.contains(error), "\(source)\n\(errors)")
      }
    }
  }
}
