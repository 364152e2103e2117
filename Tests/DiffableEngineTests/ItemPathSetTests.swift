import Diffable
import Foundation
import Testing

@Suite("An item path set is a sorted set, however it was put together")
struct ItemPathSetTests {
  /// Two sections of three items: 64 subsets.
  static let universe = (0..<2).flatMap { section in
    (0..<3).map { ItemPath(section: section, item: $0) }
  }
  static let subsets = (0..<64).map { bits in
    universe.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)
  }

  @Test("every subset of six paths, in three orders: what is in it, its indices, and coding")
  func subsets() throws {
    for paths in Self.subsets {
      let set = ItemPathSet(paths)
      #expect(Array(set) == paths && Array(set.reversed()) == paths.reversed())
      #expect(set.count == paths.count && set.isEmpty == paths.isEmpty)
      #expect(ItemPathSet(paths.reversed()) == set && ItemPathSet(paths + paths) == set)
      #expect(ItemPathSet(paths.reversed()).hashValue == set.hashValue)
      for path in Self.universe { #expect(set.contains(path) == paths.contains(path)) }
      var index = set.startIndex
      for path in paths {
        #expect(set[index] == path)
        let next = set.index(after: index)
        #expect(index < next)
        #expect(set.index(before: next) == index)
        index = next
      }
      #expect(index == set.endIndex)
      let data = try JSONEncoder().encode(set)
      #expect(try JSONDecoder().decode(ItemPathSet.self, from: data) == set)
      for section in -1..<3 {
        let items = Set(set.items(inSection: section).ranges.flatMap { Array($0) })
        #expect(items == Set(paths.filter { $0.section == section }.map(\.item)))
      }
      #expect(
        set.ranges.count
          == paths.filter { path in
            !paths.contains(ItemPath(section: path.section, item: path.item - 1))
          }.count)
    }
  }

  @Test("every pair of subsets: what is in both, in either, in the first alone, and appended")
  func algebra() {
    for left in Self.subsets {
      for right in Self.subsets {
        let (one, other) = (ItemPathSet(left), ItemPathSet(right))
        // In any order, appending ranges makes the union.
        var appended = one
        for range in other.ranges { appended.append(section: range.section, items: range.items) }
        let union = Self.universe.filter { left.contains($0) || right.contains($0) }
        if Array(appended) != union || appended.count != union.count
          || appended != ItemPathSet(union) || one.union(other) != appended
          || one.intersection(other) != ItemPathSet(left.filter(right.contains))
          || one.subtracting(other) != ItemPathSet(left.filter { !right.contains($0) })
        {
          Issue.record("\(left) and \(right)")
        }
      }
    }
  }

  @Test(
    "data that is no set is refused",
    arguments: [
      "[[0,1]]", "[[0,2,2]]", "[[0,3,2]]", "[[-1,0,1]]", "[[0,-1,1]]",
      "[[0,0,9223372036854775807],[1,0,9223372036854775807]]",
    ])
  func refused(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ItemPathSet.self, from: Data(json.utf8))
    }
  }

  @Test("a million neighbours are one range; empty ranges are nothing")
  func ranges() {
    var set = ItemPathSet()
    set.append(section: 0, items: 0..<500_000)
    set.append(section: 0, items: 500_000..<1_000_000)
    set.append(section: 1, items: 5..<5)
    #expect(set.ranges.count == 1 && set.count == 1_000_000)
    #expect("\(set)" == "[0: 0..<1000000]")
    let literal: ItemPathSet = [ItemPath(section: 1, item: 0), ItemPath(section: 0, item: 2)]
    #expect(literal.map(\.section) == [0, 1])
  }

  @Test("indices that no item can have do not trap")
  func extremes() {
    let paths = [Int.min, -1, Int.max].map { ItemPath(section: 0, item: $0) }
    #expect(ItemPathSet(paths).count == 3)
    var set = ItemPathSet()
    for section in 0..<4 { set.append(section: section, items: .min ..< .max) }
    #expect(set.count == .max && set.contains(ItemPath(section: 0, item: 0)))
  }
}

@Suite("A difference counts each of its changes once") struct ChangeCountTests {
  @Test("Two of each kind are two, and a row that only has another name counts as nothing more")
  func counts() {
    let paths: ItemPathSet = [ItemPath(section: 0, item: 1), ItemPath(section: 3, item: 0)]
    let moves = [0, 4].map { Move(from: $0, to: $0 + 1) }
    let rowMoves = paths.map { Move(from: $0, to: ItemPath(section: 5, item: $0.item)) }
    let kinds: [(inout SnapshotDifference) -> Void] = [
      { $0.sectionDeletes = RangeSet(1..<3) }, { $0.sectionInserts = RangeSet(1..<3) },
      { $0.sectionMoves = moves }, { $0.sectionReloads = RangeSet(1..<3) },
      { $0.sectionReconfigures = RangeSet(1..<3) }, { $0.itemDeletes = paths },
      { $0.itemInserts = paths }, { $0.itemMoves = rowMoves }, { $0.itemReloads = paths },
      { $0.itemReconfigures = paths }, { $0.outlineChanges = RangeSet(1..<3) },
    ]
    var all = SnapshotDifference()
    for (number, add) in kinds.enumerated() {
      var one = SnapshotDifference()
      add(&one)
      add(&all)
      #expect(one.changeCount == 2 && !one.isEmpty, "\(one)")
      #expect(all.changeCount == 2 * (number + 1), "\(all)")
    }
    var renamed = SnapshotDifference()
    (renamed.itemRenames, all.itemRenames) = (paths, paths)
    #expect(renamed.changeCount == 0 && !renamed.isEmpty)
    #expect(all.changeCount == 2 * kinds.count)
    #expect(
      "\(all)" == "-§1..<3 +§1..<3 §0→1 §4→5 -0:1 -3:0 +0:1 +3:0 0:1→5:1 3:0→5:0 "
        + "*§1..<3 *0:1 *3:0 ~§1..<3 ~0:1 ~3:0 ⇝0:1 ⇝3:0 ▸§1..<3")
  }
}
