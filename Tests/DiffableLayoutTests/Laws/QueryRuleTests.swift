import DiffableLayout
import TestScope
import Testing

@Suite("Which elements a rectangle meets")
struct QueryRuleTests {
  static let axes = LayoutAxis.allCases

  /// One group of 100 × 50 in which one cell sticks out below and one lies wholly outside.
  private func solved() throws -> SolvedLayout {
    let group = LayoutGroup.custom(
      layoutSize: size(.absolute(100), .absolute(50)), id: "sticking out"
    ) { _ in
      [
        LayoutGroupCustomItem(frame: LayoutRect(x: 0, y: 30, width: 50, height: 60)),
        LayoutGroupCustomItem(frame: LayoutRect(x: 150, y: 10, width: 50, height: 20)),
      ]
    }
    var section = LayoutSection(group: group)
    section.decorationItems = [.background(elementKind: "bg")]
    return try solve(section, [2, 2])
  }

  private func names(_ rect: LayoutRect, _ rule: LayoutQueryRule) throws -> [String] {
    try solved().elements(in: rect, rule: rule).map(\.element.description)
  }

  @Test("What sticks out of its group")
  func stickingOut() throws {
    let below = LayoutRect(x: 0, y: 60, width: 60, height: 15)
    #expect(try names(below, .frames) == ["0.0", "bg 1.0"])
    #expect(try names(below, .uiKit) == ["bg 1.0"])
    let inside = LayoutRect(x: 0, y: 30, width: 60, height: 15)
    #expect(try names(inside, .uiKit) == ["0.0", "bg 0.0"])
    let beside = LayoutRect(x: 150, y: 0, width: 60, height: 30)
    #expect(try names(beside, .frames) == ["0.1", "bg 0.0"])
    #expect(try names(beside, .uiKit) == ["bg 0.0"])
    #expect(try solved().frame(for: LayoutPath(section: 0, item: 1)) != nil)
  }

  @Test("What merely touches")
  func touching() throws {
    let above = LayoutRect(x: 0, y: 20, width: 20, height: 30)
    #expect(try names(above, .frames) == ["0.0", "bg 0.0"])
    #expect(try names(above, .uiKit) == ["0.0", "bg 0.0", "bg 1.0"])
    let line = LayoutRect(x: 0, y: 50, width: 320, height: 0)
    #expect(try names(line, .frames).isEmpty)
    #expect(try names(line, .uiKit) == ["bg 0.0", "bg 1.0"])
  }

