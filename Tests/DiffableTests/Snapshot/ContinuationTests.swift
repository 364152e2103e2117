import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("A lookup table that goes on from an earlier state answers like one made anew")
struct ContinuationTests {
  typealias List = Snapshot<Int, Int>

  private func expectAnswers(
    of state: List, like plain: List, asking items: Set<Int>, _ comment: Comment
  ) {
    #expect(state == plain, comment)
    #expect(state.faults(asking: items) == [], comment)
  }

  @Test("along the states of one list, and to one of another", arguments: SnapshotChange.allCases)
  func continuation(change: SnapshotChange) async throws {
    for seed in 0..<scoped(usual: 2, wide: 6 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let first = generator.snapshot(.uneven(sections: 5, items: seed % 2 == 0 ? 30 : 300))
      let source = try DataSourceActor<Int, Int>(first)
      var live = await source.snapshot
      var shown = live.resolved(continuing: List())
      var items = Set(first.itemIdentifiers)
      for step in 0..<4 {
        let new = generator.changing(live, by: change)
        items.formUnion(new.itemIdentifiers)
        try await source.apply(new)
        live = await source.snapshot
        // Half of the steps share no storage with what is shown.
        let next = step % 2 == 0 ? live : new.detached
        shown = next.resolved(continuing: shown)
        #expect(shown.base.itemTable != nil)
        expectAnswers(of: shown, like: new, asking: items, "\(change), seed \(seed), step \(step)")
      }
      let stranger = generator.snapshot(.anyOf(sections: 5, items: 30))
      items.formUnion(stranger.itemIdentifiers)
      expectAnswers(
        of: stranger.resolved(continuing: shown), like: stranger, asking: items,
        "\(change), seed \(seed), another list")
    }
  }

  @Test("A table that is there already is not made again, and nothing is taken from no table")
  func existing() throws {
    var list = List()
    list.appendSections([0])
    try list.appendItems(0..<9)
    let resolved = list.resolved(continuing: List())
    #expect(resolved.itemPath(for: 8) == ItemPath(section: 0, item: 8))
    #expect(resolved.resolved(continuing: list).itemPath(for: 8) != nil)
    var twice = list
    twice.appendSections([0])
    #expect(twice.resolved(continuing: resolved).itemPath(for: 8) == ItemPath(section: 0, item: 8))
  }
}
