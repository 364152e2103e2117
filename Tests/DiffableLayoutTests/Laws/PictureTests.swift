import DiffableLayout
import Testing

@Suite("Pictures")
struct PictureTests {
  private func solved() throws -> SolvedLayout {
    var section = grid(columns: 2, height: 60)
    section.boundarySupplementaryItems = [bar("title", .top, height: 30)]
    section.decorationItems = [
      .background(elementKind: "bg", contentInsets: LayoutInsets(top: 30))
    ]
    section.contentInsets = LayoutInsets(leading: 20, bottom: 20, trailing: 20)
    return try solve(section, [3], in: LayoutEnvironment(width: 320, height: 480))
  }

  @Test("As text")
  func text() throws {
    #expect(
      try solved().picture(columns: 32)
        == """
          ╔title 0.0═════════════════╗
          ╚══════════════════════════╝
        ··┌────────────┐┌────────────┐··
        ··│0.0         ││0.1         │··
        ··└────────────┘└────────────┘··
        ··┌────────────┐················
        ··│0.2         │················
        ··└────────────┘················
        ································
        """)
  }

  @Test("The description begins with the sizes")
  func description() throws {
    let lines = try solved().description.split(separator: "\n")
    #expect(lines.first == "320 × 170 points, 1 section, 3 items")
    #expect(lines.count > 8)
    let one = try solve(grid(columns: 2, height: 60), [1, 0]).description
    #expect(one.hasPrefix("320 × 60 points, 2 sections, 1 item\n"))
  }

  @Test("The description shows where the list begins, whatever the directions")
  func beginning() throws {
    for axis in LayoutAxis.allCases {
      for direction in ReadingDirection.allCases {
        var environment = LayoutEnvironment(width: 320, height: 320)
        environment.direction = direction
        let cell = LayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
        let section = LayoutSection(
          group: .horizontal(layoutSize: size(.absolute(160), .absolute(160)), subitems: [cell]))
        let text = try CompositionalLayout(
          section: section, configuration: LayoutConfiguration(scrollDirection: axis)
        ).solve(itemCounts: [50], in: environment).description
        #expect(text.contains("0.0 ") && text.contains("0.3 "), "\(axis), \(direction): \(text)")
        #expect(!text.contains("0.4 ") && !text.contains("0.49"), "\(axis), \(direction): \(text)")
      }
    }
  }

  @Test("As SVG")
  func svg() throws {
    let svg = try solved().svg { $0.kind ?? "<\($0.path.item)>" }
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"336\""))
    #expect(svg.contains(">&lt;2&gt;</text>"))
    #expect(svg.contains("<rect x=\"20.5\" y=\"30.5\" width=\"139\" height=\"59\""))
    #expect(svg.components("<g").count == svg.components("</g>").count)
    #expect(try solved().svg { _ in nil }.contains("<text") == false)
  }

  @Test("What a handler turns is turned around its centre, and what it hides is left out")
  func handled() throws {
    var section = grid(columns: 2, height: 60)
    section.visibleItemsHandler = LayoutVisibleItemsHandler(id: "turn") { items, _, _ in
      for index in items.indices where items[index].element.path.item == 0 {
        items[index].alpha = 0.5
        items[index].transform = LayoutTransform(a: 0, b: 1, c: -1, d: 0, tx: 3, ty: 4)
      }
      for index in items.indices where items[index].element.path.item == 1 {
        items[index].isHidden = true
      }
    }
    for behavior in [OrthogonalScrollingBehavior.none, .continuous] {
      section.orthogonalScrollingBehavior = behavior
      let solved = try solve(section, [2])
      let screen = LayoutRect(x: 0, y: 0, width: 320, height: 480)
      let state = LayoutScrollState(visibleBounds: screen)
      let svg = solved.svg(of: screen, scrolled: state)
      // The centre (80, 30) is moved by (3, 4).
      #expect(svg.contains("<g opacity=\"0.5\" transform=\"matrix(0 1 -1 0 113 -46)\">"))
      #expect(svg.contains(">0.0</text>") && !svg.contains(">0.1</text>"))
      #expect(svg.contains("stroke-dasharray") == (behavior == .continuous))
      let text = solved.picture(of: screen, scrolled: state)
      #expect(text.contains("0.0") && !text.contains("0.1"))
    }
  }

  @Test("Pictures of nothing are empty, not wrong")
  func nothing() throws {
    let solved = try solve(grid(columns: 2), [], in: LayoutEnvironment(width: 0, height: 0))
    #expect(solved.picture() == "")
    #expect(solved.svg().hasSuffix("</svg>\n"))
    #expect(solved.picture(of: LayoutRect(x: 0, y: 0, width: .nan, height: .infinity)) == "")
  }
}

extension String {
  /// The parts between the places where another text stands.
  fileprivate func components(_ other: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: other) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
