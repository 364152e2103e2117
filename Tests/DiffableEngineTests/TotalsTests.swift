import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("What trees know of their subtrees")
struct TotalsTests {
  @Test("Items have no totals")
  func noTotals() {
    let tree = ItemTree(0..<1_000, shape: .items)
    #expect(!tree.base.hasTotals && tree.totals == Totals())
  }

  @Test("The index in the flat list is the number of items before")
  func indexOfItem() throws {
    var generator = SnapshotGenerator(seed: 5, section: { $0 }, item: { $0 })
    for sections in [1, 2, 5, 60, 600] {
      let snapshot = generator.snapshot(.uneven(sections: sections, items: 300))
      for (index, item) in snapshot.itemIdentifiers.enumerated() {
        #expect(snapshot.indexOfItem(item) == index)
      }
    }
  }
}