  @Test("A measured badge is found wherever it reaches, and its anchors move it")
  func movedBadge() throws {
    for fraction in [-8.0, -1, 1, 8] {
      for length in [0.5, 10, 60, 1_000] {
        for edges in [DirectionalRectEdge.top, .bottom] {
          var item = LayoutItem(layoutSize: size(.fractionalWidth(1), .absolute(20)))
          var badge = LayoutSupplementaryItem(
            layoutSize: size(.absolute(10), .estimated(10)), elementKind: "badge",
            containerAnchor: LayoutAnchor(
              edges: edges, fractionalOffset: LayoutPoint(x: 0, y: fraction)))
          // Without it, a shorter badge would be nearer to its group.
          badge.itemAnchor = LayoutAnchor(
            edges: edges, absoluteOffset: LayoutPoint(x: 0, y: -10 * fraction))
          item.supplementaryItems = [badge]
          var solved = try solve(
            LayoutSection(group: .horizontal(layoutSize: item.layoutSize, subitems: [item])),
            [20, 20])
          let element = LayoutElement.supplementary(
            kind: "badge", LayoutPath(section: 0, item: 10))
          try solved.setMeasuredSize(LayoutExtent(width: 10, height: length), of: element)
          let frame = try #require(solved.attributes(for: element)?.frame)
          for start in [frame.y, frame.center.y, frame.maxY - 0.1] {
            let rect = LayoutRect(x: 0, y: start, width: 320, height: 0.1)
            #expect(
              solved.elements(in: rect).map(\.element).contains(element),
              "\(fraction) of \(length) from \(edges)")
          }
          // A size that would put it nowhere is refused, and it keeps the one that it has.
          guard abs(fraction) == 8 else { continue }
          #expect(throws: LayoutError.self) {
            try solved.setMeasuredSize(LayoutExtent(width: 10, height: 1e308), of: element)
          }
          #expect(solved.attributes(for: element)?.frame == frame)
        }
      }
    }
  }

  @Test("What reaches beyond its section is found there, pinned or not", arguments: axes)
  func beyondTheSection(axis: LayoutAxis) throws {
    for inset in [-70.0, 0, 150] {
      for insets in [
        LayoutInsets(top: inset, leading: inset), LayoutInsets(bottom: inset, trailing: inset),
      ] {
        var header = LayoutBoundarySupplementaryItem(
          layoutSize: axis == .vertical
            ? size(.fractionalWidth(1), .absolute(30)) : size(.absolute(30), .fractionalHeight(1)),
          elementKind: "header", alignment: axis == .vertical ? .top : .leading)
        header.contentInsets = insets
        header.pinToVisibleBounds = true
        var section = LayoutSection(
          group: .horizontal(layoutSize: size(.absolute(100), .absolute(100)), subitems: [cell(1)]))
        section.boundarySupplementaryItems = [header]
        section.decorationItems = [.background(elementKind: "bg", contentInsets: insets)]
        let solved = try CompositionalLayout(
          section: section, configuration: LayoutConfiguration(scrollDirection: axis)
        ).solve(itemCounts: [1, 1, 1], in: phone)
        for offset in stride(from: 0.0, to: 320, by: 40) {
          let state = LayoutScrollState(visibleBounds: rect(axis, offset, 200))
          let everything = solved.elements(in: rect(axis, -1e6, 2e6), scrolled: state)
          #expect(everything.count == 9)
          for start in stride(from: -200.0, to: 700, by: 15) {
            let asked = rect(axis, start, 5)
            #expect(
              solved.elements(in: asked, scrolled: state)
                == everything.filter { $0.frame.intersects(asked) },
              "insets \(insets), scrolled to \(offset), from \(start)")
          }
        }
      }
    }
  }

  @Test(
    "A header or footer that is longer than its section is found, pinned or not", arguments: axes)
  func longerThanTheSection(axis: LayoutAxis) throws {
    var number = 0
    let sides: [RectAlignment] = axis == .vertical ? [.top, .bottom] : [.leading, .trailing]
    for (side, extends, pins) in sides.flatMap({ side in
      [(side, false, false), (side, false, true), (side, true, false), (side, true, true)]
    }) {
      for (shift, spacing) in [-50.0, 0, 50].flatMap({ [($0, 0.0), ($0, -15), ($0, 10)] }) {
        var bar = LayoutBoundarySupplementaryItem(
          layoutSize: axis == .vertical
            ? size(.fractionalWidth(1), .absolute(80)) : size(.absolute(80), .fractionalHeight(1)),
          elementKind: "bar", alignment: side,
          absoluteOffset: axis == .vertical
            ? LayoutPoint(x: 0, y: shift) : LayoutPoint(x: shift, y: 0))
        bar.extendsBoundary = extends
        bar.pinToVisibleBounds = pins
        var section = LayoutSection(
          group: .horizontal(layoutSize: size(.absolute(20), .absolute(20)), subitems: [cell(1)]))
        section.boundarySupplementaryItems = [bar]
        var configuration = LayoutConfiguration(scrollDirection: axis)
        configuration.interSectionSpacing = spacing
        let solved = try CompositionalLayout(section: section, configuration: configuration)
          .solve(itemCounts: [1, 1, 1, 1, 1], in: phone)
        for offset in stride(from: -100.0, to: 500, by: 60) {
          let state = LayoutScrollState(visibleBounds: rect(axis, offset, 50))
          let everything = solved.elements(in: rect(axis, -1e6, 2e6), scrolled: state)
          #expect(everything.count == 10)
          for start in stride(from: -203.0, to: 700, by: 5) {
            number += 1
            guard isInScope(number, usual: 13) else { continue }
            let asked = rect(axis, start, 5)
            #expect(
              solved.elements(in: asked, scrolled: state)
                == everything.filter { $0.frame.intersects(asked) },
              "\(side), extends \(extends), by \(shift), \(spacing), at \(offset), from \(start)")
          }
        }
      }
    }
  }

  /// A rectangle across the whole content.
  private func rect(_ axis: LayoutAxis, _ start: Double, _ length: Double) -> LayoutRect {
    axis == .vertical
      ? LayoutRect(x: 0, y: start, width: 320, height: length)
      : LayoutRect(x: start, y: 0, width: length, height: 480)
  }
}
