import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

@Suite("Gaps between items are behind the nearest item that stays")
struct PositionMapTests {
  private typealias List = Snapshot<Int, Int>

  @Test("in every transition of two sections with some items")
  func everyTransition() throws {
    let snapshots = everySnapshot(sections: 2, items: isWide ? 3 : 2)
    for old in snapshots {
      for new in snapshots where areNumberedInOrder(old, new) { try check(old, new) }
    }
  }

  @Test("in random transitions", arguments: 0..<8 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for _ in 0..<rounds(80) {
      try check(
        generator.snapshot(.anyOf(sections: 4, items: 12)),
        generator.snapshot(.anyOf(sections: 4, items: 12)))
    }
  }

  private func check(_ old: List, _ new: List) throws {
    let difference = try new.difference(from: old)
    let map = PositionMap(difference)
    checkSections(old, new, difference, map)
    for section in -1...old.numberOfSections {
      // The new place behind each item that has passed, and stays.
      var expected = map.newSection(forOld: section).map { ItemPath(section: $0, item: 0) }
      let isThere = (0..<old.numberOfSections).contains(section)
      for item in 0...(isThere ? old.items(inSectionAt: section).count : 0) {
        let path = ItemPath(section: section, item: item)
        if map.newGap(forOld: path) != expected {
          Issue.record("\(old) → \(new), \(path): \(String(describing: map.newGap(forOld: path)))")
        }
        if !difference.itemDeletes.contains(path),
          !difference.itemMoves.contains(where: { $0.from == path })
        {
          expected?.item = (map.newPath(forOld: path)?.item ?? 0) + 1
        }
      }
    }
  }

  /// What the map says of whole sections and of moves, against the difference itself.
  private func checkSections(
    _ old: List, _ new: List, _ difference: SnapshotDifference, _ map: PositionMap
  ) {
    func isPlaced(_ section: Int) -> Bool {
      difference.sectionInserts.contains(section)
        || difference.sectionMoves.contains { $0.to == section }
    }
    let comment: Comment = "\(old) → \(new)"
    for section in 0..<new.numberOfSections {
      #expect(map.isPlaced(newSection: section) == isPlaced(section), comment)
      let next = (section..<new.numberOfSections).first { !isPlaced($0) }
      let gap = next.flatMap(map.oldSection(forNew:)) ?? old.numberOfSections
      #expect(map.oldSectionGap(forNew: section) == gap, comment)
      for item in 0..<new.items(inSectionAt: section).count {
        let path = ItemPath(section: section, item: item)
        let move = difference.itemMoves.first { $0.to == path }
        #expect(map.source(ofMoveTo: path) == move?.from, comment)
      }
    }
    let extent = map.oldExtent(
      forNew: .init(sections: new.numberOfSections) { new.items(inSectionAt: $0).count })
    #expect(extent.sections == old.numberOfSections, comment)
    for section in 0..<old.numberOfSections {
      let isGone = difference.sectionDeletes.contains(section)
      let count = isGone ? 0 : old.items(inSectionAt: section).count
      #expect(extent.items(section) == count, comment)
    }
  }
}
