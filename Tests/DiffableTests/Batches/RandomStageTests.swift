import Diffable
import DiffableTesting
import Testing

@Suite("100,000 random transitions are accepted by every kind of view")
struct RandomStageTests {
  static let profiles: [ListProfile] = [.collectionView, .tableView, .sequential]

  @Test("transitions in a pool of identifiers", arguments: 0..<50 as Range<UInt64>)
  func pooled(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var old = generator.snapshot(.anyOf(sections: 4, items: 7))
    for step in 0..<1_800 * effort {
      let next = generator.snapshot(.anyOf(sections: 4, items: 7))
      let new = step.isMultiple(of: 4) ? generator.changing(next, by: .marked) : next
      try expectAccepted(from: old, to: new, seed: seed, step: step)
      old = next
    }
  }

  @Test("transitions of every shape", arguments: 100..<110 as Range<UInt64>)
  func shaped(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    let shapes: [SnapshotShape] = [
      .empty, .emptySections(3), .oneSection(items: 12), .even(sections: 3, itemsEach: 3),
      .uneven(sections: 4, items: 8), .uneven(sections: 9, items: 5),
    ]
    for step in 0..<1_000 * effort {
      let old = generator.snapshot(shapes[step % shapes.count])
      let changes = SnapshotChange.allCases
      let new = generator.changing(old, by: changes[step / shapes.count % changes.count])
      try expectAccepted(from: old, to: new, seed: seed, step: step)
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
    }
  }
}
