import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// Examples that only differ in what their identifiers are called are one example; the long scope tries all.
@Suite("The laws of differences hold on every small example")
struct ExhaustiveDifferenceTests {
  static let parts = 0..<16

  @Test("every transition of one section with some items", arguments: parts)
  func oneSection(part: Int) throws {
    let snapshots = everySnapshot(sections: 1, items: isWide ? 5 : 4)
    #expect(snapshots.count == (isWide ? 327 : 66))
    try checkAll(snapshots, part: part)
  }

  @Test("every transition of some sections without items", arguments: parts)
  func sections(part: Int) throws {
    let snapshots = everySnapshot(sections: isWide ? 5 : 4, items: 0)
    #expect(snapshots.count == (isWide ? 326 : 65))
    try checkAll(snapshots, part: part)
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
