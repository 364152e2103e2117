import DiffableLayout
import Testing

@Suite("Pinned headers and footers")
struct PinningTests {
  private func solved(_ direction: ReadingDirection = .leftToRight) throws -> SolvedLayout {
    var section = grid(columns: 1, height: 40)
    section.boundarySupplementaryItems = [
      bar("header", .top, height: 30, pinned: true),
      bar("footer", .bottom, height: 20, pinned: true),
      bar("middle", .leading, height: 10, pinned: true),
    ]
    var environment = phone
    environment.direction = direction
    return try solve(section, [20, 20, 0], in: environment)
  }

  private func frame(
    _ kind: String, _ section: Int, at offset: Double, in solved: SolvedLayout
  ) -> LayoutRect? {
    let visible = LayoutRect(x: 0, y: offset, width: 320, height: 480)
    return solved.elements(in: visible, scrolled: LayoutScrollState(visibleBounds: visible)).first {
      $0.element == .supplementary(kind: kind, LayoutPath(section: section, item: 0))
    }?.frame
  }

  @Test("A header stays in sight while its section does")
  func header() throws {
    let solved = try solved()
    // Section 0 is 30 + 800 + 20 long, section 1 begins at 850.
    #expect(frame("header", 0, at: -50, in: solved)?.y == 0)
    #expect(frame("header", 0, at: 100, in: solved)?.y == 100)
    #expect(frame("header", 0, at: 790, in: solved)?.y == 790)
    // It is pushed out by the end of its items, not by that of its footer.
    #expect(frame("header", 0, at: 815, in: solved)?.y == 800)
    #expect(frame("header", 1, at: 815, in: solved)?.y == 850)
    #expect(frame("header", 1, at: 860, in: solved)?.y == 860)
  }

  @Test("A footer stays in sight while its section does")
  func footer() throws {
    let solved = try solved()
    #expect(frame("footer", 0, at: 0, in: solved)?.y == 460)
    #expect(frame("footer", 0, at: 390, in: solved)?.y == 830)
    #expect(frame("footer", 1, at: 410, in: solved)?.y == 880, "not before its section's items")
  }

  @Test("Pinned items never leave their section, and lie in front of everything")
  func bounds() throws {
    for direction in ReadingDirection.allCases {
      let solved = try solved(direction)
      for offset in stride(from: -600.0, through: 2_400, by: 7) {
        let visible = LayoutRect(x: 0, y: offset, width: 320, height: 480)
        let state = LayoutScrollState(visibleBounds: visible)
        for attributes in solved.elements(in: visible, scrolled: state) {
          guard case .supplementary(let kind, let path) = attributes.element else { continue }
          let start = Double(path.section) * 850
          #expect(attributes.frame.y >= start && attributes.frame.maxY <= start + 850)
          #expect(attributes.zIndex == (kind == "middle" ? 1 : 1_000_000_001))
        }
      }
    }
  }

  @Test("Of a section or a layout of any length", arguments: [false, true], [false, true])
  func places(extendsBoundary: Bool, isOfLayout: Bool) throws {
    let long = 50.0
    // Without items, with fewer than the header needs, and with more.
    for (count, alignment) in (0...3).flatMap({ [($0, RectAlignment.top), ($0, .bottom)] }) {
      var (section, configuration) = (grid(columns: 1, height: 40), LayoutConfiguration())
      var pinned = bar("pinned", alignment, height: long, pinned: true)
      pinned.extendsBoundary = extendsBoundary
      if isOfLayout {
        configuration.boundarySupplementaryItems = [pinned]
      } else {
        section.boundarySupplementaryItems = [pinned]
      }
      let sections = isOfLayout ? [section] : [grid(columns: 1), section]
      let solved = try CompositionalLayout(sections: sections, configuration: configuration)
        .solve(itemCounts: isOfLayout ? [count] : [2, count], in: phone)
      let start = isOfLayout ? 0.0 : 80
      let end = start + 40 * Double(count) + (extendsBoundary ? long : 0)
      let element = LayoutElement.supplementary(
        kind: "pinned", isOfLayout ? .layout : LayoutPath(section: 1, item: 0))
      for offset in stride(from: -500.0, through: 400, by: 7) {
        let visible = LayoutRect(x: 0, y: offset, width: 320, height: 480)
        let state = LayoutScrollState(visibleBounds: visible)
        let attributes = solved.attributes(for: element, scrolled: state)
        // Longer than the section, it lies over the next one or the one before.
        let expected =
          alignment == .top
          ? max(start, min(offset, end - long)) : min(end - long, max(start, offset + 480 - long))
        let isVisible = expected < offset + 480 && expected + long > offset
        let found = solved.elements(in: visible, scrolled: state).first { $0.element == element }
        let comment: Comment = "\(count) items, \(alignment), at \(offset)"
        #expect(attributes?.frame.y == expected, comment)
        #expect(attributes?.zIndex == (isVisible && !isOfLayout ? 1_000_000_001 : 1), comment)
        #expect(found == (isVisible ? attributes : nil), comment)
      }
    }
  }

