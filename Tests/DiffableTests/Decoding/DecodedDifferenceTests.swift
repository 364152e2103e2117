import Diffable
import DiffableEngine
import DiffableTesting
import Foundation
import TestScope
import Testing

@Suite("A decoded difference is one that could be, and nothing that it is asked for traps or hangs")
struct DecodedDifferenceTests {
  private func difference(_ json: String) throws -> SnapshotDifference {
    try JSONDecoder().decode(SnapshotDifference.self, from: Data("{\(json)}".utf8))
  }

  private static let most = (1 << 53) - 1
  private static let itemMove =
    #""itemMoves":[{"from":{"section":0,"item":1},"to":{"section":1,"item":0}}]"#

  @Test(
    "what no snapshot can have is refused",
    arguments: [
      #""sectionDeletes":[[0,9223372036854775807]],"sectionInserts":[[0,9223372036854775807]]"#,
      #""sectionMoves":[{"from":9223372036854775807,"to":0}],"sectionReloads":[[0,1]]"#,
      #""sectionInserts":[[0,9223372036854775807]],"sectionReloads":[[5,6]]"#,
      #""sectionReloads":[[0,9223372036854775807]]"#,
      #""itemReloads":[[0,0,9223372036854775807]]"#,
      #""sectionReloads":[[0,9007199254740992]]"#, #""itemReloads":[[9007199254740991,0,1]]"#,
      #""sectionMoves":[{"from":-1,"to":0}]"#,
      #""sectionMoves":[{"from":0,"to":9007199254740991}]"#,
      #""itemMoves":[{"from":{"section":0,"item":-1},"to":{"section":0,"item":0}}]"#,
      #""itemInserts":[[0,5,6],[0,4,5]]"#, #""itemInserts":[[0,5,7],[0,6,8]]"#,
      #""sectionInserts":[[5,6],[4,5]]"#, #""sectionInserts":[[5,7],[6,8]]"#,
      #""sectionInserts":[[0]]"#, #""sectionInserts":[[3,3]]"#,
    ])
  func impossible(json: String) {
    #expect(throws: DecodingError.self) { try difference(json) }
  }

