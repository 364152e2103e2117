import DiffableLayout
import Testing
import TestScope

/// Laws that hold for every description.
@Suite("Laws of layouts")
struct LayoutLawTests {
  static let seeds = 0..<rounds(400 as UInt64)

  @Test("frame(for:) agrees with elements(in:)")
  func framesAgree() throws {
    for seed in Self.seeds {
      let (solved, _) = try RandomLayout(seed: seed, measuring: seed % 2 == 0).solve()
      for attributes in solved.everything {
        try #require(
          solved.attributes(for: attributes.element) == attributes,
          "seed \(seed), \(attributes.element), \(attributes.frame)")
      }
      for (section, count) in solved.itemCounts.enumerated() {
        #expect(solved.frame(for: LayoutPath(section: section, item: count)) == nil)
        #expect(solved.frame(for: LayoutPath(section: section, item: -1)) == nil)
      }
    }
  }

  @Test("attributes(for:scrolled:) agrees with elements(in:scrolled:), visible or not")
  func scrolledFramesAgree() throws {
    for seed in Self.seeds {
      let (solved, _) = try RandomLayout(seed: seed, measuring: seed % 2 == 0).solve()
      var random = SeededGenerator(seed: seed)
      for _ in 0..<3 {
        let state = solved.randomScrollState(&random)
        for attributes in solved.elements(in: .everything, scrolled: state) {
          try #require(
            solved.attributes(for: attributes.element, scrolled: state) == attributes,
            "seed \(seed), \(attributes.element), \(attributes.frame), \(state)")
        }
      }
    }
  }

  @Test("The queries of a tiling find every element, and nothing else")
  func tiling() throws {
    for seed in Self.seeds {
      let (solved, _) = try RandomLayout(seed: seed, measuring: seed % 2 == 0).solve()
      let all = solved.everything
      // Some elements stick out of the content: the tiles cover what they cover.
      let right = all.map(\.frame.maxX).max() ?? 0
      let bottom = all.map(\.frame.maxY).max() ?? 0
      let left = all.map(\.frame.x).min() ?? 0
      let top = all.map(\.frame.y).min() ?? 0
      var found: Set<LayoutElement> = []
      let columns = 3.0
      let rows = 7.0
      for column in 0..<3 {
        for row in 0..<7 {
          let tile = LayoutRect(
            x: left + Double(column) * (right - left) / columns,
            y: top + Double(row) * (bottom - top) / rows,
            width: (right - left) / columns, height: (bottom - top) / rows)
          found.formUnion(solved.elements(in: tile).map(\.element))
        }
      }
      try #require(found == Set(all.map(\.element)), "seed \(seed)")
    }
  }

  @Test("UIKit's rule finds a subset, inside the content")
  func ruleOfUIKit() throws {
    for seed in Self.seeds {
      let (solved, _) = try RandomLayout(seed: seed).solve()
      let content = LayoutRect(origin: .zero, size: solved.contentSize)
      let byRule = solved.elements(in: content, rule: .uiKit).filter {
        if case .decoration = $0.element { false } else { true }
      }
      let byFrame = Set(solved.elements(in: content).map(\.element))
      try #require(byFrame.isSuperset(of: byRule.map(\.element)), "seed \(seed)")
      let outside = LayoutRect(x: -500, y: -500, width: 400, height: 400)
      #expect(solved.elements(in: outside, rule: .uiKit).isEmpty, "seed \(seed)")
    }
  }

  @Test("Right to left is the mirror image, and mirroring twice changes nothing")
  func mirror() throws {
    for seed in Self.seeds {
      let random = RandomLayout(seed: seed)
      let plain = try random.solve().solved
      var environment = random.environment
      environment.direction = .rightToLeft
      let mirrored = try random.layout.solve(itemCounts: random.itemCounts, in: environment)
      let width = plain.contentSize.width
      #expect(mirrored.contentSize == plain.contentSize)
      let frames = plain.frames
      try #require(mirrored.frames.count == frames.count, "seed \(seed)")
      for (element, frame) in mirrored.frames {
        let expected = try #require(frames[element])
        try #require(
          LayoutRect(
            x: width - frame.x - frame.width, y: frame.y, width: frame.width, height: frame.height
          ).isNear(expected), "seed \(seed), \(element)")
      }
    }
  }

  @Test("Scaling all lengths scales all frames where nothing is fractional")
  func scaling() throws {
    func layout(_ factor: Double) throws -> SolvedLayout {
      let big = LayoutItem(layoutSize: size(.absolute(50 * factor), .absolute(30 * factor)))
      var small = LayoutItem(layoutSize: size(.absolute(21 * factor), .absolute(17 * factor)))
      small.contentInsets = LayoutInsets(2 * factor)
      small.edgeSpacing = LayoutEdgeSpacing(leading: .fixed(3 * factor), top: .flexible(0))
      var group = LayoutGroup.horizontal(
        layoutSize: size(.absolute(300 * factor), .absolute(40 * factor)), subitems: [big, small])
      group.interItemSpacing = .flexible(4 * factor)
      group.contentInsets = LayoutInsets(top: 1 * factor, leading: 5 * factor)
      var section = LayoutSection(group: group)
      section.contentInsets = LayoutInsets(7 * factor)
      section.interGroupSpacing = 9 * factor
      section.boundarySupplementaryItems = [
        LayoutBoundarySupplementaryItem(
          layoutSize: size(.absolute(80 * factor), .absolute(25 * factor)), elementKind: "h",
          alignment: .top, absoluteOffset: LayoutPoint(x: 3 * factor, y: -2 * factor))
      ]
      return try CompositionalLayout(section: section).solve(
        itemCounts: [23, 4],
        in: LayoutEnvironment(width: 320 * factor, height: 480 * factor, scale: 1))
    }
    let plain = try layout(1)
    for factor in [2.0, 4, 16] {
      let scaled = try layout(factor).frames
      for (element, frame) in plain.frames {
        // Positions are rounded to whole pixels, lengths are not.
        let other = try #require(scaled[element])
        #expect(abs(other.x - frame.x * factor) <= factor, "\(element)")
        #expect(other.y == frame.y * factor && other.width == frame.width * factor, "\(element)")
      }
    }
  }

  @Test("Cells of a run do not overlap")
  func noOverlap() throws {
    for columns in 1...7 {
      for spacing in [0, 1, 7.5] {
        for width in [100.0, 301.5, 428] {
          let section = grid(columns: columns, spacing: spacing)
          let solved = try CompositionalLayout(section: section).solve(
            itemCounts: [40], in: LayoutEnvironment(width: width, height: 480, scale: 3))
          let frames = solved.everything.map(\.frame)
          for (index, frame) in frames.enumerated() {
            #expect(frame.maxX <= width + 0.001)
            #expect(
              !frames[..<index].contains { $0.intersects(frame.shrunk) }, "\(columns) \(spacing)")
          }
        }
      }
    }
  }

  @Test("A description equals its copy and nothing else")
  func equality() {
    let layouts = (0..<50).map { RandomLayout(seed: $0).layout }
    for (index, layout) in layouts.enumerated() {
      #expect(layout == RandomLayout(seed: UInt64(index)).layout)
      #expect(layout.hashValue == RandomLayout(seed: UInt64(index)).layout.hashValue)
    }
    #expect(Set(layouts).count == layouts.count)
  }

  @Test("visibleRange(of:) spans the cells that a rectangle meets")
  func visibleRange() throws {
    for seed in Self.seeds {
      let (solved, _) = try RandomLayout(seed: seed).solve()
      let rect = LayoutRect(x: 10, y: 60, width: 150, height: 120)
      for section in solved.itemCounts.indices {
        let cells = solved.elements(in: rect).compactMap { attributes -> Int? in
          guard case .item(let path) = attributes.element, path.section == section else {
            return nil
          }
          return path.item
        }
        let range = solved.visibleRange(of: section, in: rect)
        #expect(range.first == cells.min(), "seed \(seed)")
        #expect(range.last == cells.max(), "seed \(seed)")
      }
      #expect(solved.visibleRange(of: 99, in: rect).isEmpty)
    }
  }
}

extension LayoutRect {
  fileprivate static let everything = LayoutRect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
}

extension SolvedLayout {
  /// Bounds anywhere near the content, and any offsets of the sections that scroll across it.
  fileprivate func randomScrollState(_ random: inout SeededGenerator) -> LayoutScrollState {
    let room = environment.container.contentSize
    var offsets: [Int: Double] = [:]
    for section in itemCounts.indices where orthogonalRow(ofSection: section) != nil {
      offsets[section] = Double.random(in: -100...300, using: &random).rounded()
    }
    return LayoutScrollState(
      visibleBounds: LayoutRect(
        x: Double.random(in: -50...contentSize.width, using: &random).rounded(),
        y: Double.random(in: -50...contentSize.height, using: &random).rounded(),
        width: room.width, height: room.height),
      orthogonalOffsets: offsets)
  }
}
