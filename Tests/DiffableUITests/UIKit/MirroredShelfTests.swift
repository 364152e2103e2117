import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import TestScope
import Testing

@Suite("A section that scrolls across a view does so from right to left as from left to right")
@MainActor
struct MirroredShelfTests {
  /// The same section in one of the two directions.
  private func solved(
    _ behavior: OrthogonalScrollingBehavior, _ direction: ReadingDirection
  ) throws -> SolvedLayout {
    let cell = LayoutSize(width: .estimated(70), height: .absolute(30))
    var group = LayoutGroup.horizontal(
      layoutSize: cell, subitems: [LayoutItem(layoutSize: cell)])
    group.edgeSpacing = LayoutEdgeSpacing(leading: .fixed(6))
    var section = LayoutSection(group: group)
    section.orthogonalScrollingBehavior = behavior
    section.interGroupSpacing = 4
    section.contentInsets = LayoutInsets(leading: 20, trailing: 8)
    var environment = LayoutEnvironment(width: 200, height: 300)
    environment.direction = direction
    return try CompositionalLayout(section: section).solve(itemCounts: [12], in: environment)
  }

  @Test(
    "Whatever is scrolled to, revealed and measured",
    arguments: OrthogonalScrollingBehavior.allCases.filter { $0 != .none })
  func law(behavior: OrthogonalScrollingBehavior) throws {
    for seed in 0..<rounds(160 as UInt64, least: 10) {
      var random = SplitMix64(seed: seed)
      var left = try solved(behavior, .leftToRight)
      var right = try solved(behavior, .rightToLeft)
      var (one, other) = (SectionOffsets(), SectionOffsets())
      for step in 0..<12 {
        let path = ItemPath(section: 0, item: random.number(below: 12))
        switch random.number(below: 3) {
        case 0:
          let size = LayoutExtent(width: Double(30 + random.number(below: 90)), height: 30)
          try left.setMeasuredSize(size, of: path)
          try right.setMeasuredSize(size, of: path)
        case 1:
          let (offset, isDragged) = (Double(random.number(below: 900)), random.chance(oneIn: 2))
          one.scroll(0, to: offset, isDragged: isDragged, in: left, nil)
          other.scroll(0, to: offset, isDragged: isDragged, in: right, nil)
        default:
          one.reveal(path, in: left, nil)
          other.reveal(path, in: right, nil)
        }
        one.settle(in: left)
        other.settle(in: right)
        let comment: Comment = "\(behavior), seed \(seed), step \(step)"
        let row = try #require(left.row(ofSection: 0))
        let mirrored = try #require(right.row(ofSection: 0))
        let offset = one.offset(ofSection: 0, row)
        #expect(abs(other.offset(ofSection: 0, mirrored) - offset) < 1e-6, comment)
        for item in 0..<12 {
          let path = ItemPath(section: 0, item: item)
          let (span, seen) = (
            try #require(left.span(of: path, in: row)),
            try #require(right.span(of: path, in: mirrored))
          )
          #expect(
            abs(span.lowerBound - seen.lowerBound) < 1e-6
              && abs(span.upperBound - seen.upperBound) < 1e-6, comment)
        }
        // No cell ends exactly where the part does.
        #expect(
          left.items(ofSection: 0, row, at: offset + 0.123, in: nil)
            == right.items(ofSection: 0, mirrored, at: offset + 0.123, in: nil), comment)
      }
    }
  }
}
