import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// What a merge does, by example: base, the writer's snapshot, the live one, and what comes of it.
@Suite struct MergeTests {
  struct Example: CustomTestStringConvertible {
    let name: String
    let base: String
    let theirs: String
    let live: String
    let result: String
    var conflicts: [MergeConflict<String, String>] = []

    var testDescription: String { name }
  }

  static let examples = [
    Example(
      name: "an insert comes behind the neighbour it followed",
      base: "s[a b c]", theirs: "s[a x b c]", live: "s[c a n b]", result: "s[c a x n b]"),
    Example(
      name: "an insert comes before the next neighbour when the one before is gone",
      base: "s[a b c]", theirs: "s[a x b c]", live: "s[n b c]", result: "s[n x b c]"),
    Example(
      name: "several inserts stay together",
      base: "s[a b c]", theirs: "s[a x y z b c]", live: "s[n b c]", result: "s[n x y z b c]"),
    Example(
      name: "inserts without any neighbour come last",
      base: "s[a]", theirs: "s[x a y]", live: "s[n]", result: "s[n x y]"),
    Example(
      name: "what is gone already is not missed",
      base: "s[a b c]", theirs: "s[a]", live: "s[c a]", result: "s[a]"),
    Example(
      name: "a move goes beside the neighbour that others have left in its place",
      base: "s[a b] t[c d]", theirs: "s[b] t[c a d]", live: "t[d c] s[a n b]",
      result: "t[a d c] s[n b]"),
    Example(
      name: "without such a neighbour, a move goes beside the nearest one, wherever that is",
      base: "s[a b] t[c d]", theirs: "s[b] t[c a]", live: "s[a b] t[d n c]",
      result: "s[b] t[n c a]"),
    Example(
      name: "items that stay follow their section",
      base: "s[a b] t[c]", theirs: "t[c] s[a b]", live: "s[b a n] t[c]",
      result: "t[c] s[b a n]"),
    Example(
      name: "two sections stay together",
      base: "s[] t[] u[]", theirs: "s[] x[1] y[2] t[] u[]", live: "n[] t[] u[]",
      result: "n[] x[1] y[2] t[] u[]"),
    Example(
      name: "both delete the same",
      base: "s[a b] t[]", theirs: "s[a]", live: "s[a]", result: "s[a]"),
    Example(
      name: "both insert the same item at the same place",
      base: "s[a]", theirs: "s[a x]", live: "s[n a x]", result: "s[n a x]"),
    Example(
      name: "both insert the same item at different places",
      base: "s[a b]", theirs: "s[a x b]", live: "s[a b x]", result: "s[a x b]",
      conflicts: [.item("x", .insertedTwice)]),
    Example(
      name: "both insert the same section, with items of their own",
      base: "s[]", theirs: "s[] x[1 2]", live: "s[] x[3]", result: "s[] x[3 1 2]"),
    Example(
      name: "both insert the same section at different places",
      base: "s[] t[]", theirs: "s[] x[] t[]", live: "s[] t[] x[]", result: "s[] x[] t[]",
      conflicts: [.section("x", .insertedTwice)]),
    Example(
      name: "both move the same item, elsewhere",
      base: "s[a b c d]", theirs: "s[b c d a]", live: "s[b a c d]", result: "s[b c d a]",
      conflicts: [.item("a", .movedTwice)]),
    Example(
      name: "both move the same item to the same place",
      base: "s[a b c d]", theirs: "s[b c d a]", live: "s[b c d a]", result: "s[b c d a]"),
    Example(
      name: "a move inside a section does not bring an item back to it",
      base: "s[a b c] t[]", theirs: "s[b c a] t[]", live: "s[b c] t[a]", result: "s[b c] t[a]",
      conflicts: [.item("a", .movedTwice)]),
    Example(
      name: "what others moved to another section is moved on",
      base: "s[a b] t[] u[]", theirs: "s[b] t[a] u[]", live: "s[b] t[] u[a]",
      result: "s[b] t[a] u[]", conflicts: [.item("a", .movedTwice)]),
    Example(
      name: "moved here, deleted there",
      base: "s[a b c]", theirs: "s[b c a]", live: "s[b c]", result: "s[b c]",
      conflicts: [.item("a", .movedButDeleted)]),
    Example(
      name: "deleted here, moved there",
      base: "s[a b c]", theirs: "s[b c]", live: "s[b c a]", result: "s[b c]",
      conflicts: [.item("a", .deletedButMoved)]),
    Example(
      name: "an edit in a section that others deleted",
      base: "s[a b] t[]", theirs: "s[a x b] t[]", live: "t[n]", result: "s[x] t[n]",
      conflicts: [.section("s", .filledButDeleted)]),
    Example(
      name: "a section deleted that others edited",
      base: "s[a b] t[]", theirs: "t[]", live: "s[a n b] t[]", result: "s[n] t[]",
      conflicts: [.section("s", .deletedButFilled)]),
    Example(
      name: "a section deleted that others only thinned out or moved",
      base: "s[a b] t[]", theirs: "t[]", live: "t[] s[b]", result: "t[]",
      conflicts: [.section("s", .deletedButMoved)]),
    Example(
      name: "a section moved that others deleted",
      base: "s[a] t[b] u[]", theirs: "t[b] u[] s[a]", live: "t[b] u[]", result: "t[b] u[]",
      conflicts: [.section("s", .movedButDeleted)]),
    Example(
      name: "both move the same section, elsewhere",
      base: "s[] t[] u[] v[]", theirs: "t[] u[] v[] s[]", live: "t[] s[] u[] v[]",
      result: "t[] u[] v[] s[]", conflicts: [.section("s", .movedTwice)]),
    Example(
      name: "an item leaves a section that goes",
      base: "s[a b] t[c]", theirs: "t[c a]", live: "s[a b n] t[x c]",
      result: "s[n] t[x c a]", conflicts: [.section("s", .deletedButFilled)]),
    Example(
      name: "marks of both sides stay on what is there",
      base: "s[a b c]", theirs: "s[a* b~ c]", live: "s*[a~ c]", result: "s*[a* c]"),
  ]

