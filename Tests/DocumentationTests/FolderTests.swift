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

  /// What the files of each folder declare, and the capitalized words in each file.
  private static func words() throws -> (
    home: [String: String], used: [(file: String, words: Set<String>)]
  ) {
    var (home, used): ([String: String], [(file: String, words: Set<String>)]) = ([:], [])
    let keywords: Set<String> = [
      "struct", "class", "enum", "actor", "protocol", "typealias",
    ]
    let attributes: Set<String> = ["public", "package", "internal", "final", "indirect"]
    for (folder, files) in try sources() {
      for (file, text) in files {
        for line in text.split(separator: "\n") where line.first != " " {
          let words = line.split(separator: " ", maxSplits: 6)
            .drop { $0.hasPrefix("@") || attributes.contains(String($0)) }
          guard let keyword = words.first, keywords.contains(String(keyword)),
            let name = words.dropFirst().first?.utf8.prefix(while: isPartOfWord)
          else { continue }
          home[String(Substring(name))] = folder
        }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let words = text.utf8.split { !isPartOfWord($0) }.filter {
          capitals.contains($0[$0.startIndex])
        }
        used.append((file, Set(words.map { String(Substring($0)) })))
      }
    }
    return (home, used)
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Which file uses a type of a folder that builds on its own.
  private static func violations(of order: [String]) throws -> [String] {
    let (home, used) = try words()
    let rank = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    var violations: [String] = []
    for (file, words) in used {
      guard let folder = file.split(separator: "/").first, let user = rank[String(folder)] else {
        continue
      }
      for name in words {
        guard let folder = home[name], let place = rank[folder], place > user else { continue }
        violations.append("\(file) uses \(name) of \(folder)")
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
