import Foundation

/// A page of documentation with code in it.
///
/// The Swift blocks of a page are one program, in their order, and its blocks of the language
/// `console` are what that program prints. A block of nothing but declarations of types, extensions
/// and functions stands at file scope; all others are statements of one asynchronous function, on the
/// main actor where the page is about views.
struct Page: Sendable, CustomStringConvertible {
  /// The path from the root of the package.
  let path: String
  let blocks: [Block]
  /// The number of the step that the page is read up to, from 1; `nil` for the whole page.
  var step: Int?

  /// A fenced block of code.
  struct Block: Sendable {
    let language: String
    /// The number of the first line behind the fence, from 1.
    let line: Int
    let text: String
    /// How many headings of chapters are above it.
    let chapter: Int
  }

  var description: String { step.map { "\(path), step \($0)" } ?? path }

  /// Reads a page in Markdown.
  init(path: String, text: String) {
    self.path = path
    var blocks: [Block] = []
    var chapter = 0
    var open: (language: String, line: Int, lines: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("```") {
        if let block = open {
          let text = block.lines.joined(separator: "\n")
          blocks.append(
            Block(language: block.language, line: block.line, text: text, chapter: chapter))
          open = nil
        } else {
          open = (String(line.dropFirst(3)), index + 2, [])
        }
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("## ") {
        chapter += 1
      }
    }
    self.blocks = blocks
  }

  private init(path: String, blocks: [Block], step: Int) {
    (self.path, self.blocks, self.step) = (path, blocks, step)
  }
}

extension Page {
  var hasProgram: Bool { blocks.contains { $0.language == "swift" } }
  var isAtTheTop: Bool { !path.contains("/") }

  /// What there is to run: the page, or a program for each step of a page that promises that.
  var programs: [Page] {
    guard hasProgram else { return [] }
    return path == Page.pathOfSteps ? steps : [self]
  }

  /// The page up to the end of each chapter that says what is printed.
  private var steps: [Page] {
    let chapters = blocks.filter { $0.language == "console" }.map(\.chapter)
    return Set(chapters).sorted().enumerated().map { index, chapter in
      Page(path: path, blocks: blocks.filter { $0.chapter <= chapter }, step: index + 1)
    }
  }

  /// What the program is said to print.
  var expectedOutput: String {
    blocks.filter { $0.language == "console" }.map { $0.text + "\n" }.joined()
  }

  /// The program; errors in it are reported at the lines of the page.
  var program: String {
    var imports: [String] = ["import Foundation"]
    var declarations: [String] = []
    var statements: [String] = []
    for block in blocks where block.language == "swift" {
      var lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
      let isDeclaration = Self.isDeclaration(lines)
      if !isDeclaration {
        for (index, line) in lines.enumerated() where line.hasPrefix("import ") {
          imports.append(String(line))
          lines[index] = ""
        }
      }
      let part =
        ["#sourceLocation(file: \"\(path)\", line: \(block.line))"] + lines.map(String.init)
        + ["#sourceLocation()"]
      if isDeclaration { declarations += part } else { statements += part }
    }
    let isAboutViews = (imports + declarations).contains {
      $0 == "import DiffableViews" || $0 == "import DiffableUI"
    }
    let isolation = isAboutViews ? "@MainActor " : ""
    return """
      \(imports.joined(separator: "\n"))
      \(declarations.joined(separator: "\n"))
      \(isolation)func page() async throws {
      \(statements.joined(separator: "\n"))
      }
      @main struct Program {
        static func main() async throws { try await page() }
      }
      """
  }

  /// Answers whether every line that is not indented belongs to a declaration.
  private static func isDeclaration(_ lines: [Substring]) -> Bool {
    let beginnings = [
      "#", "//", "@", "}", ")", "actor", "class", "enum", "extension", "final", "func", "import",
      "nonisolated", "private", "protocol", "struct", "typealias",
    ]
    return lines.allSatisfy { line in
      line.isEmpty || line.hasPrefix(" ") || beginnings.contains { line.hasPrefix($0) }
    }
  }
}

extension Page {
  /// The root of the package.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What the programs of pages may import.
  static let modules =
    [
      "Diffable", "DiffableEngine", "DiffableLayout", "DiffablePages", "DiffableQueries",
      "DiffableSync", "DiffableTerminal", "DiffableTesting", "DiffableViews", "DiffableWeb",
    ] + modulesOfStandIns

  /// What there is in the place of Apple's frameworks, and what needs it.
  #if os(Linux)
  private static let modulesOfStandIns = [
    "DiffableUI", "StandInSupport", "UIKit", "AppKit", "SwiftUI",
  ]
  #else
  private static let modulesOfStandIns: [String] = []
  #endif

  /// The page that says that its code up to the end of a step is a program.
  static let pathOfSteps = "Sources/Diffable/Diffable.docc/FromMemoryToAService.md"

  /// The pages at the top of the package and in the catalogues of its modules.
  ///
  /// The tests of the layout draw the pictures of its catalogue themselves. What needs a C library is
  /// tested in the packages that have it.
  static let all: [Page] = {
    // The programs about Apple's views need UIKit or what stands in for it.
    let libraries =
      [
        "Diffable", "DiffablePages", "DiffableQueries", "DiffableSync", "DiffableTerminal",
        "DiffableTesting", "DiffableViews",
      ]
      + (modulesOfStandIns.isEmpty ? [] : ["DiffableUI"])
    let catalogues = libraries.map { "Sources/\($0)/\($0).docc" }
    return (["."] + catalogues).flatMap { folder in
      let files = try? FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent(folder).path)
      return (files ?? []).map { folder == "." ? $0 : "\(folder)/\($0)" }
    }
    .filter { $0.hasSuffix(".md") }.sorted().compactMap { path in
      let url = root.appendingPathComponent(path)
      return (try? String(contentsOf: url, encoding: .utf8)).map { Page(path: path, text: $0) }
    }
  }()
}
