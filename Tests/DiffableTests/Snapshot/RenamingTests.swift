import Diffable
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

@Suite("An item that gets another identifier is the same row")
struct RenamingTests {
  private typealias List = Snapshot<String, Int>

  /// An outline of 1 with 2 and 3 below it, where 3 is expanded above 4, and 5 beside it.
  private func tree(isExpanded: Bool) throws -> List {
    var outline = try Outline(Array(1...5), levels: [0, 1, 1, 2, 0], expanding: [3])
    if isExpanded { outline.expand([1]) }
    var list = List()
    list.appendSections(["tree", "list"])
    try list.setOutline(outline, forSection: "tree")
    try list.appendItems([8, 9], toSection: "list")
    return list
  }

  @Test func `What is unknown or taken is refused, and nothing changes`() throws {
    for isExpanded in [true, false] {
      var list = try tree(isExpanded: isExpanded)
      let old = list
      #expect(throws: SnapshotError.unknownItem([AnyItemID(7)])) {
        try list.renameItem(7, to: 70)
      }
      #expect(throws: SnapshotError.unknownItem([AnyItemID(7)])) {
        try list.renameItem(7, to: 7)
      }
      let taken = SnapshotError.DuplicateItem(
        identifier: AnyItemID(4),
        places: (isExpanded ? [ItemPath(section: 0, item: 3)] : []) + [
          ItemPath(section: 1, item: 1)
        ],
        hiddenPlaces: isExpanded ? [] : [ItemPath(section: 0, item: 0)])
      #expect(throws: SnapshotError.duplicateItems([taken])) { try list.renameItem(9, to: 4) }
      #expect(list == old && list.renamedItems.isEmpty)
    }
  }

  @Test func `Names are handed on, given back and swapped`() throws {
    var list = try List.list(1...3)
    try list.renameItem(1, to: 10)
    try list.renameItem(10, to: 11)
    #expect(list.renamedItems == [ItemRename(old: 1, new: 11)])
    try list.renameItem(11, to: 1)
    #expect(list.renamedItems.isEmpty)
    try list.renameItem(1, to: 0)
    try list.renameItem(2, to: 1)
    #expect(list.renamedItems == [ItemRename(old: 1, new: 0), ItemRename(old: 2, new: 1)])
    list.deleteItems([0])
    #expect(list.renamedItems == [ItemRename(old: 2, new: 1)])
    // An identifier that is in both states names the same item, whatever was said.
    let difference = try list.difference(from: .list(1...3))
    #expect(difference.itemRenames.isEmpty && difference.itemDeletes.count == 1)
    #expect(DifferenceLaw.violations(from: try .list(1...3), to: list).isEmpty)
  }

  @Test func `It is written and read with the snapshot, and is in the batch`() throws {
    let old = try List.list(1...4)
    var list = old
    try list.renameItem(2, to: 20)
    let read = try coded(list)
    #expect(read == list && read.renamedItems == list.renamedItems)
    let batch = try UpdateBatch(from: old, to: list)
    #expect(batch.description == "r1→r2 ~0:1 ⇝0:1 ⇒ list[1 20 3 4], renamed: 2⇝20")
  }

  @Test("Rows are matched by what became of them", arguments: 0..<rounds(40 as UInt64))
  func rows(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var matched = 0
    for step in 0..<rounds(20, least: 20) {
      let old = generator.snapshot(.even(sections: 3, itemsEach: 12))
      let new = generator.changing(old, by: .renamedItems)
      let comment: Comment = "seed \(seed), step \(step), \(old) → \(new)"
      #expect(DifferenceLaw.violations(from: old, to: new).isEmpty, comment)
      let difference = try new.difference(from: old)
      let positions = PositionMap(difference)
      // Where a name is used again, it names the same row: an identifier in both states is one item.
      // And a row that came meanwhile has had no name before.
      let renames = new.renamedItems.filter {
        old.containsItem($0.old) && !new.containsItem($0.old) && !old.containsItem($0.new)
      }
      for rename in renames {
        let path = try #require(new.itemPath(for: rename.new), comment)
        #expect(positions.oldPath(forNew: path) == old.itemPath(for: rename.old), comment)
        #expect(difference.itemRenames.contains(path), comment)
        matched += 1
      }
      #expect(difference.itemRenames.count == renames.count, comment)

      // Who knows no renames deletes such rows and inserts them, and shows again what else is marked.
      var marked = new
      try marked.reloadItems(generator.random.sample(new.itemIdentifiers, oneIn: 3))
      try marked.reconfigureItems(generator.random.sample(new.itemIdentifiers, oneIn: 3))
      let all = try marked.difference(from: old)
      let replaced = all.replacingRenames
      #expect(all.contradiction == nil && replaced.contradiction == nil, comment)
      #expect(replaced.itemRenames.isEmpty, comment)
      #expect(try old.applying(replaced, insertsFrom: new) == new, comment)
      let shown = Set(all.itemReconfigures).subtracting(all.itemRenames)
      #expect(Set(replaced.itemReconfigures) == shown, comment)
      #expect(
        replaced.itemReloads.count
          == all.itemReloads.count { path in
            PositionMap(all).newPath(forOld: path).map { !all.itemRenames.contains($0) } ?? false
          }, comment)
    }
    #expect(matched > 0)
  }

  @Test func `A copy that was applied goes on from the names that the list has`() async throws {
    let source = try Source(.list(1...3))
    var copy = await source.snapshot
    try copy.renameItem(2, to: 20)
    try copy.renameItem(3, to: 2)
    try await source.apply(copy)
    // Now 3 is 2; and then it is 30, by way of 2.
    try copy.renameItem(2, to: 30)
    try await source.apply(copy)
    let second = await source.difference(from: Revision(2), to: Revision(3))
    #expect(second.map { "\($0)" } == "~0:2 ⇝0:2")
    // A list that has seen nothing of it goes on from the first names.
    let other = try Source(.list(1...3))
    try await other.apply(copy)
    let difference = await other.difference(from: Revision(1), to: Revision(2))
    #expect(difference.map { "\($0)" } == "~0:1..<3 ⇝0:1..<3")
  }

  @Test("The renames of several revisions lead from the first names to the last")
  func joined() throws {
    for seed in 0..<UInt64(rounds(200)) {
      var random = SplitMix64(seed: seed)
      // The rows there are, each with its name at first, if it was there then.
      var rows: [(name: Int, first: Int?)] = (0..<6).map { ($0, $0) }
      var marks = Snapshot<Int, Int>.Marks()
      for _ in 0..<5 {
        var snapshot = Snapshot<Int, Int>(sections: [0], items: [rows.map(\.name)])
        for _ in 0..<4 {
          let name = random.number(below: 9)
          let isFree = !rows.contains { $0.name == name }
          switch random.number(below: 4) {
          case 0 where isFree:
            rows.append((name, nil))
            try snapshot.appendItems([name])
          case 1 where !isFree:
            rows.removeAll { $0.name == name }
            snapshot.deleteItems([name])
          default:
            guard isFree, !rows.isEmpty else { continue }
            let index = random.number(below: rows.count)
            try snapshot.renameItem(rows[index].name, to: name)
            rows[index].name = name
          }
        }
        marks.formUnion(snapshot.marks)
      }
      for row in rows {
        guard let first = row.first else { continue }
        let name = marks.renames.newName(of: first)
        #expect(name == (first == row.name ? nil : row.name), "seed \(seed), \(rows)")
      }
      // A name is that of one row, whatever was given away and given again.
      let all = marks.renames.inOrder
      #expect(Set(all.map(\.new)).count == all.count, "seed \(seed), \(all)")
      #expect(Set(all.map(\.old)).count == all.count, "seed \(seed), \(all)")
      // What came later has no name at first, and nothing says that it had one.
      for row in rows where row.first == nil {
        #expect(
          marks.renames.oldName(of: row.name).map { old in !rows.contains { $0.first == old } }
            ?? true, "seed \(seed), \(rows)")
      }
    }
  }
}