  @Test(arguments: examples) func `A merge, by example`(_ example: Example) throws {
    let (base, theirs, live) = (
      Snapshot(example.base), Snapshot(example.theirs), Snapshot(example.live)
    )
    let merge = try live.merging(theirs, basedOn: base)
    #expect(merge.snapshot.description == example.result && merge.conflicts == example.conflicts)
    #expect(try MergeLaw(base: base, theirs: theirs, live: live).violations == [])
  }

  @Test func `Snapshots that are not valid are refused`() throws {
    let valid = Snapshot("s[a b]")
    let invalid = Snapshot("s[a b a]")
    for (base, theirs, live) in [
      (invalid, valid, valid), (valid, invalid, valid), (valid, valid, invalid),
    ] {
      let error = try #require(throws: SnapshotError.self) {
        try live.merging(theirs, basedOn: base)
      }
      #expect(error.code == "duplicateItems")
    }
  }

  @Test func `Conflicts are read as they were written, whatever they are about`() throws {
    for contradiction in Contradiction.allCases {
      let conflicts: [MergeConflict<Int, Int>] = [
        .item(1, contradiction), .section(1, contradiction),
      ]
      #expect(try coded(conflicts) == conflicts)
    }
  }

  @Test func `Conflicts say what happened in a sentence`() {
    for contradiction in Contradiction.allCases {
      for conflict in [
        MergeConflict<String, Int>.item(7, contradiction), .section("7", contradiction),
      ] {
        #expect(conflict.description.contains("“7”") && conflict.description.hasSuffix("."))
        #expect(conflict.identifier.description == "7")
      }
    }
  }
}

/// Every three snapshots that can be made of a few identifiers, but for what these are called; in the
/// usual scope every 23rd of them, and in the wide one every fifth.
@Suite(.timeLimit(.minutes(240))) struct ExhaustiveMergeTests {
  private static func expectLaws(_ snapshots: [Snapshot<Int, Int>]) throws {
    var number = 0
    for base in snapshots where areNumberedInOrder(base) {
      for theirs in snapshots where areNumberedInOrder(base, theirs) {
        for live in snapshots where areNumberedInOrder(base, theirs, live) {
          number += 1
          guard isInScope(number, usual: 23, wide: 5) else { continue }
          let law = try MergeLaw(base: base, theirs: theirs, live: live)
          guard law.violations.isEmpty else {
            Issue.record("\(law.violations.joined(separator: "\n"))")
            return
          }
        }
      }
    }
  }

  @Test func `Triples of two sections and two items`() throws {
    try Self.expectLaws(everySnapshot(sections: 2, items: 2))
  }

  @Test func `Triples of one section and three items`() throws {
    try Self.expectLaws(everySnapshot(sections: 1, items: 3))
  }

  @Test func `Triples of sections without items`() throws {
    try Self.expectLaws(everySnapshot(sections: isWide ? 4 : 3, items: 0))
  }

  @Test(.enabled(if: isLong)) func `Triples of one section and four items`() throws {
    try Self.expectLaws(everySnapshot(sections: 1, items: 4))
  }

  @Test(.enabled(if: isLong)) func `Triples of two sections and three items`() throws {
    try Self.expectLaws(everySnapshot(sections: 2, items: 3))
  }
}

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
