import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

@Suite("Items are moved below others") struct MoveIntoTests {
  private typealias Tree = Outline<Int>
  private typealias List = Snapshot<String, Int>

  /// 1 with 2 and 3, of which 2 has 4; 5.
  private func tree() throws -> Tree {
    var tree = try Tree([1, 5])
    try tree.append([2, 3], to: 1)
    try tree.append([4], to: 2)
    tree.expand([1, 2])
    return tree
  }

  @Test func `In a snapshot, from lists and other outlines as well`() throws {
    var list = List()
    list.appendSections(["tree", "list", "other"])
    try list.setOutline(tree(), forSection: "tree")
    try list.appendItems([6, 7], toSection: "list")
    try list.setOutline(try Tree([8]), forSection: "other")
    let original = list
    try list.moveItem(6, intoItem: 3)
    #expect(list.outline(ofSection: "tree")?.parent(of: 6) == 3)
    #expect(list.itemIdentifiers(inSection: "tree") == [1, 2, 4, 3, 5], "3 is folded")
    try list.moveItem(2, intoItem: 8)
    #expect(list.outline(ofSection: "other")?.items == [8, 2, 4])
    #expect(list.outline(ofSection: "other")?.parent(of: 4) == 2)
    try list.validate()
    list = original
    #expect(throws: SnapshotError.unknownItem([AnyItemID(7)])) {
      try list.moveItem(1, intoItem: 7)
    }
    #expect(throws: SnapshotError.cyclicMove([AnyItemID(1)])) { try list.moveItem(1, intoItem: 4) }
    #expect(list == original)
    try list.moveItem(2, toSection: "other")
    #expect(list.outline(ofSection: "other")?.rootItems == [8, 2])
    try list.moveItem(7, toSection: "list")
    #expect(list.itemIdentifiers(inSection: "list") == [6, 7])
    #expect(throws: SnapshotError.unknownItem([AnyItemID(9)])) {
      try list.moveItem(9, toSection: "list")
    }
    #expect(throws: SnapshotError.unknownSection([AnyItemID("none")])) {
      try list.moveItem(7, toSection: "none")
    }
  }

  @Test func `No item is moved below itself, or below what is below it`() throws {
    var list = try List(tree(), in: "tree")
    let original = list
    for item in try tree().items {
      for parent in try tree().outline(of: item, includingParent: true).items {
        #expect(throws: SnapshotError.cyclicMove([AnyItemID(item)]), "\(item) into \(parent)") {
          try list.moveItem(item, intoItem: parent)
        }
        #expect(list == original)
      }
    }
  }

  @Test func `A drag goes below an item`() async throws {
    let list = try List(tree(), in: "tree")
    let source = try DataSourceActor(list)
    var drag = try #require(try await source.beginReorder([5]))
    _ = try drag.proposed(to: .into(3))
    #expect(drag.proposedSnapshot.outline(ofSection: "tree")?.parent(of: 5) == 3)
    #expect(throws: SnapshotError.self) { try drag.proposed(to: .into(9)) }
    try await drag.commit()
    #expect(await source.snapshot.outline(ofSection: "tree")?.parent(of: 5) == 3)
  }
}
