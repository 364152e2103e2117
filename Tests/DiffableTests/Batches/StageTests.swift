import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("A batch is cut into as few stages as the view's rules allow")
struct StageTests {
  typealias List = Snapshot<String, String>

  struct Example: Sendable, CustomTestStringConvertible {
    let title: String
    let old: String
    let new: String
    var profile = ListProfile.collectionView
    let stages: [String]
    var testDescription: String { title }
  }

  // Each move is the only one that is the fewest, so no tie is decided here.
  static let batched: [Example] = [
    Example(
      title: "items beside section moves take two stages", old: "A[a b] B[c] C[d e] D[]",
      new: "D[e] X[a] A[b y c] C[d]",
      stages: [
        "-§1 -0:0 +0:1..<3 2:1→2:0 ⇒ A[b y c] C[d] D[e]",
        "+§1 §2→0 ⇒ D[e] X[a] A[b y c] C[d]",
      ]),
    Example(
      title: "items move in the order that their sections still have", old: "A[a b c] B[] C[d e f]",
      new: "C[f d e] A[c a b] B[]",
      stages: [
        "0:2→0:0 2:2→2:0 ⇒ A[c a b] B[] C[f d e]", "§2→0 ⇒ C[f d e] A[c a b] B[]",
      ]),
    Example(
      title: "refreshes come last, by new positions", old: "A[a b c d]", new: "A[x d* b~ c]",
      stages: ["-0:0 +0:0 0:3→0:1 ⇒ A[x d b c]", "*0:1 ~0:2 ⇒ A[x d b c]"]),
    Example(
      title: "a table view takes everything in three stages", old: "X[x] A[a b c] B[] C[]",
      new: "C[x] A[c a b] B[] Y[y]", profile: .tableView,
      stages: [
        "-§0 ⇒ A[a b c] B[] C[]", "+2:0 0:2→0:0 ⇒ A[c a b] B[] C[x]",
        "+§3 §2→0 ⇒ C[x] A[c a b] B[] Y[y]",
      ]),
    Example(
      title: "moves apart: what moves rests in front of what comes", old: "A[a b c d] B[e] C[] D[]",
      new: "D[] A[d a c y] X[z] B[e]", profile: .movesApart,
      stages: [
        "-§2 +§1 -0:1 +0:3 ⇒ A[a c d y] X[z] B[e] D[]",
        "0:2→0:0 ⇒ A[d a c y] X[z] B[e] D[]", "§3→0 ⇒ D[] A[d a c y] X[z] B[e]",
      ]),
    Example(
      title: "sequential: every index in the running state", old: "A[a b c d] B[e] C[]",
      new: "C[e] A[d a c x] B[]", profile: .sequential,
      stages: [
        "-0:1 ⇒ A[a c d] B[e] C[]", "1:0→2:0 ⇒ A[a c d] B[] C[e]",
        "0:2→0:0 ⇒ A[d a c] B[] C[e]", "+0:3 ⇒ A[d a c x] B[] C[e]",
        "§2→0 ⇒ C[e] A[d a c x] B[]",
      ]),
  ]

  @Test(arguments: batched)
  func stages(_ example: Example) throws {
    let batch = try UpdateBatch(from: List(example.old), to: List(example.new))
    #expect(batch.stages(for: example.profile).map(\.description) == example.stages)
    #expect(batch.stages(for: example.profile) == batch.stages(for: example.profile))
  }

