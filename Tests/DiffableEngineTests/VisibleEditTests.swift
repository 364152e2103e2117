import TestScope
import Testing

@testable import Diffable

/// An edit of the list that a tree shows: hidden rows stay with the rows that hide them.
@Suite("Edits of the visible rows of a tree") struct VisibleEditTests {
  private typealias List = Snapshot<Int, Int>

  /// An edit, and the same of nested values, if it is one that is not refused.
  private typealias Edit = (
    name: String, list: (inout List) throws -> Void, tree: (inout OutlineModel) -> Bool
  )

  private static func edits(of tree: OutlineModel) -> [Edit] {
    var edits: [Edit] = []
    let (items, visible) = (tree.items, tree.visibleItems)
    for item in items {
      for isBefore in [false, true] {
        edits.append(
          (
            "insert \(isBefore ? "before" : "after") \(item)",
            {
              if isBefore {
                try $0.insertItems([8, 9], beforeItem: item)
              } else {
                try $0.insertItems([8, 9], afterItem: item)
              }
            },
            { tree in
              guard let place = visible.firstIndex(of: item) else { return false }
              tree.insert([8, 9], at: isBefore ? place : place + 1)
              return true
            }
          ))
      }
    }
    for choice in 0..<1 << items.count {
      let gone = items.filter { choice & 1 << $0 != 0 }
      edits.append(
        (
          "delete \(gone)",
          { list in
            if choice.isMultiple(of: 2) {
              list.deleteItems(gone)
            } else {
              list.deleteItems { gone.contains($0) }
            }
          },
          { tree in
            for item in gone { tree.remove(item) }
            return true
          }
        ))
    }
    for count in -1...items.count {
      edits.append(
        (
          "keep \(count)", { try $0.keepLastItems(count, inSection: 1) },
          { tree in
            for item in visible.dropLast(max(0, count)) { tree.remove(item) }
            return true
          }
        ))
    }
    edits.append(
      (
        "append", { try $0.appendItems([8, 9], toSection: 1) },
        { tree in
          tree.insert([8, 9], at: visible.count)
          return true
        }
      ))
    return edits
  }

  @Test func `Every edit of every small tree, however it is folded`() throws {
    var number = 0
    for tree in everyOutline(items: scoped(usual: 4, wide: 4, long: 5)) {
      var old = List()
      old.appendSections([0, 1])
      try old.appendItems([90], toSection: 0)
      try old.setOutline(Outline(tree), forSection: 1)
      try old.reloadItems([90] + tree.items)
      for (name, edit, plain) in Self.edits(of: tree) {
        number += 1
        guard isInScope(number, usual: 5, wide: 1) else { continue }
        var (new, expected) = (old, tree)
        let comment: Comment = "\(name) in\n\(Outline(tree))"
        if plain(&expected) {
          try edit(&new)
        } else {
          #expect(throws: SnapshotError.self, comment) { try edit(&new) }
        }
        try new.validate()
        let outline = try #require(new.outline(ofSection: 1), comment)
        #expect(firstDifference(outline, expected) == nil, comment)
        #expect(new.itemIdentifiers == [90] + expected.visibleItems, comment)
        let left = [90] + expected.items.filter { $0 < 8 }
        #expect(new.reloadedItemIdentifiers.sorted() == left.sorted(), comment)
      }
    }
    #expect(number > 1_000)
  }

  @Test func `What a tree shows is left when it becomes a list`() throws {
    for tree in everyOutline(items: 4) {
      var list = List()
      list.appendSections([1])
      try list.setOutline(Outline(tree), forSection: 1)
      try list.reloadItems(tree.items)
      try list.removeOutline(ofSection: 1)
      #expect(
        list.outline(ofSection: 1) == nil && list.itemIdentifiers == tree.visibleItems, "\(tree)")
      #expect(list.reloadedItemIdentifiers.sorted() == tree.visibleItems.sorted(), "\(tree)")
    }
  }
}

extension OutlineModel {
  /// Inserts rows after the visible one before a place and all that is below it.
  fileprivate mutating func insert(_ items: [Int], at place: Int) {
    let nodes = items.map { Node(id: $0) }
    if place > 0 {
      insert(nodes, beside: visibleItems[place - 1], offset: 1)
    } else {
      roots.insert(contentsOf: nodes, at: 0)
    }
  }
}
