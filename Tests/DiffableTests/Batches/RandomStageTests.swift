import Diffable
import DiffableTesting
import Testing
import TestScope

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
