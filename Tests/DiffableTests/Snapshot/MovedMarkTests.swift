import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// A row that moves keeps what its writer has said of it, and so do the rows below it.
@Suite("A move forgets no marks, other than a deletion")
struct MovedMarkTests {
  private typealias List = Snapshot<Int, Int>

  /// Two sections of rows, each a list or an outline.
  private static func list(_ random: inout SplitMix64) throws -> List {
    var list = List()
    list.appendSections([0, 1])
    for section in 0..<2 {
      let items = Array(10 * section..<10 * section + random.number(below: 6))
      guard random.chance(oneIn: 2) else {
        try list.appendItems(items, toSection: section)
        continue
      }
      var outline = Outline<Int>()
      for (index, item) in items.enumerated() {
        if let parent = random.element(of: Array(items[..<index])), random.chance(oneIn: 2) {
          try outline.append([item], to: parent)
        } else {
          try outline.append([item])
        }
      }
      outline.expand(random.sample(items, oneIn: 2))
      try list.setOutline(outline, forSection: section)
    }
    return list
  }

  private static func move(
    _ item: Int, _ list: inout List, _ random: inout SplitMix64
  ) throws(SnapshotError) {
    let anchor = random.element(of: list.allItems) ?? item
    switch random.number(below: 4) {
    case 0: try list.moveItem(item, beforeItem: anchor)
    case 1: try list.moveItem(item, afterItem: anchor)
    case 2: try list.moveItem(item, intoItem: anchor)
    default: try list.moveItem(item, toSection: random.number(below: 2))
    }
  }

  @Test(arguments: 0..<UInt64(rounds(400, least: 100)))
  func `Whatever moves where`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<10 {
      var list = try Self.list(&random)
      for item in list.allItems {
        if random.chance(oneIn: 3) { try list.renameItem(item, to: item + 100) }
      }
      let rows = list.allItems
      try list.reloadItems(random.sample(rows, oneIn: 3))
      try list.reconfigureItems(random.sample(rows, oneIn: 3))
      let old = list
      for item in random.sample(rows, oneIn: 3) where list.containsItem(item) {
        // One that is not possible changes nothing.
        try? Self.move(item, &list, &random)
      }
      let left = Set(list.allItems)
      let place = "seed \(seed), round \(round): \(old) → \(list)"
      #expect(
        Set(list.reloadedItemIdentifiers) == left.intersection(old.reloadedItemIdentifiers),
        "\(place)")
      #expect(
        Set(list.reconfiguredItemIdentifiers) == left.intersection(old.reconfiguredItemIdentifiers),
        "\(place)")
      #expect(
        Set(list.renamedItems.map(\.new)) == left.intersection(old.renamedItems.map(\.new)),
        "\(place)")
      #expect(list.placedItemIdentifiers.allSatisfy(left.contains), "\(place)")
      try list.validate()
    }
  }
}