  @Test("a reset batch is one reset stage, even where nothing is left")
  func resets() throws {
    let empty = UpdateBatch<String, String>(
      epoch: Epoch(), base: nil, target: .empty, difference: SnapshotDifference(),
      previousSnapshot: nil, snapshot: List(), presentation: .animated)
    var presented = try UpdateBatch(from: List("A[a]"), to: List("A[b]"))
    presented.presentation = .reset
    for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
      #expect(empty.stages(for: profile) == [UpdateStage(resettingTo: List())])
      #expect(presented.stages(for: profile) == [UpdateStage(resettingTo: List("A[b]"))])
    }
  }

  @Test("past the limit a batch is a reset, at the limit it is not")
  func limit() throws {
    let batch = try UpdateBatch(from: List("A[a b]"), to: List("A[b a x]"))
    #expect(batch.difference.changeCount == 2)
    #expect(batch.stages(for: .collectionView.resetting(past: 2)).map(\.isReset) == [false])
    #expect(batch.stages(for: .collectionView.resetting(past: 1)).map(\.isReset) == [true])
    #expect(ListProfile.tableView.changeLimit == nil)
    #expect("\(ListProfile.tableView.resetting(past: 9))" == "tableView(reset past 9)")
  }

  @Test("a difference that was changed by hand and no longer fits becomes a reset")
  func unfitting() throws {
    let fitting = try UpdateBatch(from: List("A[a b] B[]"), to: List("B[a] A[b]"))
    var broken: [SnapshotDifference] = []
    func breakIt(_ edit: (inout SnapshotDifference) -> Void) {
      var difference = fitting.difference
      edit(&difference)
      broken.append(difference)
    }
    breakIt { $0.sectionDeletes.insert(contentsOf: 5..<(.max)) }
    breakIt { $0.sectionInserts.insert(contentsOf: -3..<1) }
    breakIt { $0.sectionMoves.append(Move(from: 0, to: .max)) }
    breakIt { $0.sectionReloads.insert(contentsOf: 2..<3) }
    breakIt { $0.itemDeletes.append(section: 0, items: 2..<(.max)) }
    breakIt { $0.itemInserts.append(section: .max, items: 0..<1) }
    let first = ItemPath(section: 0, item: 0)
    breakIt { $0.itemMoves.append(Move(from: ItemPath(section: 9, item: 0), to: first)) }
    breakIt { $0.itemReloads.append(section: -1, items: 0..<1) }
    breakIt { $0.itemReconfigures.append(section: 0, items: -7..<1) }
    breakIt { $0.itemRenames.append(section: 0, items: 1..<2) }
    breakIt { $0.itemMoves.append(Move(from: first, to: ItemPath(section: 1, item: 2))) }
    breakIt { $0.sectionMoves.append(Move(from: 2, to: 0)) }
    breakIt { $0.sectionReconfigures.insert(contentsOf: 1..<3) }
    breakIt { $0.outlineChanges.insert(contentsOf: -1..<1) }
    for difference in broken {
      var batch = fitting
      batch.difference = difference
      for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
        #expect(batch.stages(for: profile).map(\.isReset) == [true], "\(difference)")
      }
    }
    var orphan = fitting
    orphan.previousSnapshot = nil
    #expect(orphan.stages(for: .collectionView).map(\.isReset) == [true])
  }

  @Test(
    "whatever stands in a difference, stages end on the snapshot and nothing traps",
    arguments: 0..<4 as Range<UInt64>)
  func nonsense(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let old = List("A[a b c] B[d] C[]")
    let new = List("C[b] A[a x] D[d]")
    for _ in 0..<500 {
      var difference = SnapshotDifference()
      for _ in 0..<1 + random.number(below: 4) {
        let (section, item) = (random.number(below: 3), random.number(below: 3))
        let path = ItemPath(section: section, item: item)
        let other = ItemPath(section: random.number(below: 3), item: random.number(below: 3))
        switch random.number(below: 7) {
        case 0: difference.sectionDeletes.insert(contentsOf: section..<section + 1)
        case 1: difference.sectionInserts.insert(contentsOf: section..<section + 1)
        case 2: difference.sectionMoves.append(Move(from: section, to: other.section))
        case 3: difference.itemDeletes.append(section: section, items: item..<item + 1)
        case 4: difference.itemInserts.append(section: section, items: item..<item + 1)
        case 5: difference.itemMoves.append(Move(from: path, to: other))
        default: difference.sectionReloads.insert(contentsOf: section..<section + 1)
        }
      }
      let batch = UpdateBatch(
        epoch: Epoch(), base: Revision(1), target: Revision(2), difference: difference,
        previousSnapshot: old, snapshot: new, presentation: .animated)
      for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
        #expect(batch.stages(for: profile).last?.snapshot == new, "seed \(seed): \(difference)")
      }
    }
  }
}

