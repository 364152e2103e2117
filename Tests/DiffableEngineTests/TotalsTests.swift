import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("What trees know of their subtrees")
struct TotalsTests {
  @Test("Totals follow any script of edits", arguments: OrderTreeTests.shapes)
  func scripts(shape: TreeShape) {
    for seed in 0..<scoped(usual: 1, wide: 4 as UInt64) {
      var random = SplitMix64(seed: seed)
      let kernel = ElementKernel(Int.self, identifiedBy: ElementKernel(Int.self), totals: totals)
      var tree = ItemTree<Int>(shape: shape, kernel: kernel)
      var elements: [Int] = []
      for step in 0..<scoped(usual: 20, wide: 60) {
        let comment: Comment = "seed \(seed), step \(step)"
        let lower = random.number(below: elements.count + 1)
        let range = lower..<lower + random.number(below: min(6, elements.count - lower) + 1)
        let new = (0..<random.number(below: 12)).map { _ in random.number(below: 100) }
        elements.replaceSubrange(range, with: new)
        _ = tree.replaceSubrange(range, with: HashedElements(hashing: new, kernel))
        #expect(tree.faults(expecting: elements) == [], comment)
        for position in Set([0, lower, elements.count / 2, elements.count]) {
          let expected = elements[..<position].withUnsafeBytes { bytes in
            bytes.baseAddress.map { totals($0, position) } ?? Totals()
          }
          #expect(tree.totals(before: position) == expected, comment)
        }
      }
    }
  }

  /// A sum and a minimum.
  @Sendable private func totals(_ first: UnsafeRawPointer, _ count: Int) -> Totals {
    let elements = UnsafeBufferPointer(
      start: first.assumingMemoryBound(to: Int.self), count: count)
    var totals = Totals()
    for element in elements {
      totals.items += element
      totals.lowestLevel = min(totals.lowestLevel, Int32(element))
      if element % 97 == 0 { totals.isLoading = true }
    }
    return totals
  }

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
