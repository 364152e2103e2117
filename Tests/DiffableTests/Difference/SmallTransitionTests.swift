import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Examples that only differ in what their identifiers are called are one example; the long scope tries all.
@Suite("The laws of differences, gaps and stages hold on every small example, and random ones")
struct SmallTransitionTests {
  private typealias List = Snapshot<Int, Int>

  static let parts = 0..<16

  /// How many sections and items there are at most, and how many lists that makes.
  private static let scopes: [(sections: Int, items: Int, lists: Int)] =
    isWide
    ? [(1, 5, 327), (5, 0, 326), (2, 3, 131), (3, 2, 196)]
    : [(1, 4, 66), (4, 0, 65), (2, 2, 33), (3, 1, 49)]

  @Test(
    "every transition of a section with items, of sections alone, and of two and three with items",
    arguments: scopes.indices, parts)
  func every(scope: Int, part: Int) throws {
    let (sections, items, count) = Self.scopes[scope]
    let lists = everySnapshot(sections: sections, items: items)
    #expect(lists.count == count)
    // Stages are looked at where there are several sections with items.
    try checkAll(lists, part: part) { list in
      scope == 2 || scope == 3 && (isLong || list.numberOfItems < 2)
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

  @Test(
    "gaps and stages with moves apart, on random transitions", arguments: 0..<10 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for _ in 0..<rounds(200) {
      let old = generator.snapshot(.anyOf(sections: 5, items: 12))
      let new = generator.snapshot(.anyOf(sections: 5, items: 12))
      let batch = try UpdateBatch(from: old, to: new)
      checkGaps(old, new, batch.difference)
      checkAsThePageSays(old, batch.stages(for: .movesApart))
    }
  }

  @Test("a batch that is not cut so is not the same in both readings of moves")
  func whole() throws {
    let (old, new) = (List(contents: [(0, [1, 2, 3, 4, 5])]), List(contents: [(0, [3, 4, 5, 2])]))
    let batch = try UpdateBatch(from: old, to: new)
    let stages = batch.stages(for: .collectionView)
    #expect(stages.count == 1)
    // By the page, another item stands where the move begins.
    #expect(performed(stages[0].difference, on: lists(old), to: new) == [[2, 4, 5, 3]])
    #expect(batch.stages(for: .movesApart).count == 2)
  }

  /// - Parameter isStaged: Whether stages between states like this one are looked at as well.
  private func checkAll(_ snapshots: [List], part: Int, isStaged: (List) -> Bool) throws {
    for old in stride(from: part, to: snapshots.count, by: Self.parts.count).map({ snapshots[$0] })
    {
      for new in snapshots where isLong || areNumberedInOrder(old, new) {
        let batch = try UpdateBatch(from: old, to: new)
        for violation in DifferenceLaw.violations(of: batch.difference, from: old, to: new) {
          Issue.record("\(violation)")
        }
        checkGaps(old, new, batch.difference)
        if isStaged(old), isStaged(new) { checkStages(old, new, batch) }
      }
    }
  }

  // MARK: Gaps between items are behind the nearest item that stays

  private func checkGaps(_ old: List, _ new: List, _ difference: SnapshotDifference) {
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

  // MARK: Stages are accepted, and as few as promised

  private func checkStages(_ old: List, _ new: List, _ batch: UpdateBatch<Int, Int>) {
    for profile in RandomStageTests.profiles {
      let stages = batch.stages(for: profile)
      var view = ListSimulator(showing: old, profile: profile)
      let violations = view.perform(stages)
      let end = stages.last?.snapshot ?? old
      if !violations.isEmpty || end != new || stages.contains(where: \.isReset)
        || stages.count > fewestStages(for: batch.difference, profile)
        || stages.contains(where: { hasPlacedRows($0.snapshot) })
      {
        Issue.record("\(profile): \(old) → \(new) in \(stages): \(violations)")
      }
      if profile == .movesApart { checkAsThePageSays(old, stages) }
    }
  }

  /// A stage moves what no writer has placed.
  private func hasPlacedRows(_ state: List) -> Bool {
    !state.placedItemIdentifiers.isEmpty || !state.placedSectionIdentifiers.isEmpty
  }

  /// How many stages the documentation promises at most.
  private func fewestStages(
    for difference: SnapshotDifference, _ profile: ListProfile
  ) -> Int {
    let changesItems =
      !difference.itemDeletes.isEmpty || !difference.itemInserts.isEmpty
      || !difference.itemMoves.isEmpty
    let movesSections = !difference.sectionMoves.isEmpty
    switch profile {
    case .sequential:
      return difference.sectionDeletes.ranges.count + difference.sectionInserts.ranges.count
        + difference.sectionMoves.count + difference.itemDeletes.ranges.count
        + difference.itemInserts.ranges.count + difference.itemMoves.count
    case .movesApart:
      let comesOrGoes =
        !difference.itemDeletes.isEmpty || !difference.itemInserts.isEmpty
        || !difference.sectionDeletes.isEmpty || !difference.sectionInserts.isEmpty
      return (comesOrGoes ? 1 : 0) + (difference.itemMoves.isEmpty ? 0 : 1)
        + (movesSections ? 1 : 0)
    case .tableView where !difference.itemMoves.isEmpty:
      return 1 + (difference.sectionDeletes.isEmpty ? 0 : 1)
        + (difference.sectionInserts.isEmpty && !movesSections ? 0 : 1)
    default:
      if difference.isEmpty { return 0 }
      return changesItems && movesSections ? 2 : 1
    }
  }

  // MARK: Stages with moves apart, where moves come last and count what came before them

  /// What the page of `NSCollectionView.performBatchUpdates(_:completionHandler:)` says of moves can be read
  /// in two ways; stages with moves apart are the same in both.
  private func checkAsThePageSays(_ old: List, _ stages: [UpdateStage<Int, Int>]) {
    var list = lists(old)
    for stage in stages {
      list = performed(stage.difference, on: list, to: stage.snapshot)
      if list != lists(stage.snapshot) {
        Issue.record("from \(old) on, \(stage) gives \(list)")
        return
      }
    }
  }

  private func lists(_ snapshot: List) -> [[Int]] {
    (0..<snapshot.numberOfSections).map { Array(snapshot.items(inSectionAt: $0)) }
  }

  /// A stage performed as the page says: what goes by old indices, what comes in ascending order, and moves
  /// in the state that these have made.
  private func performed(
    _ difference: SnapshotDifference, on old: [[Int]], to new: List
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
}
