import DiffableLayout
import Foundation
import Testing

/// The articles say what is true: their code is compiled and run, their pictures are drawn by it.
@Suite("Articles")
struct ArticleTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
  private static let catalogue = sources.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/DiffableLayout/DiffableLayout.docc")

  private static let articles = [
    "DiffableLayout.md", "Guides/Laying-out-a-photo-grid.md", "Guides/Laying-out-a-list.md",
    "Guides/Laying-out-an-app-store.md", "Guides/Laying-out-a-photo-mosaic.md",
    "Guides/Laying-out-a-calendar.md",
  ]

  @Test("Every code block is compiled", arguments: articles)
  func codeBlocks(article: String) throws {
    let text = try String(contentsOf: Self.catalogue.appending(path: article), encoding: .utf8)
    let compiled = try String(
      contentsOf: Self.sources.appending(path: "Articles.swift"), encoding: .utf8)
    func unindented(_ text: Substring) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }
    let code = unindented(compiled[...])
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(code.contains(unindented(block[...])), "not compiled:\n\(block)")
    }
  }

  static let drawings: [(name: String, svg: @Sendable () throws -> String)] = [
    ("photo-grid", { try Articles.photoGrid().svg { "\($0.path.item)" } }),
    (
      "list",
      {
        try Articles.measuredList().solved.svg {
          $0.kind == nil ? "row \($0.path.item)" : "header"
        }
      }
    ),
    (
      "app-store",
      {
        let solved = try Articles.appStore().0
        let screen = LayoutRect(x: 0, y: 0, width: 390, height: solved.contentSize.height)
        let offset = solved.orthogonalRow(ofSection: 0)?.initialOffset ?? 0
        return solved.svg(
          of: screen,
          scrolled: LayoutScrollState(visibleBounds: screen, orthogonalOffsets: [0: offset])
        ) { element in
          if case .decoration = element { return nil }
          return element.kind ?? "\(element.path.item)"
        }
      }
    ),
    ("photo-mosaic", { try Articles.photoMosaic().svg { "\($0.path.item)" } }),
    ("photo-wall", { try Articles.photoWall().svg { "\($0.path.item)" } }),
    (
      "calendar",
      {
        let months = ["March", "April", "May"]
        return try Articles.calendar().svg { element in
          switch element {
          case .item(let path): "\(path.item + 1)"
          case .supplementary(_, let path): months[path.section]
          case .decoration: nil
          }
        }
      }
    ),
  ]

  /// Set `DIFFABLE_WRITE_PICTURES=1` to draw the pictures again.
  @Test("Every picture is drawn by the code", arguments: drawings.indices)
  func drawing(index: Int) throws {
    let picture = Self.drawings[index]
    let file = Self.catalogue.appending(path: "Resources/\(picture.name).svg")
    let drawn = try picture.svg()
    if ProcessInfo.processInfo.environment["DIFFABLE_WRITE_PICTURES"] == "1" {
      try drawn.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == drawn)
  }

  @Test("The code does what the articles say")
  func claims() throws {
    #expect(try Articles.overview().count == 1)
    let grid = try Articles.photoGrid()
    let last = try #require(grid.frame(for: LayoutPath(section: 0, item: 2)))
    #expect(abs(last.maxX - 390) < 0.4 && abs(last.width - last.height) < 2)

    var row = LayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(90)), subitems: [Articles.badge()])
    row.contentInsets = LayoutInsets(20)
    let badged = try CompositionalLayout(section: LayoutSection(group: row)).solve(
      itemCounts: [1], in: phone)
    let dot = try #require(badged.supplementaryFrame(kind: "dot", section: 0))
    #expect(dot.center == LayoutPoint(x: 300, y: 20))

    let list = try Articles.measuredList()
    #expect(list.offset == 0)
    #expect(list.turned.frame(for: LayoutPath(section: 0, item: 3))?.height == 96)
    #expect(list.turned.frame(for: LayoutPath(section: 0, item: 2))?.height == 44)

    let (store, seen) = try Articles.appStore()
    #expect(store.frame(for: LayoutPath(section: 0, item: 0))?.width == 351)
    // One swipe from the first banner brings the second into the middle.
    let second = seen.first { $0.element == .item(section: 0, item: 1) }
    #expect(second?.frame.center.x == 195)

    let calendar = try Articles.calendar()
    for (section, weekday) in [6, 2, 4].enumerated() {
      let first = calendar.frame(for: LayoutPath(section: section, item: 0))
      #expect(first?.x == 22 + 50 * Double(weekday))
      let eighth = calendar.frame(for: LayoutPath(section: section, item: 7))
      #expect(eighth?.x == first?.x, "a week later is below")
    }
  }
}
