import DiffableLayout
import Testing

/// The frames, content sizes, queries and rest offsets that UIKit gave, to a thousandth of a point.
@Suite("Frames that UIKit gave")
struct LayoutCaseTests {
  @Test("The case file is there")
  func casesAreThere() {
    #expect(LayoutCase.all.count == 120)
  }

  @Test("Frames and order of drawing", arguments: LayoutCase.all)
  func frames(_ layoutCase: LayoutCase) throws {
    let solved = try layoutCase.solve()
    let grid = PixelGrid(scale: layoutCase.scale)
    for expected in layoutCase.expected {
      let attributes = try #require(solved.attributes(for: expected.element), "\(expected.element)")
      var frame = attributes.frame
      if layoutCase.isPicture { frame = grid.snapped(frame) }
      let pinned = layoutCase.pinnedFrame(of: expected.element, in: solved)
      #expect(
        (pinned ?? frame).isClose(to: expected.frame),
        "\(expected.element): \(frame), expected \(expected.frame)")
      if !layoutCase.isPicture {
        #expect(attributes.zIndex == expected.zIndex ?? 0, "\(expected.element)")
      }
    }
  }

  @Test("Content sizes", arguments: LayoutCase.all.filter { $0.contentSize != nil })
  func contentSize(_ layoutCase: LayoutCase) throws {
    let size = try layoutCase.solve().contentSize
    let expected = try #require(layoutCase.contentSize)
    #expect(abs(size.width - expected[0]) < 0.001 && abs(size.height - expected[1]) < 0.001)
  }

  @Test(
    "Rectangles, by UIKit's rule and by frames",
    arguments: LayoutCase.all.filter { $0.queries != nil })
  func queries(_ layoutCase: LayoutCase) throws {
    let solved = try layoutCase.solve()
    for query in layoutCase.queries ?? [] {
      let rect = LayoutRect(
        x: query.rect[0], y: query.rect[1], width: query.rect[2], height: query.rect[3])
      for rule in [LayoutQueryRule.uiKit, .frames] {
        let found = solved.elements(in: rect, rule: rule).map(\.element.caseName)
        #expect(found.sorted() == query.elements.sorted(), "\(rect) \(rule)")
      }
    }
  }

  @Test("Everything that is laid out is listed", arguments: LayoutCase.all)
  func nothingElse(_ layoutCase: LayoutCase) throws {
    // A picture shows only what is on the screen, and one record stops at the measured rows.
    guard !layoutCase.isPicture, !layoutCase.name.hasPrefix("selfsizing-14") else { return }
    let solved = try layoutCase.solve()
    let everything = LayoutRect(x: -1e5, y: -1e5, width: 1e6, height: 1e6)
    let found = solved.elements(in: everything).map(\.element)
    #expect(Set(found) == Set(layoutCase.expected.map(\.element)))
    #expect(found.count == layoutCase.expected.count)
  }

  @Test("Orthogonal rows", arguments: LayoutCase.all.filter { $0.orthogonal != nil })
  func orthogonalRows(_ layoutCase: LayoutCase) throws {
    let solved = try layoutCase.solve()
    for expected in layoutCase.orthogonal ?? [] {
      let row = try #require(solved.orthogonalRow(ofSection: expected.section))
      #expect(row.viewport.isClose(to: expected.viewport))
      #expect(abs(row.contentLength - expected.contentLength) < 0.001)
      #expect(abs(row.maxOffset - expected.maxOffset) < 0.001)
      #expect(row.restOffsets == expected.restOffsets)
    }
    for rest in layoutCase.restAfterSettingOffset ?? [] {
      for (section, expected) in rest.rest.enumerated() {
        let row = try #require(solved.orthogonalRow(ofSection: section))
        #expect(row.restingOffset(near: rest.setTo) == expected, "\(rest.setTo) in \(section)")
      }
    }
  }
}

extension LayoutCase {
  /// The case solved, with everything measured that it lists.
  func solve() throws -> SolvedLayout {
    var solved = try compositionalLayout.solve(itemCounts: items, in: environment)
    for (name, size) in measured ?? [:] {
      let parts = name.split(separator: ".").compactMap { Int($0) }
      try #require(parts.count == 2)
      try solved.setMeasuredSize(
        LayoutExtent(width: size[0], height: size[1]), of: .item(section: parts[0], item: parts[1]))
    }
    return solved
  }

  /// The frame of a pinned item on the screen that a picture was taken of.
  func pinnedFrame(of element: LayoutElement, in solved: SolvedLayout) -> LayoutRect? {
    guard isPicture, case .supplementary = element, let contentOffset, let safeArea else {
      return nil
    }
    let visible = LayoutRect(
      x: contentOffset[0], y: contentOffset[1] + safeArea[0], width: container.w,
      height: container.h - safeArea[0] - safeArea[2])
    let state = LayoutScrollState(visibleBounds: visible)
    let found = solved.elements(in: visible, scrolled: state).first { $0.element == element }
    return found.map { PixelGrid(scale: scale).snapped($0.frame) }
  }
}

extension LayoutCase.Expected {
  var element: LayoutElement {
    let path: LayoutPath
    switch item {
    case .index(let index): path = LayoutPath(section: section, item: index)
    case .layout: path = .layout
    }
    switch category {
    case "cell": return .item(path)
    case "decoration": return .decoration(kind: kind, path)
    default: return .supplementary(kind: kind, path)
    }
  }
}

extension LayoutElement {
  /// The element as the case file writes it.
  fileprivate var caseName: String { kind == nil ? "item \(self)" : "\(self)" }
}

extension LayoutRect {
  /// Whether all four numbers agree to a thousandth of a point.
  func isClose(to numbers: [Double]) -> Bool {
    zip([x, y, width, height], numbers).allSatisfy { abs($0 - $1) < 0.001 }
  }
}