@Suite("Each stage says which outlines it changes", .deadline)
struct OutlineStageTests {
  private typealias Edit = @Sendable (inout Snapshot<Int, Int>) throws -> Void

  /// What a writer does to the outlines `0[1▾[2] 3]` and `1[4▸[5]]`, and to the list `2[6 7]`.
  private static let edits: [Edit] = [
    { try $0.renameItem(3, to: 30) }, { try $0.renameItem(5, to: 50) },
    { try $0.moveItem(2, beforeItem: 6) }, { try $0.moveItem(7, beforeItem: 6) },
    { $0.expandItems([4]) }, { $0.collapseItems([1]) }, { $0.deleteItems([4]) },
    { try $0.insertItems([8], afterItem: 2) }, { try $0.moveSection(1, beforeSection: 0) },
    { try $0.reloadItems([6]) }, { try $0.moveItem(3, beforeItem: 1) },
  ]

  @Test("Every two edits, cut for every list view") func everyEdit() async throws {
    let first = try Outline([1, 2, 3], levels: [0, 1, 0], expanding: [1])
    let second = try Outline([4, 5], levels: [0, 1])
    var start = Snapshot<Int, Int>()
    start.appendSections([0, 1, 2])
    try start.setOutline(first, forSection: 0)
    try start.setOutline(second, forSection: 1)
    try start.appendItems([6, 7], toSection: 2)
    for one in Self.edits.indices {
      for other in Self.edits.indices where other > one {
        let source = try DataSourceActor<Int, Int>(start)
        var batches = await source.changes()
        let before = await source.revision
        try await source.update { list in
          try? Self.edits[one](&list)
          try? Self.edits[other](&list)
        }
        guard await source.revision != before else { continue }
        let batch = try #require(await batches.next())
        for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
          var state = try #require(batch.previousSnapshot)
          for (number, stage) in batch.stages(for: profile).enumerated() where !stage.isReset {
            let map = PositionMap(stage.difference)
            for section in stage.snapshot.sectionIdentifiers.indices {
              guard let origin = map.oldSection(forNew: section) else { continue }
              let isChanged =
                state.outline(ofSectionAt: origin) != stage.snapshot.outline(ofSectionAt: section)
              #expect(
                stage.difference.outlineChanges.contains(section) == isChanged,
                "edits \(one) and \(other), \(profile), stage \(number)")
            }
            state = stage.snapshot
          }
        }
      }
    }
  }
}

/// A hundred thousand transitions in the long scope, and fewer in the others.
@Suite("Random transitions are accepted by every kind of view")
struct RandomStageTests {
  static let profiles: [ListProfile] = [.collectionView, .tableView, .movesApart, .sequential]

  @Test("transitions in a pool of identifiers", arguments: 0..<rounds(50 as UInt64))
  func pooled(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var old = generator.snapshot(.anyOf(sections: 4, items: 7))
    for step in 0..<(isLong ? 180 : 80) {
      let next = generator.snapshot(.anyOf(sections: 4, items: 7))
      let new = step.isMultiple(of: 4) ? generator.changing(next, by: .marked) : next
      try expectAccepted(from: old, to: new, seed: seed, step: step)
      old = next
    }
  }

  @Test("transitions of every shape", arguments: 100..<scoped(usual: 102, wide: 110 as UInt64))
  func shaped(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    let shapes: [SnapshotShape] = [
      .even(sections: 0, itemsEach: 0), .even(sections: 3, itemsEach: 0),
      .even(sections: 1, itemsEach: 12), .even(sections: 3, itemsEach: 3),
      .uneven(sections: 4, items: 8), .uneven(sections: 9, items: 5),
    ]
    for step in 0..<(scoped(usual: 130, wide: 200, long: 1_000)) {
      let old = generator.snapshot(shapes[step % shapes.count])
      let changes = SnapshotChange.allCases
      let new = generator.changing(old, by: changes[step / shapes.count % changes.count])
      try expectAccepted(from: old, to: new, seed: seed, step: step)
    }
  }

