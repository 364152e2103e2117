import Diffable
import DiffableTesting
import Testing
import TestScope

/// Nothing checks identifiers while a snapshot is edited.
///
/// So lists of all lengths may have some of them several times, and edits are about each of these.
@Suite("An edit of a list that has identifiers several times is one of arrays")
struct RepeatedIdentifierTests {
  @Test("Sections, in lists of one leaf and of many", arguments: 0..<UInt64(rounds(80, least: 10)))
  func sections(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var snapshot = Snapshot<Int, Int>()
    var expected: [Int] = []
    while expected.count < 40 + 30 * Int(seed % 10) {
      let ids = random.sample(Array(0..<60), oneIn: 20)
      // The first section with a name is the one that is meant.
      if let other = random.element(of: expected), random.chance(oneIn: 2) {
        try snapshot.insertSections(ids, beforeSection: other)
        expected.insert(contentsOf: ids, at: expected.firstIndex(of: other) ?? 0)
      } else {
        snapshot.appendSections(ids)
        expected += ids
      }
    }
    for _ in 0..<12 {
      let id = random.number(below: 60)
      #expect(snapshot.indexOfSection(id) == expected.firstIndex(of: id), "seed \(seed)")
      snapshot.deleteSections([id])
      expected.removeAll { $0 == id }
      #expect(snapshot.sectionIdentifiers == expected, "seed \(seed), \(id)")
    }
  }

  @Test("Items, in lists of one leaf and of many", arguments: 0..<UInt64(rounds(80, least: 10)))
  func items(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections([0, 1])
    var expected: [[Int]] = [[], []]
    while expected[0].count + expected[1].count < 40 + 30 * Int(seed % 10) {
      let ids = random.sample(Array(0..<60), oneIn: 20)
      let section = random.number(below: 2)
      if let other = random.element(of: expected[section]), random.chance(oneIn: 2),
        let home = expected.firstIndex(where: { $0.contains(other) })
      {
        try snapshot.insertItems(ids, beforeItem: other)
        expected[home].insert(contentsOf: ids, at: expected[home].firstIndex(of: other) ?? 0)
      } else {
        try snapshot.appendItems(ids, toSection: section)
        expected[section] += ids
      }
    }
    for _ in 0..<12 {
      let id = random.number(below: 60)
      let home = expected.firstIndex { $0.contains(id) }
      let path = home.map { ItemPath(section: $0, item: expected[$0].firstIndex(of: id) ?? 0) }
      #expect(snapshot.itemPath(for: id) == path, "seed \(seed)")
      snapshot.deleteItems([id])
      for section in 0..<2 {
        expected[section].removeAll { $0 == id }
        #expect(
          snapshot.itemIdentifiers(inSection: section) == expected[section], "seed \(seed), \(id)")
      }
    }
  }
}
