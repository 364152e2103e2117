import DiffableLayout
import Testing
import TestScope

@Suite("Orthogonal sections")
struct OrthogonalTests {
  private func row(
    _ behavior: OrthogonalScrollingBehavior, width: Double = 100, items: Int = 8,
    axis: LayoutAxis = .vertical,
    decelerationRate: OrthogonalScrollingProperties.DecelerationRate = .automatic
  ) throws -> OrthogonalRow {
    let card = LayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
    var section = LayoutSection(
      group: .horizontal(layoutSize: size(.absolute(width), .absolute(width)), subitems: [card]))
    section.orthogonalScrollingBehavior = behavior
    section.orthogonalScrollingProperties.decelerationRate = decelerationRate
    section.interGroupSpacing = 8
    section.contentInsets = LayoutInsets(5)
    let solved = try CompositionalLayout(
      section: section, configuration: LayoutConfiguration(scrollDirection: axis)
    ).solve(itemCounts: [items], in: phone)
    return try #require(solved.orthogonalRow(ofSection: 0))
  }

  @Test("Where it rests it stays", arguments: OrthogonalScrollingBehavior.allCases)
  func fixedPoints(_ behavior: OrthogonalScrollingBehavior) throws {
    guard behavior != .none else { return }
    for width in [60.0, 100, 310, 400] {
      let row = try row(behavior, width: width)
      var last = -Double.infinity
      for offset in stride(
        from: -200, through: row.contentLength + 200, by: scoped(usual: 17.5, wide: 3.5))
      {
        let rest = row.restingOffset(near: offset)
        #expect(row.restingOffset(near: rest) == rest)
        #expect(rest >= last, "rest offsets keep the order of offsets")
        last = rest
        if let offsets = row.restOffsets {
          #expect(offsets.contains(rest))
          let nearest = offsets.map { abs($0 - offset) }.min() ?? 0
          // The last page begins at the end of the row, which may be nearer than the page before.
          #expect(behavior == .paging || abs(abs(rest - offset) - nearest) < 1e-9)
        }
        let still = row.restingOffset(from: rest, velocity: 0, draggedFrom: rest)
        #expect(still == rest)
      }
    }
  }

  @Test(
    "A swipe turns one page at most",
    arguments: [OrthogonalScrollingBehavior.paging, .groupPaging, .groupPagingCentered])
  func pages(_ behavior: OrthogonalScrollingBehavior) throws {
    let row = try row(behavior)
    let offsets = try #require(row.restOffsets)
    for (index, start) in offsets.enumerated() {
      for moved in stride(from: -900.0, through: 900, by: 50) {
        for velocity in [-3_000.0, -200, 0, 200, 3_000] {
          let rest = row.restingOffset(from: start + moved, velocity: velocity, draggedFrom: start)
          let place = try #require(offsets.firstIndex(of: rest))
          #expect(abs(place - index) <= 1)
          if velocity > 100 { #expect(place == min(index + 1, offsets.count - 1)) }
          if velocity < -100 { #expect(place == max(index - 1, 0)) }
        }
      }
    }
    // Several groups may rest at the end, and a row may be pulled beyond it.
    let beyond = try #require(offsets.last) + 40
    #expect(
      row.restingOffset(from: beyond, velocity: -3_000, draggedFrom: beyond)
        == offsets[offsets.count - 2])
  }

  @Test("From the last page, a swipe turns back one page, whatever the widths add up to")
  func backFromTheEnd() throws {
    for tenths in stride(from: 1_000, through: 3_600, by: scoped(usual: 7, wide: 1)) {
      let width = Double(tenths) / 10
      for pages in [2, 3, 7] {
        var section = LayoutSection(
          group: .horizontal(
            layoutSize: size(.absolute(width / 3), .absolute(50)), subitems: [cell(1)]))
        section.orthogonalScrollingBehavior = .paging
        let solved = try solve(
          section, [3 * pages], in: LayoutEnvironment(width: width, height: 480))
        let row = try #require(solved.orthogonalRow(ofSection: 0))
        let end = row.restingOffset(near: row.maxOffset)
        #expect(abs(end - row.maxOffset) < 1e-6)
        let back = row.restingOffset(from: end, velocity: -3_000, draggedFrom: end)
        #expect(abs(back - Double(pages - 2) * width) < 1e-6, "\(pages) pages of \(width)")
      }
    }
  }

  @Test("A centred section begins with its first group in the middle")
  func centred() throws {
    let row = try row(.groupPagingCentered)
    #expect(row.initialOffset == -105.0)
    #expect(row.restingOffset(ofGroup: 3) == 219.0)
    #expect(row.restingOffset(ofGroup: 8) == nil && row.items(ofGroup: 7) == 7..<8)
    #expect(try self.row(.paging).initialOffset == 0)
  }

  @Test(
    "A group rests where its cells reach the place of those of the first, whatever is around groups",
    arguments: [
      OrthogonalScrollingBehavior.continuousGroupLeadingBoundary, .groupPaging,
      .groupPagingCentered,
    ])
  func edges(_ behavior: OrthogonalScrollingBehavior) throws {
    for direction in ReadingDirection.allCases {
      for (leading, trailing) in [(0.0, 0.0), (10, 0), (0, 10), (30, 5)] {
        var group = LayoutGroup.horizontal(
          layoutSize: size(.absolute(100), .absolute(50)), subitems: [cell(1)])
        group.edgeSpacing = LayoutEdgeSpacing(
          leading: .fixed(leading), trailing: .fixed(trailing))
        var section = LayoutSection(group: group)
        section.orthogonalScrollingBehavior = behavior
        section.contentInsets = LayoutInsets(leading: 7, trailing: 3)
        var environment = phone
        environment.direction = direction
        let solved = try solve(section, [8], in: environment)
        let row = try #require(solved.orthogonalRow(ofSection: 0))
        for item in 0..<8 {
          let distance = Double(item) * (100 + leading + trailing)
          let expected =
            behavior == .groupPagingCentered
            ? distance + 50 - 155 : min(distance, row.maxOffset)
          let comment: Comment = "\(item) of \(direction), \(leading) and \(trailing)"
          #expect(row.restingOffset(ofGroup: item) == expected, comment)
          #expect(row.restingOffset(near: expected) == expected, comment)
          #expect(
            row.restingOffset(from: expected, velocity: 0, draggedFrom: expected) == expected,
            comment)
        }
        let start = row.initialOffset
        #expect(row.restingOffset(from: start - 20, velocity: 0, draggedFrom: start) == start)
      }
    }
  }

