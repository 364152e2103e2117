import Testing

@testable import Diffable
@testable import DiffableEngine

@Suite("The shapes that a tree can have") struct TreeShapeTests {
  @Test("a leaf of 64 elements can be reused, whatever of it has passed")
  func fullLeaf() {
    let shape = TreeShape(leafCapacity: 64, fanout: 2)
    let old = Array(0..<640)
    let tree = ItemTree(old, shape: shape)
    for new in [
      Array(old.reversed()), Array(old.dropFirst(63)),
      old.filter { $0 % 2 == 1 } + old.filter { $0 % 2 == 0 },
    ] {
      let reused = tree.updated(to: new, table: nil, section: SectionKey(rawValue: 0)).tree
      #expect(reused.faults(expecting: new) == [])
    }
  }

  @Test("a place in a leaf fits the hint of the table")
  func hint() {
    for place in 0..<64 {
      let entry = IdentityTable.Entry(
        hash: 1, section: SectionKey(rawValue: 0), label: LeafLabel(rawValue: 5), hint: place)
      #expect(entry.hint == place && entry.label == LeafLabel(rawValue: 5))
    }
  }

  @Test("others stop the program at once")
  func impossible() async {
    await #expect(processExitsWith: .failure) { _ = TreeShape(leafCapacity: 65, fanout: 4) }
    await #expect(processExitsWith: .failure) { _ = TreeShape(leafCapacity: 0, fanout: 4) }
    await #expect(processExitsWith: .failure) { _ = TreeShape(leafCapacity: 4, fanout: 1) }
  }
}
