import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

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