  @Test("A free swipe goes on in its direction and stays in the row")
  func free() throws {
    let row = try row(.continuous)
    #expect(row.restingOffset(from: 100, velocity: 200, draggedFrom: 0) > 100)
    #expect(row.restingOffset(from: 100, velocity: -1e6, draggedFrom: 0) == 0)
    #expect(row.restingOffset(from: 100, velocity: 1e6, draggedFrom: 0) == row.maxOffset)
  }

  @Test("A swipe that slows down fast ends earlier")
  func deceleration() throws {
    let ends = try [.automatic, .normal, .fast].map {
      (rate: OrthogonalScrollingProperties.DecelerationRate) in
      let row = try row(.continuous, decelerationRate: rate)
      return row.restingOffset(from: 0, velocity: 500, draggedFrom: 0)
    }
    #expect(ends[0] == ends[1])
    #expect(0 < ends[2] && ends[2] < ends[1])
  }

  @Test("In a layout that scrolls sideways they scroll down")
  func sideways() throws {
    let row = try row(.groupPaging, axis: .horizontal)
    #expect(row.axis == .vertical)
    #expect(row.viewport == LayoutRect(x: 5, y: 5, width: 100, height: 470))
    #expect(row.contentLength == 8 * 108 - 8)
  }

  @Test("Scrolled elements are where they are seen")
  func scrolled() throws {
    var section = LayoutSection(
      group: .horizontal(layoutSize: size(.absolute(100), .absolute(100)), subitems: [cell(1)]))
    section.orthogonalScrollingBehavior = .continuous
    for direction in ReadingDirection.allCases {
      var environment = phone
      environment.direction = direction
      let solved = try solve(section, [1_000, 1_000], in: environment)
      let screen = LayoutRect(x: 0, y: 0, width: 320, height: 480)
      let found = solved.elements(
        in: screen,
        scrolled: LayoutScrollState(visibleBounds: screen, orthogonalOffsets: [1: 50_050]))
      let second = found.filter { $0.element.path.section == 1 }
      #expect(second.map(\.element.path.item) == [500, 501, 502, 503])
      let first = direction == .leftToRight ? -50.0 : 320 + 50 - 100
      #expect(second.first?.frame == LayoutRect(x: first, y: 100, width: 100, height: 100))
      #expect(
        solved.visibleRange(
          of: 1, in: screen,
          scrolled: LayoutScrollState(visibleBounds: screen, orthogonalOffsets: [1: 50_050]))
          == 500..<504)
    }
  }

  @Test("Where no offset is given it begins", arguments: OrthogonalScrollingBehavior.allCases)
  func missingOffset(_ behavior: OrthogonalScrollingBehavior) throws {
    var section = LayoutSection(
      group: .horizontal(layoutSize: size(.absolute(100), .absolute(100)), subitems: [cell(1)]))
    section.orthogonalScrollingBehavior = behavior
    let screen = LayoutRect(x: 0, y: 0, width: 320, height: 480)
    for direction in ReadingDirection.allCases {
      var environment = phone
      environment.direction = direction
      let solved = try solve(section, [8], in: environment)
      let start = solved.orthogonalRow(ofSection: 0)?.initialOffset ?? 0
      #expect(start == (behavior == .groupPagingCentered ? -110 : 0))
      let given = LayoutScrollState(visibleBounds: screen, orthogonalOffsets: [0: start])
      let missing = LayoutScrollState(visibleBounds: screen)
      #expect(
        solved.elements(in: screen, scrolled: missing)
          == solved.elements(in: screen, scrolled: given))
      for item in 0..<8 {
        let element = LayoutElement.item(section: 0, item: item)
        #expect(
          solved.attributes(for: element, scrolled: missing)
            == solved.attributes(for: element, scrolled: given))
      }
    }
  }
}
