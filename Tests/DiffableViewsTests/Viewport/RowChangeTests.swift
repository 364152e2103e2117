import Diffable
import DiffableTesting
import TestScope
import Testing

@testable import DiffableViews

@Suite("What becomes of the rows around a place") struct RowChangeTests {
  /// Some rows, in some sections.
  private func list(_ random: inout SplitMix64) throws -> Snapshot<Int, Int> {
    var list = Snapshot<Int, Int>()
    let sections = Array((0..<3).shuffled(using: &random).prefix(1 + random.number(below: 3)))
    list.appendSections(sections)
    for item in (0..<8).shuffled(using: &random) where !random.chance(oneIn: 5) {
      try list.appendItems([item], toSection: sections[random.number(below: sections.count)])
    }
    return list
  }

  @Test("The nearest row that is left is found, also where its section goes")
  func nearest() throws {
    for seed in 0..<rounds(1_600 as UInt64) {
      var random = SplitMix64(seed: seed)
      let (old, new) = (try list(&random), try list(&random))
      let difference = try new.difference(from: old)
      let change = RowChange(difference, of: SnapshotDifference.Extent(old.base))
      let map = PositionMap(difference)
      let paths = old.itemIdentifiers.compactMap(old.itemPath(for:))
      let left = paths.filter { map.newPath(forOld: $0) != nil }
      // There may be no row at the place.
      let places = (0...old.numberOfSections).flatMap { section in
        [-1, 0, 1, 2, 5, Int.max].map { ItemPath(section: section, item: $0) }
      }
      for place in paths + places {
        let comment: Comment = "seed \(seed), \(place), from \(old) to \(new)"
        #expect(change.row(before: place) == left.last { $0 < place }, comment)
        #expect(change.row(after: place) == left.first { $0 > place }, comment)
      }
    }
  }
}
