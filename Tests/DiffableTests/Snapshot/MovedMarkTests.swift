import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// A row that moves keeps what its writer has said of it, and so do the rows below it.
@Suite("A move forgets no marks, other than a deletion")
struct MovedMarkTests {
  private typealias List = Snapshot<Int, Int>

  enum Mark: CaseIterable { case reload, reconfigure, rename }

  /// A tree of four rows beside each kind of section, with rows and without.
  private static func everyPair(isExpanded: Bool) throws -> [List] {
    var (tree, other) = (try Outline([1, 4]), try Outline([5]))
    try tree.append([2], to: 1)
    try tree.append([3], to: 2)
    tree.setChildrenUnloaded(of: [3])
    if isExpanded { tree.expand([1, 2]) }
    try other.append([6], to: 5)
    let kinds: [(items: [Int], outline: Outline<Int>?)] = [
      ([], nil), ([5, 6], nil), ([], Outline()), ([], other),
    ]
    return try kinds.map { items, outline in
      var list = List()
      list.appendSections([0, 1])
      try list.setOutline(tree, forSection: 0)
      try list.appendItems(items, toSection: 1)
      if let outline { try list.setOutline(outline, forSection: 1) }
      return list
    }
  }

  /// A row with all that is below it.
  private static func subtree(of item: Int, in list: List) -> [String] {
    let outline = list.sectionIdentifier(containingItem: item).flatMap(list.outline(ofSection:))
    guard let tree = outline?.outline(of: item, includingParent: true) else { return [] }
    return (0..<tree.count).map { position in
      let row = tree.rows[position]
      return "\(row.id) \(row.level) \(row.isExpanded) \(row.hasUnloadedChildren)"
    }
  }

  @Test(arguments: Mark.allCases, [false, true])
  func `Every row of a tree, and every place in every kind of section`(
    mark: Mark, isExpanded: Bool
  ) throws {
    for var old in try Self.everyPair(isExpanded: isExpanded) {
      for row in old.allItems {
        switch mark {
        case .reload: try old.reloadItems([row])
        case .reconfigure: try old.reconfigureItems([row])
        case .rename: try old.renameItem(row, to: row + 100)
        }
      }
      let rows = old.allItems
      typealias Move = (inout List, Int) throws -> Void
      let moves: [Move] =
        rows.flatMap { anchor -> [Move] in
          [
            { try $0.moveItem($1, beforeItem: anchor) }, { try $0.moveItem($1, afterItem: anchor) },
            { try $0.moveItem($1, intoItem: anchor) },
          ]
        } + [0, 1].map { section in { try $0.moveItem($1, toSection: section) } }
      for (number, move) in moves.enumerated() {
        for row in rows {
          var new = old
          // One that is not possible changes nothing.
          try? move(&new, row)
          let place: Comment = "move \(number) of \(row): \(old) → \(new)"
          let left = Set(new.allItems)
          let (before, after) = (Self.subtree(of: row, in: old), Self.subtree(of: row, in: new))
          // Only a list has no place for what is below a row.
          #expect(left.count == rows.count - (after.isEmpty ? max(0, before.count - 1) : 0), place)
          #expect(before.isEmpty || after.isEmpty || before == after, place)
          #expect(
            new.reloadedItemIdentifiers.sorted()
              == old.reloadedItemIdentifiers.filter(left.contains).sorted(), place)
          #expect(
            new.reconfiguredItemIdentifiers.sorted()
              == old.reconfiguredItemIdentifiers.filter(left.contains).sorted(), place)
          #expect(
            new.renamedItems.map(\.new).sorted()
              == old.renamedItems.map(\.new).filter(left.contains).sorted(), place)
        }
      }
    }
  }
}
