import DiffableLayout
import Testing
import TestScope

/// Nothing traps, whatever the numbers: a layout or an error that names the part.
@Suite("Hostile input")
struct HostileInputTests {
  static let numbers: [Double] = [
    0, -0.0, -1, -1e300, 1e300, 1e-300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan,
    .infinity, -.infinity, 0.5, 1e9,
  ]

  /// Asks a solved layout for everything there is to ask.
  private func ask(_ solved: SolvedLayout) {
    let rects =
      [0, -1e300, 1e300, 100, .nan, .infinity].map { y in
        LayoutRect(x: 0, y: y, width: 320, height: 480)
      } + [LayoutRect(x: 0, y: 0, width: -5, height: .nan), .zero]
    for rect in rects {
      // A row of cells without height may be endless on one screen, so only the first are asked for.
      guard solved.itemCounts.allSatisfy({ $0 < 1_000 }) else { break }
      for rule in [LayoutQueryRule.frames, .uiKit] {
        _ = solved.elements(
          in: rect,
          scrolled: LayoutScrollState(visibleBounds: rect, orthogonalOffsets: [0: rect.y]),
          rule: rule)
      }
      _ = solved.visibleRange(of: 0, in: rect)
    }
    for item in [0, -1, 5, .max, .min] {
      for section in [0, -1, 7, .max] {
        let path = LayoutPath(section: section, item: item)
        _ = solved.frame(for: path)
        _ = solved.attributes(for: .supplementary(kind: "h", path))
        _ = solved.attributes(for: .decoration(kind: "bg", path))
      }
    }
    if let row = solved.orthogonalRow(ofSection: 0) {
      for offset in Self.numbers where isWide || !offset.isFinite || abs(offset) < 1e10 {
        for velocity in [0, 500, .nan, 1e300, -.infinity] {
          _ = row.restingOffset(from: offset, velocity: velocity, draggedFrom: offset)
        }
        _ = row.restingOffset(near: offset)
      }
      if row.groupCount < 1_000 { _ = row.restOffsets }
    }
    if solved.itemCounts.allSatisfy({ $0 < 1_000 }), solved.orthogonalRow(ofSection: 0) == nil {
      _ = solved.description
      _ = solved.svg()
    }
  }

  private func attempt(_ section: LayoutSection, counts: [Int] = [7]) {
    for (number, behavior) in [OrthogonalScrollingBehavior.none, .paging, .groupPagingCentered]
      .enumerated()
    {
      for (other, axis) in LayoutAxis.allCases.enumerated()
      where isInScope(number + other, usual: 2) {
        var section = section
        section.orthogonalScrollingBehavior = behavior
        let layout = CompositionalLayout(
          section: section, configuration: LayoutConfiguration(scrollDirection: axis))
        do throws(LayoutError) {
          ask(try layout.solve(itemCounts: counts, in: phone))
        } catch {
          #expect(!error.part.steps.isEmpty || error.reason == .tooLong, "\(error)")
        }
      }
    }
  }

  @Test("Any number as a dimension", arguments: numbers)
  func dimensions(_ number: Double) {
    let dimensions: [LayoutDimension] = [
      .absolute(number), .estimated(number), .fractionalWidth(number), .fractionalHeight(number),
      .uniformAcrossSiblings(estimate: number),
    ]
    for dimension in dimensions {
      let item = LayoutItem(layoutSize: size(dimension, .fractionalHeight(1)))
      let flat = LayoutItem(layoutSize: size(.fractionalWidth(0.4), dimension))
      let row = size(.fractionalWidth(1), .absolute(50))
      attempt(LayoutSection(group: .horizontal(layoutSize: row, subitems: [item, flat])))
      attempt(LayoutSection(group: .vertical(layoutSize: row, subitems: [flat])))
      attempt(
        LayoutSection(
          group: .horizontal(layoutSize: size(dimension, dimension), subitem: cell(0.5), count: 3)))
    }
  }

  @Test("Any number as a gap, an inset or an offset", arguments: numbers)
  func gaps(_ number: Double) {
    for spacing in [LayoutSpacing.fixed(number), .flexible(number)] {
      var item = cell(0.3)
      item.edgeSpacing = LayoutEdgeSpacing(leading: spacing, bottom: spacing)
      var group = LayoutGroup.horizontal(
        layoutSize: size(.fractionalWidth(1), .absolute(50)), subitems: [item, cell(0.2)])
      attempt(LayoutSection(group: group))
      group.interItemSpacing = spacing
      group.edgeSpacing = item.edgeSpacing
      attempt(LayoutSection(group: group))
    }
    var section = grid(columns: 3)
    section.interGroupSpacing = number
    attempt(section)
    section.contentInsets = LayoutInsets(number)
    var header = bar("h", .top, pinned: true)
    header.offset = LayoutPoint(x: number, y: number)
    section.boundarySupplementaryItems = [header]
    section.decorationItems = [
      .background(elementKind: "bg", contentInsets: LayoutInsets(top: number))
    ]
    attempt(section)
    attempt(
      .waterfall(
        LayoutWaterfall(
          lanes: .minimumWidth(number), itemLength: .estimated(number), laneSpacing: number,
          itemSpacing: number)))
    attempt(
      .waterfall(
        LayoutWaterfall(
          lanes: .count(3),
          itemLength: .provided(LayoutItemLengthProvider(id: number) { _, _ in number }))))
    attempt(
      LayoutSection(
        group: .custom(layoutSize: size(.fractionalWidth(1), .absolute(90)), id: number) { _ in
          [LayoutGroupCustomItem(frame: LayoutRect(x: number, y: 5, width: 20, height: number))]
        }))
  }

