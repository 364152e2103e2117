import DiffableLayout
import Testing

@Suite("Kinds of sections")
struct SectionTests {
  @Test("Several groups in turn")
  func alternating() throws {
    let banner = LayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(100)), subitems: [cell(1)])
    let pair = LayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(40)), subitems: [cell(0.5)])
    let section = LayoutSection(alternating: [banner, pair, pair])
    let solved = try solve(section, [1_000_003])
    let frames = (0..<6).compactMap { solved.frame(for: LayoutPath(section: 0, item: $0)) }
    #expect(frames.map(\.y) == [0, 100, 100, 140, 140, 180])
    #expect(frames.map(\.width) == [320, 160, 160, 160, 160, 320])
    // 200,000 periods of 5 items and 180 points, then a banner and a full pair.
    #expect(solved.contentSize.height == 200_000 * 180 + 140)
  }

  @Test("A custom group is asked once and repeated")
  func custom() throws {
    let calls = Counter()
    let fan = LayoutGroup.custom(
      layoutSize: size(.fractionalWidth(0.5), .absolute(90)), id: "fan"
    ) { environment in
      calls.count()
      let width = environment.container.contentSize.width
      return (0..<3).map {
        LayoutGroupCustomItem(
          frame: LayoutRect(x: Double($0) * 10, y: Double($0) * 30, width: width, height: 30),
          zIndex: $0)
      }
    }
    var section = LayoutSection(group: fan)
    section.contentInsets = LayoutInsets(leading: 20, trailing: 20)
    let solved = try solve(section, [8, 8])
    #expect(calls.value == 1)
    // The provider is told half of the whole container, the group is placed in the section.
    let fifth = try #require(solved.attributes(for: .item(section: 0, item: 5)))
    #expect(fifth.frame == LayoutRect(x: 40, y: 150, width: 160, height: 30))
    #expect(fifth.zIndex == 2)
    #expect(solved.frame(for: LayoutPath(section: 1, item: 0))?.y == 240.0)
  }

  @Test("Section providers choose by index and environment")
  func providers() throws {
    let layout = CompositionalLayout(id: "by width") { index, environment in
      let wide = environment.container.effectiveContentSize.width > 400
      return grid(columns: (wide ? 4 : 2) + index)
    }
    for (width, columns) in [(320.0, 2.0), (480, 4)] {
      let solved = try layout.solve(
        itemCounts: [1, 1], in: LayoutEnvironment(width: width, height: 480))
      #expect(solved.frame(for: LayoutPath(section: 0, item: 0))?.width == width / columns)
      #expect(
        solved.frame(for: LayoutPath(section: 1, item: 0))?.width
          == (width / (columns + 1)).rounded(.down))
    }
  }

  @Test(
    "Insets of lists",
    arguments: [
      (.plain, .none, .none, [0, 0, 0, 0]), (.plain, .firstItemInSection, .none, [22, 0, 0, 0]),
      (.grouped, .none, .none, [35, 0, 20, 0]),
      (.grouped, .supplementary, .supplementary, [0, 0, 0, 0]),
      (.insetGrouped, .none, .none, [35, 16, 20, 16]),
      (.insetGrouped, .firstItemInSection, .supplementary, [0, 16, 0, 16]),
      (.sidebar, .none, .none, [0, 12.987, 10, 12.987]),
      (.sidebarPlain, .supplementary, .supplementary, [0, 12.987, 0, 12.987]),
    ]
      as [(
        LayoutListConfiguration.Appearance, LayoutListConfiguration.HeaderMode,
        LayoutListConfiguration.FooterMode, [Double]
      )])
  func lists(
    _ appearance: LayoutListConfiguration.Appearance,
    _ header: LayoutListConfiguration.HeaderMode, _ footer: LayoutListConfiguration.FooterMode,
    _ insets: [Double]
  ) throws {
    let section = LayoutSection.list(
      using: LayoutListConfiguration(
        appearance: appearance, headerMode: header, footerMode: footer))
    let solved = try solve(
      section, [3], in: LayoutEnvironment(width: 320, height: 480, safeArea: LayoutInsets(50)))
    let plain = appearance == .plain || appearance == .sidebarPlain
    let bar = plain ? 28 : 17.5
    let top = insets[0] + (header == .supplementary ? bar : 0)
    let first = try #require(solved.frame(for: LayoutPath(section: 0, item: 0)))
    #expect(abs(first.x - insets[1]) < 0.001 && first.y == top && first.height == 44)
    let end = top + 132 + insets[2] + (footer == .supplementary ? bar : 0)
    #expect(solved.contentSize.height == end)
    #expect(section.boundarySupplementaryItems.allSatisfy { $0.pinToVisibleBounds == plain })
    #expect(section.boundarySupplementaryItems.allSatisfy { $0.zIndex == 200 })
    var configuration = LayoutListConfiguration(
      appearance: appearance, headerMode: header, footerMode: footer)
    configuration.estimatedRowHeight = 60
    #expect(try solve(.list(using: configuration), [3]).contentSize.height == end + 3 * 16)
  }

  @Test("Boundary items can keep clear of something else than the content")
  func supplementaryReference() throws {
    var section = grid(columns: 1)
    section.contentInsets = LayoutInsets(leading: 10, trailing: 10)
    section.boundarySupplementaryItems = [bar("h", .top)]
    var environment = phone
    environment.layoutMargins = LayoutInsets(leading: 30, trailing: 40)
    for (reference, expected) in [
      (ContentInsetsReference.automatic, (10.0, 300.0)), (.none, (0, 320)),
      (.layoutMargins, (30, 250)), (.readableContent, (30, 250)),
    ] {
      section.supplementaryContentInsetsReference = reference
      let solved = try solve(section, [1], in: environment)
      let frame = try #require(solved.supplementaryFrame(kind: "h", section: 0))
      #expect(frame.x == expected.0 && frame.width == expected.1)
    }
    environment.safeArea = LayoutInsets(leading: 5, trailing: 6)
    environment.readableContentInsets = LayoutInsets(leading: 50, trailing: 60)
    for (reference, expected) in [
      (ContentInsetsReference.safeArea, (5.0, 309.0)), (.layoutMargins, (30, 250)),
      (.readableContent, (50, 210)),
    ] {
      section.supplementaryContentInsetsReference = reference
      section.contentInsetsReference = reference
      let solved = try solve(section, [1], in: environment)
      let header = try #require(solved.supplementaryFrame(kind: "h", section: 0))
      #expect(header.x == expected.0 && header.width == expected.1, "\(reference)")
      let cell = try #require(solved.frame(for: LayoutPath(section: 0, item: 0)))
      #expect(cell.x == expected.0 + 10 && cell.width == expected.1 - 20, "\(reference)")
    }
  }

  @Test("A handler's transform is the one that is shown, in both directions")
  func transforms() throws {
    let turned = LayoutTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 12, ty: 3)
    var section = grid(columns: 2)
    section.visibleItemsHandler = LayoutVisibleItemsHandler(id: "turn") { items, _, _ in
      for index in items.indices { items[index].transform = turned }
    }
    for direction in ReadingDirection.allCases {
      var environment = phone
      environment.direction = direction
      let solved = try solve(section, [6], in: environment)
      let screen = LayoutRect(x: 0, y: 0, width: 320, height: 480)
      let shown = solved.elements(in: screen, scrolled: LayoutScrollState(visibleBounds: screen))
      #expect(shown.map(\.transform) == Array(repeating: turned, count: 6), "\(direction)")
      #expect(shown.map(\.frame) == solved.elements(in: screen).map(\.frame), "\(direction)")
    }
  }

  @Test("A handler is told where the host has scrolled to, whatever the directions")
  func positions() throws {
    var section = LayoutSection(
      group: .horizontal(layoutSize: size(.absolute(100), .absolute(100)), subitems: [cell(1)]))
    section.visibleItemsHandler = LayoutVisibleItemsHandler(id: "where") { items, position, _ in
      for index in items.indices {
        (items[index].zIndex, items[index].alpha) = (Int(position.x), position.y)
      }
    }
    for (axis, direction) in LayoutAxis.allCases.flatMap({ axis in
      ReadingDirection.allCases.map { (axis, $0) }
    }) {
      for isOrthogonal in [false, true] {
        section.orthogonalScrollingBehavior = isOrthogonal ? .continuous : .none
        var environment = phone
        environment.direction = direction
        let solved = try CompositionalLayout(
          section: section, configuration: LayoutConfiguration(scrollDirection: axis)
        ).solve(itemCounts: isOrthogonal ? [90] : [50], in: environment)
        for offset in [0.0, 25] {
          // The only row of an orthogonal section is at the beginning of the list.
          let isAtEnd = axis == .horizontal && direction == .rightToLeft
          let room = solved.contentSize.width - 320
          let x = axis == .vertical ? 0 : isAtEnd ? room - offset : offset
          let screen = LayoutRect(x: x, y: axis == .vertical ? offset : 0, width: 320, height: 480)
          let found = solved.elements(
            in: screen,
            scrolled: LayoutScrollState(visibleBounds: screen, orthogonalOffsets: [0: 7]))
          let across = isOrthogonal ? 7.0 : 0
          let expected = axis == .vertical ? (across, offset) : (x, across)
          #expect(!found.isEmpty)
          #expect(
            found.allSatisfy { ($0.zIndex, $0.alpha) == (Int(expected.0), expected.1) },
            "\(axis), \(direction), orthogonal \(isOrthogonal), \(offset): \(found)")
        }
      }
    }
  }

  @Test("Handlers change what is in sight, and only there")
  func handlers() throws {
    var section = LayoutSection(
      group: .horizontal(layoutSize: size(.absolute(100), .absolute(100)), subitems: [cell(1)]))
    section.orthogonalScrollingBehavior = .groupPagingCentered
    section.visibleItemsHandler = LayoutVisibleItemsHandler(id: "fade") { items, offset, _ in
      for index in items.indices {
        items[index].alpha = 0.5
        items[index].zIndex = 7
        items[index].transform = LayoutTransform(scale: 0.9)
        items[index].center.x += 4
        items[index].isHidden = items[index].frame.x < 0 && offset.x > 0
      }
      items.removeLast()
    }
    for direction in ReadingDirection.allCases {
      var environment = phone
      environment.direction = direction
      let solved = try solve(section, [9], in: environment)
      let screen = LayoutRect(x: 0, y: 0, width: 320, height: 480)
      let state = LayoutScrollState(visibleBounds: screen, orthogonalOffsets: [0: 0])
      let plain = solved.elements(in: screen, scrolled: state)
      #expect(plain.map { solved.attributes(for: $0.element, scrolled: state) } == plain)
      #expect(solved.attributes(for: .item(section: 0, item: 8), scrolled: state)?.alpha == 1)
      #expect(plain.map(\.alpha) == [0.5, 0.5, 0.5, 1])
      let first = direction == .leftToRight ? 4.0 : 224
      #expect(plain[0].frame == LayoutRect(x: first, y: 0, width: 100, height: 100))
      #expect(plain[0].zIndex == 7 && plain[0].transform.a == 0.9 && !plain[0].isHidden)
      #expect(plain[3].zIndex == 0 && plain[3].transform == .identity)
      #expect(solved.elements(in: screen).allSatisfy { $0.alpha == 1 })
    }
  }
}
