import Foundation
import Testing

/// The map in `CONTRIBUTING.md` says in which order the folders of the core build on each other.
@Suite struct FolderTests {
  private static let core = Page.root.appendingPathComponent("Sources/Diffable")

  /// The folders of the core as the map lists them, from the ground up.
  private static func folders() throws -> [String] {
    let map = try String(
      contentsOf: Page.root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    let lines = map.split(separator: "\n")
      .drop { !$0.hasPrefix("├── Diffable ") }.dropFirst()
      .prefix { $0.hasPrefix("│") }
    return lines.compactMap { $0.firstMatch(of: /^│   ├── (\w+)/).map { String($0.1) } }
  }

  /// The source text of the files of each folder, without comments.
  private static func sources() throws -> [String: [(file: String, text: String)]] {
    var sources: [String: [(file: String, text: String)]] = [:]
    let files = FileManager.default.enumerator(atPath: core.path)
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix(".swift"), let folder = path.split(separator: "/").first else {
        continue
      }
      let text = try String(contentsOf: core.appendingPathComponent(path), encoding: .utf8)
      let code = text.split(separator: "\n").map {
        $0.prefix(upTo: $0.ranges(of: "//").first?.lowerBound ?? $0.endIndex)
      }
      sources[String(folder), default: []].append((path, code.joined(separator: "\n")))
    }
    return sources
  }

  /// Which file uses a type of a folder that builds on its own.
  private static func violations(of order: [String]) throws -> [String] {
    let sources = try sources()
    let rank = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    var folders: [Substring: String] = [:]
    for (folder, files) in sources {
      for (_, text) in files {
        let declarations = text.matches(
          of:
            /(?m)^(?:@\w+ )*(?:public |package |internal |final |indirect )*(?:struct|class|enum|actor|protocol|typealias) ([A-Z]\w+)/
        )
        for declaration in declarations { folders[declaration.1] = folder }
      }
    }
    var violations: [String] = []
    for (folder, files) in sources {
      for (file, text) in files {
        for name in Set(text.matches(of: /\b[A-Z]\w+/).map(\.output)) {
          guard let home = folders[name], let used = rank[home], let user = rank[folder],
            used > user
          else { continue }
          violations.append("\(file) uses \(name) of \(home)")
        }
      }
    }
    return violations.sorted()
  }

  @Test func `Folders of the core use only those that the map lists above them`() throws {
    let folders = try Self.folders()
    #expect(Set(folders) == Set(try Self.sources().keys), "the map lists all folders")
    #expect(try Self.violations(of: folders) == [])
    #expect(try Self.violations(of: folders.reversed()).count > 100, "the test can fail")
  }
}
