import TestScope
import Testing

@testable import Diffable

/// An edit of the list that a tree shows: hidden rows stay with the rows that hide them.
@Suite("Edits of the visible rows of a tree") struct VisibleEditTests {
  private typealias List = Snapshot<Int, Int>

  /// Rows of a tree, depth first, which know nothing but their levels.
  private struct Tree: Equatable, CustomStringConvertible {
    struct Row: Equatable {
      var id: Int
      var level: Int
      var isExpanded: Bool
    }

    var rows: [Row] = []

    var description: String {
      rows.map { "\($0.level):\($0.id)\($0.isExpanded ? "+" : "")" }.joined(separator: " ")
    }

    var visible: [Int] {
      var hidden = Int.max
      return rows.filter { row in
        guard row.level < hidden else { return false }
        hidden = row.isExpanded ? .max : row.level + 1
        return true
      }.map(\.id)
    }

    func end(of position: Int) -> Int {
      rows[(position + 1)...].firstIndex { $0.level <= rows[position].level } ?? rows.count
    }

    /// Inserts rows after the visible one before a place and all that is below it.
    mutating func insert(_ items: [Int], at place: Int) {
      var (position, level) = (0, 0)
      if place > 0, let anchor = rows.firstIndex(where: { $0.id == visible[place - 1] }) {
        (position, level) = (end(of: anchor), rows[anchor].level)
      }
      rows.insert(
        contentsOf: items.map { Row(id: $0, level: level, isExpanded: false) }, at: position)
    }

    mutating func delete(_ items: [Int]) {
      for item in items {
        guard let position = rows.firstIndex(where: { $0.id == item }) else { continue }
        rows.removeSubrange(position..<end(of: position))
      }
    }

    static func every(_ count: Int) -> [Tree] {
      var trees = [Tree()]
      for id in 0..<count {
        trees = trees.flatMap { tree in
          (0...(tree.rows.last.map { $0.level + 1 } ?? 0)).flatMap { level in
            [false, true].map { isExpanded in
              Tree(rows: tree.rows + [Row(id: id, level: level, isExpanded: isExpanded)])
            }
          }
        }
      }
      return trees
    }

    init(rows: [Row] = []) { self.rows = rows }

    init(_ outline: Outline<Int>) {
      rows = (0..<outline.count).map { position in
        let row = outline.rows[position]
        return Row(id: row.id, level: Int(row.level), isExpanded: row.isExpanded)
      }
    }

    var outline: Outline<Int> {
      var outline = Outline<Int>()
      outline.replaceRows(
        0..<0,
        with: ContiguousArray(
          rows.map { OutlineRow(id: $0.id, level: Int32($0.level), isExpanded: $0.isExpanded) }))
      return outline
    }
  }

  /// An edit, and the same of plain rows; `nil` if it is refused.
  private typealias Edit = (
    name: String, list: (inout List) throws -> Void, tree: (inout Tree) -> Bool
  )

  private static func edits(of tree: Tree) -> [Edit] {
    var edits: [Edit] = []
    let (items, visible) = (tree.rows.map(\.id), tree.visible)
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
            tree.delete(gone)
            return true
          }
        ))
    }
    for count in -1...items.count {
      edits.append(
        (
          "keep \(count)", { try $0.keepLastItems(count, inSection: 1) },
          { tree in
            tree.delete(Array(visible.dropLast(max(0, count))))
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
    for tree in Tree.every(scoped(usual: 4, wide: 4, long: 5)) {
      var old = List()
      old.appendSections([0, 1])
      try old.appendItems([90], toSection: 0)
      try old.setOutline(tree.outline, forSection: 1)
      try old.reloadItems([90] + tree.rows.map(\.id))
      for (name, edit, plain) in Self.edits(of: tree) {
        number += 1
        guard isInScope(number, usual: 5, wide: 1) else { continue }
        var (new, expected) = (old, tree)
        let comment: Comment = "\(name) in \(tree)"
        if plain(&expected) {
          try edit(&new)
        } else {
          #expect(throws: SnapshotError.self, comment) { try edit(&new) }
        }
        try new.validate()
        let outline = try #require(new.outline(ofSection: 1), comment)
        #expect(Tree(outline) == expected, comment)
        #expect(new.itemIdentifiers == [90] + expected.visible, comment)
        #expect(outline.visibleItems.map { $0 } == expected.visible, comment)
        let left = [90] + expected.rows.map(\.id).filter { $0 < 8 }
        #expect(new.reloadedItemIdentifiers.sorted() == left.sorted(), comment)
      }
    }
    #expect(number > 1_000)
  }

  @Test func `What a tree shows is left when it becomes a list`() throws {
    for tree in Tree.every(4) {
      var list = List()
      list.appendSections([1])
      try list.setOutline(tree.outline, forSection: 1)
      try list.reloadItems(tree.rows.map(\.id))
      try list.removeOutline(ofSection: 1)
      #expect(list.outline(ofSection: 1) == nil && list.itemIdentifiers == tree.visible, "\(tree)")
      #expect(list.reloadedItemIdentifiers.sorted() == tree.visible.sorted(), "\(tree)")
    }
  }
}
