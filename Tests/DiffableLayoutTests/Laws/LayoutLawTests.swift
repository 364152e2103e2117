import DiffableLayout
import Testing
import TestScope

/// Laws that hold for every description.
@Suite("Laws of layouts")
struct LayoutLawTests {
  static let seeds = 0..<rounds(400 as UInt64)

  @Test("attributes(for:) agrees with elements(in:), scrolled or not, visible or not")
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

  @Test("Offsets of sections that do not scroll across the list move nothing")
  func keptOffsets() throws {
    for seed in Self.seeds {
      let (solved, _) = try RandomLayout(seed: seed).solve()
      var random = SeededGenerator(seed: seed)
      var state = solved.randomScrollState(&random)
      let kept = solved.elements(in: .everything, scrolled: state)
      state.orthogonalOffsets = state.orthogonalOffsets.filter {
        solved.orthogonalRow(ofSection: $0.key) != nil
      }
      #expect(solved.elements(in: .everything, scrolled: state) == kept, "seed \(seed)")
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
  /// Bounds anywhere near the content, and any offsets: a host may keep those of sections that do not
  /// scroll across it any more.
  fileprivate func randomScrollState(_ random: inout SeededGenerator) -> LayoutScrollState {
    let room = environment.container.contentSize
    var offsets: [Int: Double] = [:]
    for section in itemCounts.indices {
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
