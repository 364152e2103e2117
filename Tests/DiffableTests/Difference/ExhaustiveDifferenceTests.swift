import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// Examples that only differ in what their identifiers are called are one example; the long scope tries all.
@Suite("The laws of differences hold on every small example")
struct ExhaustiveDifferenceTests {
  static let lists = everyOrderedSubset(of: isWide ? [0, 1, 2, 3, 4] : [0, 1, 2, 3])
  static let parts = 0..<16

  /// The lists that are another example each as a list to start from.
  static let oldLists = isLong ? lists : lists.filter { areNumberedInOrder($0) }

  @Test("all transitions between ordered subsets of some items", arguments: parts)
  func flat(part: Int) throws {
    let snapshots = Self.lists.map { Snapshot(sections: [0], items: [$0]) }
    #expect(snapshots.count == (isWide ? 326 : 65))
    #expect(Self.oldLists.count == scoped(usual: 5, wide: 6, long: 326))
    for list in Self.oldLists {
      let old = Snapshot(sections: [0], items: [list])
      for new in stride(from: part, to: snapshots.count, by: Self.parts.count) {
        try check(list, old, Self.lists[new], snapshots[new])
      }
    }
  }

  private func check(
    _ oldItems: [Int], _ old: Snapshot<Int, Int>, _ newItems: [Int], _ new: Snapshot<Int, Int>
  ) throws {
    let difference = try new.difference(from: old)
    let kept = newItems.compactMap { oldItems.firstIndex(of: $0) }
    let isMinimal =
      difference.itemMoves.count == kept.count - lengthOfLongestIncreasing(kept)
      && difference.itemDeletes.count == oldItems.count - kept.count
      && difference.itemInserts.count == newItems.count - kept.count
    let isReplayed =
      try old.applying(difference, insertsFrom: new) == new
      && new.applying(difference.inverse, insertsFrom: old) == old
    if !isMinimal || !isReplayed || difference.isEmpty != (oldItems == newItems) {
      Issue.record("\(oldItems) → \(newItems): \(difference)")
    }
  }

  /// Quadratic and plain, written apart from the library and from its law checks.
  private func lengthOfLongestIncreasing(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, number) in numbers.enumerated() {
      var length = 1
      for earlier in 0..<index where numbers[earlier] < number {
        length = max(length, lengths[earlier] + 1)
      }
      lengths.append(length)
    }
    return lengths.max() ?? 0
  }

  @Test("all transitions between ordered subsets of some sections", arguments: parts)
  func sections(part: Int) throws {
    let snapshots = Self.lists.map { list in Snapshot(sections: list, items: list.map { [$0] }) }
    for oldIDs in Self.oldLists {
      let old = Snapshot(sections: oldIDs, items: oldIDs.map { [$0] })
      for new in stride(from: part, to: snapshots.count, by: Self.parts.count) {
        let difference = try snapshots[new].difference(from: old)
        let newIDs = Self.lists[new]
        let kept = newIDs.compactMap { oldIDs.firstIndex(of: $0) }
        let replayed = try old.applying(difference, insertsFrom: snapshots[new])
        if difference.sectionMoves.count != kept.count - lengthOfLongestIncreasing(kept)
          || difference.changeCount != oldIDs.count + newIDs.count - 2 * kept.count
            + difference.sectionMoves.count
          || replayed != snapshots[new]
        {
          Issue.record("\(oldIDs) → \(newIDs): \(difference)")
        }
      }
    }
  }

  @Test("every transition of up to two sections with some items", arguments: parts)
  func twoSections(part: Int) throws {
    let snapshots = everySnapshot(sections: 2, items: isWide ? 3 : 2)
    #expect(snapshots.count == (isWide ? 131 : 33))
    try checkAll(snapshots, part: part)
  }

  @Test("every transition of up to three sections with few items", arguments: parts)
  func threeSections(part: Int) throws {
    let snapshots = everySnapshot(sections: 3, items: isWide ? 2 : 1)
    #expect(snapshots.count == (isWide ? 196 : 49))
    try checkAll(snapshots, part: part)
  }

  private func checkAll(_ snapshots: [Snapshot<Int, Int>], part: Int) throws {
    for old in stride(from: part, to: snapshots.count, by: Self.parts.count) {
      for new in snapshots where isLong || areNumberedInOrder(snapshots[old], new) {
        let difference = try new.difference(from: snapshots[old])
        for violation in DifferenceLaw.violations(of: difference, from: snapshots[old], to: new) {
          Issue.record("\(violation)")
        }
      }
    }
  }

  @Test("laws along random paths, with moves of every shape", arguments: 0..<8 as Range<UInt64>)
  func paths(seed: UInt64) {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for _ in 0..<rounds(20) {
      var path = [generator.snapshot(.uneven(sections: 5, items: 30))]
      for change in generator.random.shuffled(SnapshotChange.allCases).prefix(6) {
        path.append(generator.changing(path[path.count - 1], by: change))
      }
      for violation in DifferenceLaw.violations(along: path) {
        Issue.record("seed \(seed): \(violation)")
      }
    }
  }
}
