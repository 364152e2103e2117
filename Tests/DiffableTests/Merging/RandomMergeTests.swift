import Diffable
import DiffableTesting
import Testing
import TestScope

/// Merges of generated snapshots; the long scope makes 100,000 of each kind.
@Suite(.timeLimit(.minutes(240))) struct RandomMergeTests {
  private typealias Generator = SnapshotGenerator<String, Int>
  private typealias List = Snapshot<String, Int>

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

  /// Edits some sections and leaves the others alone.
  private static func editing(
    _ sections: [String], of base: List, _ random: inout SplitMix64, newItems: ClosedRange<Int>
  ) throws -> List {
    var list = base
    var fresh = newItems.lowerBound
    for _ in 0..<1 + random.number(below: 6) {
      let section = sections[random.number(below: sections.count)]
      let items = sections.flatMap { list.itemIdentifiers(inSection: $0) }
      let anchor = random.element(of: items)
      switch (random.number(below: 5), anchor) {
      case (0, let anchor?): list.deleteItems([anchor])
      case (1, let anchor?):
        if let item = random.element(of: items) { try list.moveItem(item, beforeItem: anchor) }
      case (2, let anchor?):
        try list.insertItems([fresh], afterItem: anchor)
        fresh += 1
      case (3, _): try list.replaceItems(inSection: section, with: [])
      default:
        try list.appendItems([fresh], toSection: section)
        fresh += 1
      }
    }
    return list
  }

  @Test func `Merges that change different sections commute`() throws {
    for seed in 0..<UInt64(Self.rounds) {
      var random = SplitMix64(seed: seed)
      var base = List()
      base.appendSections(["a", "b", "c", "d", "e", "f"])
      for (index, section) in base.sectionIdentifiers.enumerated() {
        let start = index * 10
        try base.appendItems(start..<start + random.number(below: 5), toSection: section)
      }
      let sections = random.shuffled(base.sectionIdentifiers)
      let first = try Self.editing(
        Array(sections[..<2]), of: base, &random, newItems: 100...199)
      let second = try Self.editing(
        Array(sections[2..<4]), of: base, &random, newItems: 200...299)
      let live = try Self.editing(
        Array(sections[4...]), of: base, &random, newItems: 300...399)
      func merged(_ first: List, _ second: List) throws -> List {
        let once = try live.merging(first, basedOn: base)
        let twice = try once.snapshot.merging(second, basedOn: base)
        #expect(once.conflicts.isEmpty && twice.conflicts.isEmpty, "seed \(seed)")
        return twice.snapshot
      }
      let results = [try merged(first, second), try merged(second, first)]
      #expect(results[0] == results[1], "seed \(seed)")
      for (section, side) in zip(sections, [first, first, second, second, live, live]) {
        #expect(
          results[0].itemIdentifiers(inSection: section)
            == side.itemIdentifiers(inSection: section), "seed \(seed)")
      }
    }
  }
}
