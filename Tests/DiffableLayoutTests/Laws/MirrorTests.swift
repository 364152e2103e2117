import DiffableLayout
import TestScope
import Testing

@Suite("A layout that is read from right to left answers as the mirror image would")
struct MirrorTests {
  /// A layout from left to right and the same from right to left, with pinned headers and handlers.
  private struct Pair {
    var left: SolvedLayout
    var right: SolvedLayout
    let counts: [Int]
    private let axis: LayoutAxis

    init(_ random: RandomLayout) throws {
      var descriptions = random.descriptions
      let behaviors = OrthogonalScrollingBehavior.allCases.filter { $0 != .none }
      for section in descriptions.indices {
        if descriptions[section].orthogonalScrollingBehavior != .none {
          descriptions[section].orthogonalScrollingBehavior =
            behaviors[(section + random.itemCounts[section]) % behaviors.count]
        }
        for item in descriptions[section].boundarySupplementaryItems.indices {
          descriptions[section].boundarySupplementaryItems[item].pinToVisibleBounds = true
        }
        descriptions[section].visibleItemsHandler = LayoutVisibleItemsHandler(id: section) {
          items, position, _ in
          for index in items.indices {
            items[index].center.y += 3
            items[index].alpha = position.y
          }
        }
      }
      let layout = CompositionalLayout(
        sections: descriptions, configuration: random.layout.configuration)
      axis = random.layout.configuration.scrollDirection
      counts = random.itemCounts
      var environment = random.environment
      left = try layout.solve(itemCounts: counts, in: environment)
      environment.direction = .rightToLeft
      right = try layout.solve(itemCounts: counts, in: environment)
    }

    func mirrored(_ rect: LayoutRect) -> LayoutRect {
      LayoutRect(
        x: left.contentSize.width - rect.x - rect.width, y: rect.y, width: rect.width,
        height: rect.height)
    }

    func isMirrored(_ one: LayoutRect, _ other: LayoutRect) -> Bool {
      mirrored(one).isNear(other)
    }

    /// Measures a view in both, and returns whether both say the same of it.
    mutating func measure(
      _ size: LayoutExtent, of path: LayoutPath, anchor: LayoutPath
    ) throws -> Bool {
      let width = left.contentSize.width
      let anchor = LayoutElement.item(anchor)
      let wasThere = left.attributes(for: anchor) != nil
      let one = try left.setMeasuredSize(size, of: .item(path), anchor: .element(anchor))
      let other = try right.setMeasuredSize(size, of: .item(path), anchor: .element(anchor))
      guard wasThere, left.attributes(for: anchor) != nil else { return true }
      let grown = axis == .horizontal ? left.contentSize.width - width : 0
      let correction =
        axis == .horizontal ? grown - one.scrollCorrection.x : one.scrollCorrection.x
      return (one.section, one.resized, one.contentSize)
        == (other.section, other.resized, other.contentSize)
        && abs(one.shift - other.shift) < 1e-6
        && abs(other.scrollCorrection.x - correction) < 1e-6
        && abs(other.scrollCorrection.y - one.scrollCorrection.y) < 1e-6
    }
  }

