import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("Some elements of a tree, as a tree that shares its leaves")
struct SelectingTests {
  @Test("They are those elements, and whole leaves are shared", arguments: OrderTreeTests.shapes)
  func selecting(shape: TreeShape) {
    for seed in 0..<UInt64(rounds(20)) {
      var random = SplitMix64(seed: seed)
      let count = random.number(below: 400)
      let tree = ItemTree<Int>(0..<count, shape: shape)
      let start = random.number(below: count + 1)
      let positions =
        random.chance(oneIn: 2)
        ? 0..<count : start..<start + random.number(below: count - start + 1)
      // Whole stretches, and scattered elements.
      let odds = 1 + random.number(below: 5)
      let stretch = 1 + random.number(below: 90)
      let dice = (0..<count / stretch + 1).map { _ in random.chance(oneIn: odds) }
      let isWanted: (Int) -> Bool = { dice[$0 / stretch] }
      let selected = tree.base.selecting(positions) { leaf, candidates in
        (0..<leaf.count).reduce(0) { bits, offset in
          let element = TypedLeaf<Int>(base: leaf)[offset]
          return isWanted(element) ? bits | 1 << UInt64(offset) : bits
        } & candidates
      }
      let comment: Comment = "seed \(seed), \(shape)"
      let expected = positions.filter(isWanted)
      #expect(ItemTree<Int>(selected).faults(expecting: expected) == [], comment)
      let labels = Set(tree.leaves.map(\.label))
      #expect(selected.leaves.allSatisfy { labels.contains($0.label) }, comment)
      if expected.count == count { #expect(selected.isIdentical(to: tree.base), comment) }
      // A leaf is made again only if it, or the one before, does not stay whole.
      let made = selected.leaves.filter { leaf in !tree.leaves.contains { $0.base === leaf } }
      if odds == 1 { #expect(made.count <= 2, comment) }
    }
  }
}
