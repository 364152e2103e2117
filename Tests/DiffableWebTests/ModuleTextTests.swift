import DiffableSync
import DiffableWeb
import Foundation
import Testing

/// Swift serves the modules as the folder `Modules` has them.
///
/// `DIFFABLE_RECORD_MODULES=1` writes the Swift files again.
@Suite("The texts of the modules")
struct ModuleTextTests {
  @Test("are those of the files", arguments: WebModule.all)
  func recorded(module: WebModule) throws {
    let text = try ModuleFile.text(module.name)
    let recorded = ModuleFile.swift(text, of: module.name)
    let file = ModuleFile.swiftFile(of: module.name)
    if ProcessInfo.processInfo.environment["DIFFABLE_RECORD_MODULES"] != nil {
      try Data(recorded.utf8).write(to: file)
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == recorded)
    #expect(module.text == text)
    #expect(module.bytes == Array(text.utf8))
  }

  @Test("can be written as literals", arguments: WebModule.all)
  func literals(module: WebModule) throws {
    let text = try ModuleFile.text(module.name)
    for text in ["\"\"\"##", "\\##", "\r"] { #expect(!module.text.contains(text)) }
    #expect(text.hasSuffix("\n"))
  }

  @Test("are all that the folder has, and each has its types")
  func complete() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: ModuleFile.folder.path)
    let modules = WebModule.all.map(\.name)
    let types = modules.map { String($0.dropLast(3)) + ".d.ts" }
    let expected = Set(modules).union(types).union(["package.json"])
    #expect(Set(names) == expected)
  }

  @Test("come after what they import")
  func order() throws {
    for (index, module) in WebModule.all.enumerated() {
      for match in module.text.matches(of: /from "\.\/(.*)"/) {
        let imported = try #require(WebModule(named: String(match.1)))
        #expect(WebModule.all[..<index].contains(imported))
      }
    }
  }

  @Test("read and write the format of this version")
  func format() {
    #expect(WebModule.format == UpdateDelta<String, String>.format)
    #expect(WebModule.list.text.contains("export const format = \(WebModule.format)\n"))
    // All others import the number.
    for module in WebModule.all { #expect(!module.text.contains(/format: [0-9]/)) }
  }
}

/// A file of the folder `Modules`, and the Swift file of its text.
enum ModuleFile {
  private static let library = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/DiffableWeb")
  static let folder = library.appendingPathComponent("Modules")

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  private static func stem(_ name: String) -> String { String(name.dropLast(3)) }

  static func swiftFile(of name: String) -> URL {
    library.appendingPathComponent("Texts/\(stem(name).capitalized)Text.swift")
  }

  static func swift(_ text: String, of name: String) -> String {
    """
    // The text of Modules/\(name). Change it there; Tests/DiffableWebTests say how it is recorded.
    // swift-format-ignore-file

    extension WebModule {
      static let \(stem(name))Text = ##\"\"\"
    \(text)
    \"\"\"##
    }

    """
  }
}
