import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// What the page of `NSCollectionView.performBatchUpdates(_:completionHandler:)` says of moves can be read
/// in two ways; stages with moves apart are the same in both.
@Suite("Stages with moves apart, where moves come last and count what came before them")
struct MovesApartTests {
  /// A stage performed as the page says: what goes by old indices, what comes in ascending order, and moves
  /// in the state that these have made.
  private func performed(
    _ difference: SnapshotDifference, on old: [[Int]], to new: Snapshot<Int, Int>
  ) -> [[Int]] {
    var list = old
    for path in difference.itemDeletes.reversed() { list[path.section].remove(at: path.item) }
    for section in difference.sectionDeletes.ranges.joined().reversed() {
      list.remove(at: section)
    }
    for section in difference.sectionInserts.ranges.joined() {
      list.insert(Array(new.items(inSectionAt: section)), at: section)
    }
    for path in difference.itemInserts {
      guard let item = new.itemIdentifier(for: path) else { return [] }
      list[path.section].insert(item, at: path.item)
    }
    var items = list
    for move in difference.itemMoves.sorted(by: { $0.from > $1.from }) {
      items[move.from.section].remove(at: move.from.item)
    }
    for move in difference.itemMoves.sorted(by: { $0.to < $1.to }) {
      items[move.to.section].insert(list[move.from.section][move.from.item], at: move.to.item)
    }
    var sections = items
    for move in difference.sectionMoves.sorted(by: { $0.from > $1.from }) {
      sections.remove(at: move.from)
    }
    for move in difference.sectionMoves.sorted(by: { $0.to < $1.to }) {
      sections.insert(items[move.from], at: move.to)
    }
    return sections
  }

  private func lists(_ snapshot: Snapshot<Int, Int>) -> [[Int]] {
    (0..<snapshot.numberOfSections).map { Array(snapshot.items(inSectionAt: $0)) }
  }

  private func check(_ old: Snapshot<Int, Int>, _ new: Snapshot<Int, Int>) throws {
    var list = lists(old)
    for stage in try UpdateBatch(from: old, to: new).stages(for: .movesApart) {
      list = performed(stage.difference, on: list, to: stage.snapshot)
      if list != lists(stage.snapshot) {
        Issue.record("\(old) → \(new): \(stage) gives \(list)")
        return
      }
    }
  }

  @Test("on every transition of up to two sections with some items", arguments: 0..<8)
  func everyTransition(part: Int) throws {
    let snapshots = everySnapshot(sections: 2, items: isWide ? 3 : 2)
    for old in stride(from: part, to: snapshots.count, by: 8).map({ snapshots[$0] }) {
      for new in snapshots where isLong || areNumberedInOrder(old, new) {
        try check(old, new)
      }
    }
  }

  @Test("on random transitions", arguments: 0..<10 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for _ in 0..<rounds(200) {
      try check(
        generator.snapshot(.anyOf(sections: 5, items: 12)),
        generator.snapshot(.anyOf(sections: 5, items: 12)))
    }
  }

  @Test("and a batch that is not cut so is not the same in both readings")
  func whole() throws {
    let old = try state([1, 2, 3, 4, 5])
    let new = try state([3, 4, 5, 2])
    let batch = try UpdateBatch(from: old, to: new)
    let stages = batch.stages(for: .collectionView)
    #expect(stages.count == 1)
    // By the page, another item stands where the move begins.
    #expect(performed(stages[0].difference, on: lists(old), to: new) == [[2, 4, 5, 3]])
    #expect(batch.stages(for: .movesApart).count == 2)
  }

  private func state(_ items: [Int]) throws -> Snapshot<Int, Int> {
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections([0])
    try snapshot.appendItems(items, toSection: 0)
    return snapshot
  }
}
