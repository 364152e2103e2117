import DiffableTesting
import Testing

@testable import Diffable

@Suite("What trees know of their subtrees")
struct TreeSummaryTests {
  @Test("Summaries follow any script of edits", arguments: OrderTreeTests.shapes)
  func scripts(shape: TreeShape) {
    for seed in 0..<UInt64(4) {
      var random = SplitMix64(seed: seed)
      var tree = OrderTree<Concatenation>(shape: shape)
      var elements: [Int] = []
      for step in 0..<60 {
        let comment: Comment = "seed \(seed), step \(step)"
        let lower = random.number(below: elements.count + 1)
        let range = lower..<lower + random.number(below: min(6, elements.count - lower) + 1)
        let new = (0..<random.number(below: 12)).map { _ in random.number(below: 100) }
        elements.replaceSubrange(range, with: new)
        _ = tree.replaceSubrange(range, with: LeafContent(hashing: ContiguousArray(new)))
        #expect(tree.faults(expecting: elements) == [], comment)
        for position in Set([0, lower, elements.count / 2, elements.count]) {
          #expect(tree.summary(before: position).elements == elements[..<position], comment)
        }
      }
    }
  }

  @Test("Items have no summary, and pay nothing for it")
  func noSummary() {
    #expect(MemoryLayout<NoSummary<Int>>.size == 0)
    let fields = MemoryLayout<(LeafLabel, Int, OrderNode<NoSummary<Int>>)>.stride
    #expect(MemoryLayout<InnerNode<NoSummary<Int>>.Child>.stride == fields)
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

/// A summary that remembers everything: joining it is not commutative, so a wrong order shows.
private struct Concatenation: TreeSummary {
  var elements: ArraySlice<Int> = []

  init() {}
  init(of elements: ContiguousArray<Int>) { self.elements = ArraySlice(elements) }
  mutating func append(_ next: Concatenation) { elements += next.elements }
}