  @Test("With an offset, a header is never above its own place, and a footer never below it")
  func offsets() throws {
    let long = 50.0
    for (count, alignment) in (0...3).flatMap({ [($0, RectAlignment.top), ($0, .bottom)] }) {
      for (distance, extendsBoundary) in [10.0, 60].flatMap({ [($0, false), ($0, true)] }) {
        let isHeader = alignment == .top
        var section = grid(columns: 1, height: 40)
        var pinned = bar("pinned", alignment, height: long, pinned: true)
        pinned.extendsBoundary = extendsBoundary
        pinned.offset.y = isHeader ? distance : -distance
        section.boundarySupplementaryItems = [pinned]
        let solved = try CompositionalLayout(sections: [grid(columns: 1), section])
          .solve(itemCounts: [2, count], in: phone)
        let element = LayoutElement.supplementary(
          kind: "pinned", LayoutPath(section: 1, item: 0))
        let natural = try #require(solved.attributes(for: element)).frame.y
        // Where the items are: a header leaves them at their end, a footer at their start.
        let start = 80 + (isHeader && extendsBoundary ? max(0, long - distance) : 0)
        let end = start + 40 * Double(count)
        for offset in stride(from: -600.0, through: 400, by: 7) {
          let visible = LayoutRect(x: 0, y: offset, width: 320, height: 480)
          let expected =
            isHeader
            ? max(natural, min(offset, end - long))
            : min(natural, max(offset + 480 - long, start))
          let state = LayoutScrollState(visibleBounds: visible)
          #expect(
            solved.attributes(for: element, scrolled: state)?.frame.y == expected,
            "\(count) items, \(alignment) by \(distance), \(extendsBoundary), at \(offset)")
        }
      }
    }
  }

  @Test("In a list that scrolls across, they are pinned from right to left as in a mirror")
  func mirrored() throws {
    var section = LayoutSection(
      group: .vertical(
        layoutSize: size(.absolute(40), .fractionalHeight(1)), subitem: cell(1), count: 1))
    section.boundarySupplementaryItems = [RectAlignment.leading, .trailing].map { alignment in
      var bar = LayoutBoundarySupplementaryItem(
        layoutSize: size(.absolute(30), .fractionalHeight(1)), elementKind: "\(alignment)",
        alignment: alignment)
      bar.pinToVisibleBounds = true
      return bar
    }
    let layout = CompositionalLayout(
      sections: [section, section],
      configuration: LayoutConfiguration(scrollDirection: .horizontal))
    let plain = try layout.solve(itemCounts: [20, 20], in: phone)
    var environment = phone
    environment.direction = .rightToLeft
    let mirrored = try layout.solve(itemCounts: [20, 20], in: environment)
    let width = plain.contentSize.width
    var places: Set<Double> = []
    for offset in stride(from: -100.0, through: width, by: 7) {
      func shown(_ solved: SolvedLayout, _ x: Double) -> [LayoutElement: LayoutRect] {
        let bounds = LayoutRect(x: x, y: 0, width: 320, height: 480)
        let found = solved.elements(in: bounds, scrolled: LayoutScrollState(visibleBounds: bounds))
        return Dictionary(uniqueKeysWithValues: found.map { ($0.element, $0.frame) })
      }
      let expected = shown(plain, offset).mapValues {
        LayoutRect(x: width - $0.x - $0.width, y: $0.y, width: $0.width, height: $0.height)
      }
      #expect(shown(mirrored, width - offset - 320) == expected, "at \(offset)")
      for (element, frame) in expected {
        if case .supplementary = element { places.insert(frame.x) }
      }
    }
    #expect(places.count > 100)
  }

  @Test("A layout depends on scrolling if anything in it does, wherever it is")
  func dependence() throws {
    func depends(
      _ change: (inout CompositionalLayout, inout LayoutSection) -> Void
    ) throws -> Bool {
      var section = grid(columns: 1)
      var layout = CompositionalLayout(section: section)
      change(&layout, &section)
      layout = CompositionalLayout(
        sections: [grid(columns: 2), section], configuration: layout.configuration)
      return try layout.solve(itemCounts: [3, 3], in: phone).dependsOnScrolling
    }
    #expect(
      try !depends { _, section in
        section.boundarySupplementaryItems = [bar("h", .top)]
      })
    #expect(
      try !depends { layout, _ in
        layout.configuration.boundarySupplementaryItems = [bar("h", .top)]
      })
    #expect(
      try depends { _, section in
        section.boundarySupplementaryItems = [bar("f", .bottom), bar("h", .top, pinned: true)]
      })
    #expect(
      try depends { layout, _ in
        layout.configuration.boundarySupplementaryItems = [bar("h", .top, pinned: true)]
      })
    #expect(
      try depends { _, section in
        section.visibleItemsHandler = LayoutVisibleItemsHandler(id: "none") { _, _, _ in }
      })
  }

  @Test("Without a scroll position nothing is pinned")
  func natural() throws {
    let solved = try solved()
    let rect = LayoutRect(x: 0, y: 100, width: 320, height: 480)
    #expect(!solved.elements(in: rect).contains { $0.element.kind == "header" })
  }

  @Test("Bars of the layout are pinned at the ends of all sections")
  func layoutBars() throws {
    let solved = try CompositionalLayout(
      section: grid(columns: 1),
      configuration: LayoutConfiguration(
        boundarySupplementaryItems: [bar("search", .top, pinned: true)])
    ).solve(itemCounts: [20, 20], in: phone)
    let visible = LayoutRect(x: 0, y: 900, width: 320, height: 480)
    let found = solved.elements(in: visible, scrolled: LayoutScrollState(visibleBounds: visible))
    let bar = found.first { $0.element == .supplementary(kind: "search", .layout) }
    #expect(bar?.frame.y == 900 && bar?.zIndex == 1)
    #expect(found.last?.element == bar?.element)
  }
}