  @Test("Any number as the environment", arguments: numbers)
  func environments(_ number: Double) throws {
    let layout = CompositionalLayout(section: grid(columns: 3, spacing: 4))
    for environment in [
      LayoutEnvironment(width: number, height: 480), LayoutEnvironment(width: 320, height: number),
      LayoutEnvironment(width: 320, height: 480, scale: number),
      LayoutEnvironment(width: 320, height: 480, safeArea: LayoutInsets(number)),
    ] {
      do throws(LayoutError) {
        ask(try layout.solve(itemCounts: [5, 0, 2], in: environment))
      } catch {
        #expect(error.part.steps.first == .environment || error.reason == .tooLong, "\(error)")
      }
    }
  }

  @Test("No items, ten million, and more than there can be")
  func counts() throws {
    let layout = CompositionalLayout(section: grid(columns: 3))
    #expect(try layout.solve(itemCounts: [], in: phone).contentSize.height == 0)
    #expect(try layout.solve(itemCounts: [0, 0], in: phone).contentSize.height == 0)
    let many = try layout.solve(itemCounts: [10_000_000], in: phone)
    #expect(many.contentSize.height == 3_333_334 * 40)
    #expect(many.frame(for: LayoutPath(section: 0, item: 9_999_999))?.y == 133_333_320.0)
    ask(many)
    for count in [-1, Int.min, Int.max] {
      let error = #expect(throws: LayoutError.self) {
        try layout.solve(itemCounts: [3, count], in: phone)
      }
      #expect(error?.part == LayoutPart(.section(1), .property("itemCount")))
    }
    let wall = LayoutWaterfall(lanes: .count(2), itemLength: .estimated(5))
    #expect(throws: LayoutError(.tooLong, at: LayoutPart(.section(0), .waterfall))) {
      try solve(.waterfall(wall), [LayoutWaterfall.maximumItemCount + 1])
    }
    let most = CompositionalLayout.maximumItemCount
    ask(try layout.solve(itemCounts: [most, most, 3], in: phone))
  }

  @Test("Items of no length do not make an endless run")
  func endlessRuns() throws {
    let nothing = LayoutItem(layoutSize: size(.absolute(0), .absolute(0)))
    let row = LayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(50)), subitems: [nothing, nothing])
    let solved = try solve(LayoutSection(group: row), [10_000_000])
    #expect(solved.contentSize.height == 5_000_000 * 50 - 0)
    let dust = LayoutItem(layoutSize: size(.absolute(1e-3), .absolute(1)))
    let error = #expect(throws: LayoutError.self) {
      try solve(
        LayoutSection(group: .horizontal(layoutSize: row.layoutSize, subitems: [dust])), [3])
    }
    #expect(error == LayoutError(.tooManySlots, at: LayoutPart(.section(0), .group(0))))
  }

  @Test("Groups that hold each other many times end in an answer")
  func nestedMany() throws {
    func reason(_ group: LayoutGroup) -> LayoutError.Reason? {
      do throws(LayoutError) {
        _ = try solve(LayoutSection(group: group), [3])
        return nil
      } catch {
        return error.reason
      }
    }
    let row = size(.fractionalWidth(1), .absolute(50))
    let wide = LayoutItem(layoutSize: size(.absolute(500), .absolute(1)))
    // Twice at every level: with a cell at the bottom, and without room for one.
    for leaf in [cell(1), wide] {
      var group = LayoutGroup.horizontal(layoutSize: row, subitems: [leaf])
      for _ in 1..<LayoutError.maximumDepth {
        group = .horizontal(layoutSize: row, subitems: [group, group])
      }
      #expect(reason(group) == .tooManySlots)
    }
    // A thousand times at every level, with space to share: none has a cell to place.
    var empty = LayoutGroup.horizontal(
      layoutSize: size(.absolute(100), .absolute(50)), subitems: [wide])
    for _ in 1..<20 {
      empty = .horizontal(
        layoutSize: size(.estimated(100), .absolute(50)), repeatingSubitem: empty, count: 1_000)
      empty.interItemSpacing = .flexible(1)
    }
    #expect(try solve(LayoutSection(group: empty), [3]).contentSize.height == 0)
    // A cell and many groups without one, again and again.
    let nothing = LayoutGroup.horizontal(
      layoutSize: size(.absolute(1e-5), .absolute(1)), subitems: [wide])
    let nothings = LayoutGroup.horizontal(
      layoutSize: size(.absolute(0.01), .absolute(1)),
      subitems: Array(repeating: nothing, count: 200))
    let dust = LayoutItem(layoutSize: size(.absolute(0.01), .absolute(1)))
    #expect(reason(.horizontal(layoutSize: row, subitems: [dust, nothings])) == .tooManySlots)
    // As many subitems as there may be, all of which fit.
    let many = Array(
      repeating: LayoutItem(layoutSize: size(.absolute(1e-3), .absolute(1))), count: 60_000)
    #expect(reason(.horizontal(layoutSize: row, subitems: many)) == .tooManySlots)
  }
}