  /// What a difference says by itself, and what is added to it by hand, where several kinds may overlap.
  @Test("whatever is to be refreshed is refreshed once", arguments: 300..<310 as Range<UInt64>)
  func once(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    let changes = [SnapshotChange.marked, .renamedItems, .mixed]
    for step in 0..<rounds(60, least: 12) {
      let old = generator.snapshot(.anyOf(sections: 4, items: 9))
      let new = generator.changing(old, by: changes[step % 3])
      var batch = try UpdateBatch(from: old, to: new)
      let map = PositionMap(batch.difference)
      if step.isMultiple(of: 2) { addRefreshes(to: &batch.difference, map, old, &generator.random) }
      let reloads = map.newSections(forOld: batch.difference.sectionReloads)
      func alone(_ paths: ItemPathSet) -> ItemPathSet {
        ItemPathSet(paths.filter { !reloads.contains($0.section) })
      }
      let itemReloads = alone(map.newPaths(forOld: batch.difference.itemReloads))
      for profile in Self.profiles {
        let stages = batch.stages(for: profile).map(\.difference)
        let comment: Comment = "seed \(seed), step \(step), \(profile): \(batch) in \(stages)"
        #expect(
          stages.flatMap(\.sectionReloads.ranges).flatMap(Array.init)
            == reloads.ranges
            .flatMap(Array.init), comment)
        #expect(
          stages.flatMap(\.sectionReconfigures.ranges).flatMap(Array.init)
            == batch.difference.sectionReconfigures.subtracting(reloads).ranges
            .flatMap(Array.init), comment)
        #expect(stages.flatMap { Array($0.itemReloads) } == Array(itemReloads), comment)
        #expect(
          stages.flatMap { Array($0.itemReconfigures) }
            == Array(alone(batch.difference.itemReconfigures).filter { !itemReloads.contains($0) }),
          comment)
        #expect(
          stages.flatMap { Array($0.itemRenames) }.sorted()
            == Array(batch.difference.itemRenames), comment)
      }
    }
  }

  /// Adds refreshes of some of what stays.
  private func addRefreshes(
    to difference: inout SnapshotDifference, _ map: PositionMap, _ old: Snapshot<Int, Int>,
    _ random: inout SplitMix64
  ) {
    for section in 0..<old.numberOfSections {
      guard let new = map.newSection(forOld: section) else { continue }
      if random.chance(oneIn: 3) {
        difference.sectionReloads.insert(contentsOf: section..<section + 1)
      }
      if random.chance(oneIn: 3) {
        difference.sectionReconfigures.insert(contentsOf: new..<new + 1)
      }
      for item in old.items(inSectionAt: section).indices {
        let path = ItemPath(section: section, item: item)
        guard let target = map.newPath(forOld: path) else { continue }
        if random.chance(oneIn: 3) {
          difference.itemReloads.append(section: section, items: item..<item + 1)
        }
        if random.chance(oneIn: 3) {
          difference.itemReconfigures.append(
            section: target.section, items: target.item..<target.item + 1)
        }
      }
    }
  }

  private func expectAccepted(
    from old: Snapshot<Int, Int>, to new: Snapshot<Int, Int>, seed: UInt64, step: Int
  ) throws {
    let batch = try UpdateBatch(from: old, to: new)
    for profile in Self.profiles {
      var view = ListSimulator(showing: old, profile: profile)
      let violations = view.perform(batch)
      if !violations.isEmpty {
        Issue.record("seed \(seed), step \(step), \(profile), \(old) → \(new): \(violations)")
      }
      let stages = batch.stages(for: profile)
      let areOrdered = stages.map(\.difference.itemMoves).allSatisfy { moves in
        zip(moves, moves.dropFirst()).allSatisfy { $0.to < $1.to }
      }
      #expect(areOrdered, "seed \(seed), step \(step), \(profile): \(stages)")
    }
  }
}
