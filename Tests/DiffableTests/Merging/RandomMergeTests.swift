import Diffable
import DiffableTesting
import Testing
import TestScope

/// Merges of generated snapshots; the long scope makes 100,000 of each kind.
@Suite(.timeLimit(.minutes(240))) struct RandomMergeTests {
  private typealias Generator = SnapshotGenerator<String, Int>

  private static let rounds = scoped(usual: 60, wide: 500, long: 100_000)

  private static func generator(_ seed: UInt64) -> Generator {
    Generator(seed: seed, section: { "s\($0)" }, item: { $0 })
  }

  @Test(arguments: [2, 5, 60]) func `Three-way merges keep the laws`(items: Int) throws {
    for seed in 0..<UInt64(Self.rounds / 6 + 1) {
      var generator = Self.generator(seed)
      let shape = SnapshotShape.anyOf(sections: 4, items: items)
      let base = generator.snapshot(shape)
      var theirs = generator.changing(base, by: .mixed)
      // These laws go by identifiers; for items that get others see `RenamingSourceTests`.
      theirs.marks.forgetRenames()
      // What both sides made of the base, and sides that have hardly anything to do with it.
      for var live in [generator.changing(base, by: .mixed), generator.snapshot(shape)] {
        live.marks.forgetRenames()
        let law = try MergeLaw(base: base, theirs: theirs, live: live)
        #expect(law.violations.isEmpty, "seed \(seed)")
        guard law.violations.isEmpty else { return }
      }
    }
  }

  /// Which of two sections has moved is decided only where there are more than a few.
  @Test func `Three-way merges of sections alone keep the laws`() throws {
    for seed in 0..<UInt64(Self.rounds * 3) {
      var random = SplitMix64(seed: seed)
      func state(_ sections: [Int]) -> Snapshot<Int, Int> {
        var state = Snapshot<Int, Int>()
        state.appendSections(sections)
        return state
      }
      let base = Array(0..<6)
      let theirs = random.sample(random.shuffled(Array(0..<8)), oneIn: 8) + [8]
      let moved = random.shuffled(base)
      for (theirs, live) in [
        (theirs, base.filter { _ in !random.chance(oneIn: 3) }),
        (moved, base.filter { _ in !random.chance(oneIn: 3) }), (theirs, moved),
      ] {
        let others = base.filter { _ in !random.chance(oneIn: 3) } + theirs.filter { $0 > 5 }
        for theirs in [theirs, others] {
          let law = try MergeLaw(base: state(base), theirs: state(theirs), live: state(live))
          #expect(law.violations.isEmpty, "seed \(seed)")
          guard law.violations.isEmpty else { return }
        }
      }
    }
  }
}