  @Test("Of rows that scroll across it, and of what is in sight, pinned, changed or measured")
  func law() throws {
    for seed in 0..<rounds(400 as UInt64) {
      let random = RandomLayout(seed: seed, measuring: true)
      var pair = try Pair(random)
      #expect(pair.left.contentSize == pair.right.contentSize, "seed \(seed)")
      let frames = pair.left.frames
      #expect(frames.count == pair.right.frames.count, "seed \(seed)")
      for (element, frame) in pair.right.frames {
        let other = try #require(frames[element])
        #expect(pair.isMirrored(other, frame), "seed \(seed), \(element)")
      }
      var generator = SeededGenerator(seed: seed)
      for (path, size) in random.measured.sorted(by: { $0.key < $1.key }).prefix(6)
      where pair.left.sizeProposal(for: .item(path)) != nil {
        #expect(
          pair.left.sizeProposal(for: .item(path)) == pair.right.sizeProposal(for: .item(path)))
        let section = Int.random(in: pair.counts.indices, using: &generator)
        let anchor = LayoutPath(
          section: section, item: Int.random(in: 0...pair.counts[section], using: &generator))
        #expect(
          try pair.measure(size, of: path, anchor: anchor), "seed \(seed), \(path), \(anchor)")
      }
      #expect(pair.left.dependsOnScrolling == pair.right.dependsOnScrolling)
      var offsets: [Int: Double] = [:]
      for section in pair.counts.indices {
        let (one, other) = (
          pair.left.orthogonalRow(ofSection: section), pair.right.orthogonalRow(ofSection: section)
        )
        try #require((one == nil) == (other == nil), "seed \(seed), section \(section)")
        guard let one, let other else { continue }
        #expect(pair.isMirrored(one.viewport, other.viewport), "seed \(seed), section \(section)")
        #expect(one.contentLength == other.contentLength && one.maxOffset == other.maxOffset)
        #expect(one.initialOffset == other.initialOffset && one.restOffsets == other.restOffsets)
        offsets[section] = Double.random(in: 0...90, using: &generator)
      }
      // No edge of a view is exactly at an edge of the screen.
      let screen = LayoutRect(
        x: Double.random(in: 0...99, using: &generator),
        y: Double.random(in: 0...99, using: &generator), width: 200.123, height: 300.321)
      let state = LayoutScrollState(visibleBounds: screen, orthogonalOffsets: offsets)
      let other = LayoutScrollState(
        visibleBounds: pair.mirrored(screen), orthogonalOffsets: offsets)
      let seen = pair.left.elements(in: screen, scrolled: state)
      let mirrored = pair.right.elements(in: other.visibleBounds, scrolled: other)
      #expect(seen.map(\.element) == mirrored.map(\.element), "seed \(seed)")
      for (one, other) in zip(seen, mirrored) {
        let isSame = (one.zIndex, one.alpha) == (other.zIndex, other.alpha)
        #expect(
          isSame && pair.isMirrored(one.frame, other.frame), "seed \(seed), \(one) and \(other)")
      }
      for section in pair.counts.indices {
        #expect(
          pair.left.visibleRange(of: section, in: screen, scrolled: state)
            == pair.right.visibleRange(of: section, in: other.visibleBounds, scrolled: other),
          "seed \(seed), section \(section)")
      }
    }
  }

  @Test("A rectangle of any length finds what a shorter one does, from either side")
  func endless() throws {
    let most = Double.greatestFiniteMagnitude
    for (direction, axis) in ReadingDirection.allCases.flatMap({ direction in
      LayoutAxis.allCases.map { (direction, $0) }
    }) {
      var section = grid(columns: 2)
      var header = bar("header", axis == .vertical ? .top : .leading, pinned: true)
      header.layoutSize = size(.absolute(30), .absolute(30))
      section.boundarySupplementaryItems = [header]
      var environment = phone
      environment.direction = direction
      let solved = try CompositionalLayout(
        section: section, configuration: LayoutConfiguration(scrollDirection: axis)
      ).solve(itemCounts: [5, 3], in: environment)
      let everything = solved.everything
      let rest = LayoutRect(x: 170, y: 0, width: 1e6, height: 1e6)
      let restCount = solved.elements(in: rest).count
      try #require(restCount > 0 && restCount < everything.count)
      for rule in [LayoutQueryRule.frames, .uiKit] {
        func found(_ x: Double, _ width: Double) -> [LayoutAttributes] {
          let rect = LayoutRect(x: x, y: 0, width: width, height: most)
          return solved.elements(in: rect, rule: rule)
        }
        for length in [1e13, 1e19, most] {
          #expect(found(0, length) == everything, "\(direction), \(axis), \(length)")
          #expect(found(-length / 2, length) == everything, "\(direction), \(axis), \(length)")
          #expect(found(170, length) == solved.elements(in: rest, rule: rule))
          // It ends where the content begins.
          #expect(found(-length, length).isEmpty, "\(direction), \(axis), \(length)")
          #expect(found(length, 320).isEmpty && found(length, length).isEmpty)
        }
        let wrong: [(Double, Double)] = [
          (0, .infinity), (-.infinity, .infinity), (.infinity, 0), (.nan, 320), (0, .nan),
        ]
        for (x, width) in wrong {
          #expect(found(x, width).isEmpty, "\(direction), \(axis), \(x), \(width)")
        }
      }
      // Where a view shows everything, nothing is pinned anywhere else.
      for bounds in [
        LayoutRect(x: 0, y: 0, width: most, height: most),
        LayoutRect(x: -most / 2, y: -most / 2, width: most, height: most),
      ] {
        let state = LayoutScrollState(visibleBounds: bounds)
        #expect(
          solved.elements(in: bounds, scrolled: state).map(\.frame) == everything.map(\.frame))
      }
    }
  }
}
