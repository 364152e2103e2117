import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable

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

@Suite("Renames one after the other, seen from any state on the way")
struct NamesInBetweenTests {
  @Test(
    "An item has the name there that it had then, also if renames were joined with later ones before",
    arguments: 0..<UInt64(rounds(400)), [false, true])
  func everyState(seed: UInt64, areJoinedBefore: Bool) {
    var random = SplitMix64(seed: seed)
    var (states, steps) = ([Array(0..<4)], [Snapshot<Int, Int>.Marks]())
    for name in 10..<16 {
      var names = states[states.count - 1]
      let row = random.number(below: names.count)
      var marks = Snapshot<Int, Int>.Marks()
      marks.rename([ItemRename(old: names[row], new: name)])
      steps.append(marks)
      names[row] = name
      states.append(names)
    }
    while areJoinedBefore, steps.count > 1 {
      let first = random.number(below: steps.count - 1)
      let next = steps.remove(at: first + 1)
      steps[first].formUnion(next)
    }
    // As a reader does that begins with nothing.
    var all = Snapshot<Int, Int>.Marks()
    for step in steps { all.formUnion(step) }
    let last = states[states.count - 1]
    for (step, state) in states.enumerated() {
      let found = Set(all.renames.from { state.contains($0) }.inOrder)
      let expected = zip(state, last).filter { $0 != $1 }.map { ItemRename(old: $0, new: $1) }
      #expect(found == Set(expected), "seed \(seed), after \(step) renames")
    }
  }

  @Test("Of very many names in between the last ones are known, and the first one always")
  func veryMany() {
    var (renames, joined) = (ItemRenames<Int>(), ItemRenames<Int>())
    for name in 0..<1_000 { renames.formUnion([ItemRename(old: name, new: name + 1)]) }
    for start in stride(from: 0, to: 1_000, by: 100) {
      var part = ItemRenames<Int>()
      for name in start..<start + 100 { part.formUnion([ItemRename(old: name, new: name + 1)]) }
      joined.formUnion(part)
    }
    for renames in [renames, joined] {
      let known = (0..<1_000).filter { name in
        renames.from { $0 == name }.inOrder == [ItemRename(old: name, new: 1_000)]
      }
      #expect(known == [0] + Array(1_000 - 64..<1_000))
    }
  }

  @Test("A name that an item has given away may be that of another one by then")
  func givenAway() {
    for taken in 10..<13 {
      for moment in taken + 1...14 {
        var states = [[0, 1]]
        var renames = ItemRenames<Int>()
        func rename(_ row: Int, to name: Int) {
          var names = states[states.count - 1]
          renames.formUnion([ItemRename(old: names[row], new: name)])
          names[row] = name
          states.append(names)
        }
        for name in 10...14 {
          rename(0, to: name)
          if name == moment { rename(1, to: taken) }
        }
        let last = states[states.count - 1]
        for state in states {
          let found = Set(renames.from { state.contains($0) }.inOrder)
          // No item can get a name that another one has there.
          let expected = zip(state, last).filter { $0 != $1 && !state.contains($1) }
            .map { ItemRename(old: $0, new: $1) }
          #expect(found == Set(expected), "\(state) of \(states)")
        }
      }
    }
  }

  @Test("A newer list that renames every row says what each is called, whatever an older one said")
  func takenOver() {
    let rows = 0..<3
    // What each row is called by the older list; `nil` if it deletes the row.
    let older = rows.reduce([[Int?]()]) { lists, _ in
      lists.flatMap { list in
        ((0..<5).filter { !list.contains($0) } + [nil]).map { list + [$0] }
      }
    }
    for older in older {
      for newer in [[10, 11, 12], [1, 2, 0], [1, 0, 3], [3, 0, 1]] {
        func renames(_ names: [Int?]) -> ItemRenames<Int> {
          var renames = ItemRenames<Int>()
          renames.formUnion(
            zip(rows, names).compactMap { row, name in
              name.flatMap { $0 == row ? nil : ItemRename(old: row, new: $0) }
            })
          return renames
        }
        var both = renames(older)
        both.takeOver(by: renames(newer))
        #expect(rows.map { both.newName(of: $0) } == newer, "\(older), then \(newer)")
        #expect(newer.map { both.oldName(of: $0) } == Array(rows), "\(older), then \(newer)")
      }
    }
  }

  /// One or two rows among three names: at each step one of them gets a name that is free.
  @Test("No name is given up twice or received twice, whatever renames are joined with")
  func sound() {
    let starts = [[0], [0, 1], [1, 2]]
    let (long, short) = (
      starts.flatMap { Self.renames(of: $0, upTo: 5) },
      starts.flatMap { Self.renames(of: $0, upTo: 3) }
    )
    func check(_ renames: ItemRenames<Int>, _ comment: @autoclosure () -> String) {
      let isSound = (0..<3).allSatisfy { name in
        let (new, old) = (renames.newName(of: name), renames.oldName(of: name))
        return new != name && new.map { renames.oldName(of: $0) == name } ?? true
          && old.map { renames.newName(of: $0) == name } ?? true
      }
      if !isSound { Issue.record("\(renames.inOrder) of \(comment())") }
    }
    for renames in long {
      for state in 0..<8 {
        func contains(_ name: Int) -> Bool { state >> name & 1 == 1 }
        check(renames.from(stateWhere: contains), "\(renames.inOrder) from \(state)")
        check(renames.to(stateWhere: contains), "\(renames.inOrder) to \(state)")
      }
      for others in short {
        var (joined, taken) = (renames, renames)
        joined.formUnion(others)
        check(joined, "\(renames.inOrder), then \(others.inOrder)")
        taken.takeOver(by: others)
        check(taken, "\(renames.inOrder), or else \(others.inOrder)")
      }
    }
  }

  /// The renames of all sequences of steps.
  private static func renames(of names: [Int], upTo length: Int) -> [ItemRenames<Int>] {
    var found: [ItemRenames<Int>] = []
    func add(_ names: [Int], _ renames: ItemRenames<Int>, _ length: Int) {
      found.append(renames)
      guard length > 0 else { return }
      for row in names.indices {
        for name in 0..<3 where !names.contains(name) {
          var (nextNames, next) = (names, renames)
          next.formUnion([ItemRename(old: names[row], new: name)])
          nextNames[row] = name
          add(nextNames, next, length - 1)
        }
      }
    }
    add(names, ItemRenames(), length)
    return found
  }
}
