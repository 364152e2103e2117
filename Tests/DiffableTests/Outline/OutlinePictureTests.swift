import Diffable
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

@Suite("Outlines as text, and as JSON")
struct OutlinePictureTests {
  private func example() throws -> Outline<String> {
    var outline = try Outline(["Fruit", "Vegetables", "Later"])
    try outline.append(["Apple", "Pear"], to: "Fruit")
    try outline.append(["Leek", "Cabbage"], to: "Vegetables")
    try outline.append(["Savoy"], to: "Cabbage")
    outline.expand(["Fruit"])
    outline.setChildrenUnloaded(of: ["Later"])
    return outline
  }

  @Test("the picture shows levels, flags, what is hidden and what is not loaded")
  func picture() throws {
    var outline = try example()
    #expect(
      outline.description == """
        ▾ Fruit
          • Apple
          • Pear
        ▸ Vegetables
          ◦ Leek
          ▸ Cabbage
            ◦ Savoy
        ▸ Later …
        """)
    outline.expand(["Vegetables", "Apple", "Later"])
    outline.collapse(["Fruit"])
    #expect(
      outline.description == """
        ▸ Fruit
          ▾ Apple
          ◦ Pear
        ▾ Vegetables
          • Leek
          ▸ Cabbage
            ◦ Savoy
        ▾ Later …
        """)
    #expect(Outline<Int>().description == "∅")
  }

  @Test("a chain of very many levels is built, read, shown and taken apart")
  func chain() throws {
    var outline = Outline<Int>()
    try outline.append([0])
    // The checks walk over all rows after each edit.
    let depth =
      checksInvariants ? 300 : scoped(usual: 5_000, wide: 20_000, long: 100_000)
    for level in 1..<depth { try outline.append([level], to: level - 1) }
    outline.expand(0..<depth)
    #expect(outline.visibleItems.count == depth && outline.level(of: depth - 1) == depth - 1)
    #expect(outline.parent(of: depth - 1) == depth - 2 && outline.isVisible(depth - 1))
    #expect(outline.outline(of: 1).count == depth - 2)
    #expect(outline.description.utf8.count < 100 * depth)
    var snapshot = try Snapshot<String, Int>(outline, in: "chain")
    let expanded = snapshot
    snapshot.collapseItems([depth / 2])
    #expect(snapshot.numberOfItems == depth / 2 + 1)
    #expect(try snapshot.difference(from: expanded).itemDeletes.count == depth / 2 - 1)
    outline.delete([1])
    #expect(outline.items == [0])
  }

  @Test("JSON keeps rows, levels and flags, and refuses what is no forest")
  func json() throws {
    let outline = try example()
    var snapshot = Snapshot<String, String>(sections: ["list", "tree"], items: [["a"], []])
    try snapshot.setOutline(outline, forSection: "tree")
    let data = try JSONEncoder().encode(snapshot)
    let read = try JSONDecoder().decode(Snapshot<String, String>.self, from: data)
    #expect(read == snapshot && read.outline(ofSection: "tree") == outline)

    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let small = try Outline(["a", "b"], levels: [0, 1], expanding: ["a"])
    #expect(
      String(decoding: try encoder.encode(small), as: UTF8.self)
        == #"[{"expanded":true,"id":"a"},{"id":"b","level":1}]"#)
  }
}