  @Test(
    "what contradicts itself is refused, and the error says what is in the way of what",
    arguments: [
      (
        #""sectionDeletes":[[0,2]],"sectionMoves":[{"from":1,"to":0}]"#,
        "in sectionDeletes and sectionMoves"
      ),
      (
        #""sectionInserts":[[0,2]],"sectionMoves":[{"from":0,"to":1}]"#,
        "in sectionInserts and sectionMoves"
      ),
      (#""sectionMoves":[{"from":1,"to":0},{"from":0,"to":0}]"#, "sectionMoves are not ordered"),
      (#""sectionMoves":[{"from":1,"to":2},{"from":2,"to":0}]"#, "sectionMoves are not ordered"),
      (
        #""sectionMoves":[{"from":1,"to":0},{"from":1,"to":2}]"#,
        "in sectionDeletes and sectionMoves"
      ),
      (
        #""sectionDeletes":[[0,2]],"sectionReloads":[[1,3]]"#,
        "in sectionReloads and in sectionDeletes"
      ),
      (
        #""sectionInserts":[[0,2]],"sectionReconfigures":[[1,3]]"#,
        "in sectionReconfigures and in sectionInserts"
      ),
      (
        #""sectionInserts":[[0,2]],"outlineChanges":[[1,2]]"#,
        "in outlineChanges and in sectionInserts"
      ),
      (#""sectionDeletes":[[0,1]],"itemDeletes":[[0,0,1]]"#, "its section is in sectionDeletes"),
      (#""sectionDeletes":[[0,1]],"itemReloads":[[0,0,1]]"#, "its section is in sectionDeletes"),
      (#""sectionInserts":[[0,1]],"itemInserts":[[0,0,1]]"#, "its section is in sectionInserts"),
      (
        #""sectionInserts":[[0,1]],"itemReconfigures":[[0,0,1]]"#,
        "its section is in sectionInserts"
      ),
      (#""itemDeletes":[[0,0,2]],"itemReloads":[[0,1,2]]"#, "in itemReloads and in itemDeletes"),
      (
        #""itemInserts":[[0,0,2]],"itemReconfigures":[[0,1,2]]"#,
        "in itemReconfigures and in itemInserts"
      ),
      (#""itemDeletes":[[0,0,2]],\#(itemMove)"#, "in itemDeletes and itemMoves"),
      (#""itemInserts":[[1,0,2]],\#(itemMove)"#, "in itemInserts and itemMoves"),
      (#""sectionDeletes":[[0,1]],\#(itemMove)"#, "its section is in sectionDeletes"),
      (#""sectionInserts":[[1,2]],\#(itemMove)"#, "its section is in sectionInserts"),
      // A renamed item would be shown under its old name.
      (#""itemRenames":[[1,1,2]]"#, "in itemRenames, but"),
      (#""itemRenames":[[1,1,3]],"itemReconfigures":[[1,1,2]]"#, "in itemRenames, but"),
      (
        #""itemRenames":[[0,1,2]],"itemReloads":[[0,1,2]],"sectionInserts":[[0,1]]"#,
        "its section is in sectionInserts"
      ),
      (
        #""itemRenames":[[1,1,2]],"itemReloads":[[1,1,2]],"sectionInserts":[[0,1]]"#,
        "in itemRenames, but"
      ),
      // What stays would be behind the last position.
      (
        #""sectionInserts":[[0,9007199254740991]],"sectionReloads":[[0,1]]"#,
        "behind the last position"
      ),
      (
        #""itemDeletes":[[0,0,9007199254740991]],"itemReconfigures":[[0,0,1]]"#,
        "behind the last position"
      ),
    ])
  func contradictory(json: String, words: String) {
    #expect { try difference(json) } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription.contains(words)
    }
  }

  @Test(
    "as much as there can be is taken, and costs no more than what says so",
    arguments: [
      #""sectionReloads":[[0,\#(most)]],"sectionReconfigures":[[0,\#(most)]]"#,
      #""sectionDeletes":[[0,\#(most)]],"sectionInserts":[[0,\#(most)]]"#,
      #""itemReloads":[[0,0,\#(most)],[7,3,\#(most)]]"#,
      #""itemReloads":[[1,0,\#(most)]],"sectionMoves":[{"from":\#(most - 1),"to":0}]"#,
      #""outlineChanges":[[1,\#(most - 1)]],"sectionMoves":[{"from":0,"to":\#(most - 1)}]"#,
      #""itemReconfigures":[[0,0,\#(most - 9)]],"itemInserts":[[0,\#(most - 8),\#(most)]]"#,
    ])
  func large(json: String) throws {
    let value = try difference(json)
    #expect(value.changeCount > 0 && !value.isEmpty && !value.description.isEmpty)
    #expect(value.inverse.inverse == value)
    #expect(
      try JSONDecoder().decode(SnapshotDifference.self, from: JSONEncoder().encode(value)) == value)
    let list = Snapshot<String, String>("A[a b]")
    #expect(throws: SnapshotError.self) { try list.applying(value, insertsFrom: list) }
    var batch = try UpdateBatch(from: list, to: Snapshot("A[b]"))
    batch.difference = value
    for profile in [ListProfile.collectionView, .tableView, .sequential] {
      #expect(batch.stages(for: profile).map(\.isReset) == [true])
    }
  }

  @Test("the same of a difference that was made by hand, whatever its positions")
  func madeByHand() throws {
    let extremes = [Int.min, -1, 0, 1, 3, Self.most - 1, Self.most, Int.max - 1, Int.max]
    let ranges = extremes.flatMap { low in extremes.filter { $0 > low }.map { low..<$0 } }
    let list = Snapshot<String, String>("A[a b]")
    var random = SplitMix64(seed: 8)
    for round in 0..<rounds(2_000) {
      var value = SnapshotDifference()
      func someRanges() -> RangeSet<Int> { RangeSet(random.sample(ranges, oneIn: 20)) }
      func somePaths() -> ItemPathSet {
        var set = ItemPathSet()
        for items in random.sample(ranges, oneIn: 20) {
          set.append(section: random.element(of: extremes) ?? 0, items: items)
        }
        return set
      }
      func position() -> Int { random.element(of: extremes) ?? 0 }
      (value.sectionDeletes, value.sectionInserts) = (someRanges(), someRanges())
      (value.sectionReloads, value.sectionReconfigures) = (someRanges(), someRanges())
      (value.itemDeletes, value.itemInserts) = (somePaths(), somePaths())
      (value.itemReloads, value.itemReconfigures) = (somePaths(), somePaths())
      value.outlineChanges = someRanges()
      value.sectionMoves = (0..<random.number(below: 3)).map { _ in
        Move(from: position(), to: position())
      }
      value.itemMoves = (0..<random.number(below: 3)).map { _ in
        Move(
          from: ItemPath(section: position(), item: position()),
          to: ItemPath(section: position(), item: position()))
      }
      #expect(value.changeCount >= 0 && !value.description.isEmpty, "seed 8, round \(round)")
      // Of what cannot be nothing is said but that there is an answer.
      _ = value.inverse.inverse.changeCount
      _ = try? list.applying(value, insertsFrom: list)
      var batch = try UpdateBatch(from: list, to: list)
      batch.difference = value
      #expect(!batch.stages(for: .collectionView).contains { !$0.isReset && $0.snapshot != list })
    }
  }

  @Test("a row with another name is shown anew at its place or with its section, wherever that is")
  func renames() throws {
    typealias List = Snapshot<String, String>
    let old = List("A[a b] B[c d] C[e f]")
    let edits: [(inout List) throws -> Void] = [
      { _ in }, { $0.deleteSections(["A"]) }, { try $0.insertSections(["Z"], beforeSection: "A") },
      { try $0.moveSection("C", beforeSection: "A") }, { $0.deleteItems(["a", "c", "e"]) },
      { try $0.insertItems(["x"], beforeItem: "c") }, { try $0.moveItem("d", beforeItem: "e") },
      { try $0.moveItem("e", afterItem: "f") },
    ]
    func isTaken(_ difference: SnapshotDifference) throws -> Bool {
      let data = try JSONEncoder().encode(difference)
      return (try? JSONDecoder().decode(SnapshotDifference.self, from: data)) == difference
    }
    for (number, edit) in edits.enumerated() {
      var edited = old
      try edit(&edited)
      for row in edited.itemIdentifiers where old.containsItem(row) {
        var new = edited
        try new.renameItem(row, to: "new")
        let told = try UpdateBatch(from: old, to: new).difference
        for kind in 0..<3 {
          var marked = new
          if kind == 1 { try marked.reloadItems(["new"]) }
          if kind == 2 { try marked.reloadSections(marked.sectionIdentifiers) }
          let told = try UpdateBatch(from: old, to: marked).difference
          #expect(try isTaken(told) && told.itemRenames.count == 1, "edit \(number), \(row)")
          // The same with another row in its place.
          let replaced = told.replacingRenames
          #expect(try isTaken(replaced) && replaced.itemRenames.isEmpty, "edit \(number), \(row)")
          #expect(try old.applying(replaced, insertsFrom: new) == new, "edit \(number), \(row)")
        }
        // Whatever else is shown anew instead, the row would have its old name.
        var plain = told
        (plain.itemReconfigures, plain.itemReloads) = ([], [])
        #expect(try !isTaken(plain), "edit \(number), \(row)")
        let (from, to) = (old.itemPath(for: row), new.itemPath(for: "new"))
        for (index, section) in old.sectionIdentifiers.enumerated() {
          var value = plain
          value.sectionReloads = RangeSet(index..<index + 1)
          #expect(
            try isTaken(value) == (new.sectionIdentifier(containingItem: "new") == section),
            "edit \(number), \(row), \(section)")
        }
        for path in old.itemIdentifiers.compactMap(old.itemPath(for:)) {
          var value = plain
          value.itemReloads = [path]
          #expect(try isTaken(value) == (path == from), "edit \(number), \(row), \(path)")
        }
        for path in new.itemIdentifiers.compactMap(new.itemPath(for:)) {
          var value = plain
          value.itemReconfigures = [path]
          #expect(try isTaken(value) == (path == to), "edit \(number), \(row), \(path)")
        }
      }
    }
  }

  @Test("ranges go where their elements go", arguments: 0..<40 as Range<UInt64>)
  func ranges(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for round in 0..<rounds(50) {
      func set() -> RangeSet<Int> {
        RangeSet(random.sample(Array(0..<12), oneIn: 3).map { $0..<$0 + 1 })
      }
      func paths() -> ItemPathSet {
        ItemPathSet(
          random.sample((0..<30).map { ItemPath(section: $0 / 6, item: $0 % 6) }, oneIn: 3))
      }
      var value = SnapshotDifference()
      (value.sectionDeletes, value.sectionInserts) = (set(), set())
      let (froms, tos) = (
        set().subtracting(value.sectionDeletes), set().subtracting(value.sectionInserts)
      )
      value.sectionMoves = zip(random.shuffled(Array(froms.ranges.joined())), tos.ranges.joined())
        .map { Move(from: $0, to: $1) }
      (value.itemDeletes, value.itemInserts) = (paths(), paths())
      value.itemMoves = zip(
        random.shuffled(paths().filter { !value.itemDeletes.contains($0) }),
        paths().filter { !value.itemInserts.contains($0) }
      ).map { Move(from: $0, to: $1) }
      let map = PositionMap(value)
      let (sections, items) = (set(), paths())
      func moved(_ place: (Int) -> Int?) -> RangeSet<Int> {
        RangeSet(sections.ranges.joined().compactMap(place).map { $0..<$0 + 1 })
      }
      let comment: Comment = "seed \(seed), round \(round): \(value), \(sections), \(items)"
      #expect(map.newSections(forOld: sections) == moved(map.newSection(forOld:)), comment)
      #expect(map.oldSections(forNew: sections) == moved(map.oldSection(forNew:)), comment)
      #expect(
        map.newPaths(forOld: items) == ItemPathSet(items.compactMap(map.newPath(forOld:))), comment)
      #expect(
        map.oldPaths(forNew: items) == ItemPathSet(items.compactMap(map.oldPath(forNew:))), comment)
    }
  }
}

@Suite("A decoded value fits itself, or a typed error says what is wrong")
struct DecodedValueTests {
  /// What is wrong with a text, in words; `nil` if nothing.
  private func fault<Value: Decodable>(_ type: Value.Type, _ json: String) -> String? {
    do {
      _ = try JSONDecoder().decode(type, from: Data(json.utf8))
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "another error: \(error)"
    }
  }

  private func expect<Value: Decodable>(_ type: Value.Type, _ json: String, _ words: String) {
    let fault = fault(type, json)
    #expect(fault?.contains(words) == true, "\(fault ?? "nothing") for \(json)")
  }

  @Test func `Paths, outlines and marks`() throws {
    expect(ItemPath.self, #"{"section":-1,"item":0}"#, "No item can be at")
    expect(ItemPath.self, #"{"section":0,"item":9007199254740991}"#, "No item can be at")
    let path = ItemPath(section: 3, item: 4)
    #expect(try JSONDecoder().decode(ItemPath.self, from: JSONEncoder().encode(path)) == path)
    expect(Outline<Int>.self, #"[{"id":1,"level":1}]"#, "at most one level below")
    expect(Outline<Int>.self, #"[{"id":1},{"id":2,"level":2}]"#, "at most one level below")
    expect(Outline<Int>.self, #"[{"id":1,"level":-1}]"#, "No row is at level -1")
    expect(Outline<Int>.self, #"[{"id":1},{"id":1}]"#, "“1” is at")
    for (old, new) in [(1, 4), (2, 3)] {
      let renamed = #"[{"old":1,"new":3},{"old":\#(old),"new":\#(new)}]"#
      let json = #"{"sections":[{"id":"A","items":[3,4]}],"renamed":\#(renamed)}"#
      expect(Snapshot<String, Int>.self, json, "two new identifiers, or two items")
    }
    do {
      let json = #"{"sections":[{"id":"A","items":[1]}],"reload":[2]}"#
      _ = try JSONDecoder().decode(Snapshot<String, Int>.self, from: Data(json.utf8))
      Issue.record("accepted")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.underlyingError as? SnapshotError == .unknownItem([AnyItemID(2)]))
    }
  }

  @Test func `An outline as deep as it is long takes no stack`() throws {
    let depth = scoped(usual: 20_000, wide: 40_000)
    let rows = (0..<depth).map { #"{"id":\#($0),"level":\#($0),"expanded":true}"# }
    func list(_ rows: some Sequence<String> & SendableMetatype) throws -> Snapshot<String, Int> {
      let json = #"{"sections":[{"id":"A","outline":[\#(rows.joined(separator: ","))]}]}"#
      return try JSONDecoder().decode(Snapshot.self, from: Data(json.utf8))
    }
    let deep = try list(rows)
    #expect(deep.numberOfItems == depth)
    let change = try UpdateBatch(from: list(rows.dropLast(7)), to: deep)
    #expect(change.difference.itemInserts.count == 7)
    for profile in [ListProfile.collectionView, .sequential] {
      #expect(change.stages(for: profile).last?.snapshot == deep)
    }
    #expect(deep.outline(ofSection: "A")?.description.isEmpty == false)
  }
}
