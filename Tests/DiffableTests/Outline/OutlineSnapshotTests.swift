import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("Sections that are outlines")
struct OutlineSnapshotTests {
  private typealias State = Snapshot<Int, Int>

  @Test(
    "laws and list rules along any script of edits",
    arguments: 0..<scoped(usual: 3, wide: 16 as UInt64))
  func scripts(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var snapshot = State()
    var edits: [SnapshotEdit<Int, Int>] = []
    var path: [State] = []
    for step in 0..<rounds(18, least: 18) {
      let before = snapshot
      let edit = generator.anyEdit(of: snapshot)
      edits.append(edit)
      do {
        try edit.apply(to: &snapshot)
      } catch {
        #expect(snapshot == before, "seed \(seed), step \(step): \(edit) threw \(error)")
      }
      if (try? snapshot.validate()) == nil { snapshot = before }
      let faults = snapshot.faults(asking: snapshot.allItems)
      #expect(faults == [], "seed \(seed), step \(step): \(EditScript(edits))")
      expectDisclosures(snapshot, "seed \(seed), step \(step)")
      path.append(snapshot.detached)
      if !faults.isEmpty { return }
      for other in path.suffix(3).dropLast() {
        try expectAccepted(from: other, to: path[path.count - 1], "seed \(seed), step \(step)")
        try expectAccepted(from: path[path.count - 1], to: other, "seed \(seed), step \(step)")
      }
    }
    for start in stride(from: 0, to: path.count - 3, by: 3) {
      let violations = DifferenceLaw.violations(along: Array(path[start..<start + 3]))
      #expect(violations == [], "seed \(seed), from step \(start)")
    }
  }

  @Test("an outline that keeps the expansion has that of hidden rows, too")
  func keptExpansion() throws {
    let tree = try Outline([1, 2, 3], levels: [0, 1, 2])
    for expanded in [[], [1], [2], [1, 2]] {
      var state = State()
      state.appendSections([0])
      var former = tree
      former.expand(expanded)
      try state.setOutline(former, forSection: 0)
      try state.setOutline(tree, forSection: 0, keepingExpansion: true)
      let outline = try #require(state.outline(ofSection: 0))
      #expect((1...2).filter(outline.isExpanded) == expanded)
    }
  }

  @Test(
    "rows that are appended below a row are those that its outline appends",
    arguments: 0..<UInt64(rounds(24)))
  func appendedBelow(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<20 {
      let rows = Array(0..<random.number(below: 12) + 1)
      var (state, outline) = (State(), try random.outline(of: rows))
      state.appendSections([0, 1])
      try state.appendItems([50, 51], toSection: 0)
      try state.setOutline(outline, forSection: 1)
      if random.chance(oneIn: 2) { state.resolve() }
      // Of a tree mostly, of a list, and of nothing.
      let parent = random.element(of: rows + [50, 99]) ?? 0
      let new = random.sample([20, 21, 22, 23, 20, rows[0]], oneIn: 2)
      let comment: Comment = "seed \(seed), round \(round): \(new) to \(parent) of \(state)"
      let before = state
      do {
        try outline.append(new, to: parent)
        try state.appendItems(new, toItem: parent)
      } catch let refusal {
        #expect(throws: refusal, comment) { try state.appendItems(new, toItem: parent) }
        #expect(state == before, comment)
      }
      #expect(state.outline(ofSection: 1) == outline, comment)
      #expect(state.itemIdentifiers(inSection: 1) == outline.visibleItems, comment)
      #expect(state.faults(asking: state.allItems) == [], comment)
    }
  }

  @Test("what is read is what was written", arguments: 0..<4 as Range<UInt64>)
  func flattening(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var snapshot = State()
    for _ in 0..<40 {
      let edit = generator.anyEdit(of: snapshot)
      try? edit.apply(to: &snapshot)
      let flat = snapshot.flattened
      #expect(flat.itemIdentifiers == snapshot.itemIdentifiers && flat.outlineIndices == [])
      #expect((flat == snapshot) == snapshot.outlineIndices.isEmpty)
    }
  }

  /// A snapshot says of its rows what its outlines say.
  private func expectDisclosures(_ snapshot: State, _ comment: Comment) {
    let outlines = snapshot.outlineSections.compactMap(snapshot.outline(ofSection:))
    #expect(snapshot.loadingItems == outlines.flatMap(\.loadingItems), comment)
    for item in snapshot.allItems + [-1] {
      let sign = outlines.lazy.compactMap { $0.disclosure(of: item) }.first
      #expect(snapshot.disclosure(of: item) == sign, comment)
      guard let path = snapshot.itemPath(for: item) else { continue }
      #expect(snapshot.disclosure(ofItemAt: path) == sign, comment)
    }
  }

  private func expectAccepted(from old: State, to new: State, _ comment: Comment) throws {
    let batch = try UpdateBatch(from: old, to: new)
    for profile in RandomStageTests.profiles {
      var view = ListSimulator(showing: old, profile: profile)
      #expect(view.perform(batch) == [], comment)
      // Each stage leads from the state before it to its own, outlines included.
      var state = old
      for stage in batch.stages(for: profile) where !stage.isReset {
        let replayed = try state.applying(stage.difference, insertsFrom: stage.snapshot)
        #expect(replayed == stage.snapshot, comment)
        state = stage.snapshot
      }
      #expect(state == new || batch.stages(for: profile).first?.isReset == true, comment)
    }
  }
}

@Suite("Outlines as text, and as JSON")
struct OutlinePictureTests {
  private func example() throws -> Outline<String> {
    var outline = try Outline(
      ["Fruit", "Apple", "Pear", "Vegetables", "Leek", "Cabbage", "Savoy", "Later"],
      levels: [0, 1, 1, 0, 1, 1, 2, 0], expanding: ["Fruit"])
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

@Suite("Items are moved below others") struct MoveIntoTests {
  private typealias Tree = Outline<Int>
  private typealias List = Snapshot<String, Int>

  /// 1 with 2 and 3, of which 2 has 4; 5.
  private func tree() throws -> Tree {
    try Tree([1, 2, 4, 3, 5], levels: [0, 1, 2, 1, 0], expanding: [1, 2])
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
}

@Suite("Rows that a collapsed row hides count like all others", .deadline)
struct HiddenDuplicateTests {
  private typealias List = Snapshot<Int, Int>

  /// `0[1 3] 5[4 2]`: the second of the first section's roots hides 2, or the first one does.
  private func list(hiding parent: Int) throws -> List {
    var outline = try Outline([1, 3])
    try outline.append([2], to: parent)
    var list = List()
    list.appendSections([0, 5])
    try list.setOutline(outline, forSection: 0)
    try list.appendItems([4, 2], toSection: 5)
    return list
  }

  @Test("One that is also elsewhere is named at the row that hides it", arguments: [1, 3])
  func named(parent: Int) throws {
    let list = try list(hiding: parent)
    let error = #expect(throws: SnapshotError.self) { try list.validate() }
    #expect(
      error
        == .duplicateItems([
          .init(
            identifier: AnyItemID(2), places: [ItemPath(section: 1, item: 1)],
            hiddenPlaces: [ItemPath(section: 0, item: parent / 2)])
        ]))
  }

  @Test("Rows that share a hash are not the same", arguments: 1...3) func hashes(count: Int) throws
  {
    func item(_ number: Int) -> FewHashes { FewHashes(number: number, hashCount: count) }
    for size in [2, 3, 9, 20, 100] {
      var outline = Outline<FewHashes>()
      try outline.append([item(0)])
      try outline.append((1..<size).map(item), to: item(0))
      var list = FewHashesList()
      list.appendSections([item(0), item(1)])
      try list.setOutline(outline, forSection: item(0))
      try list.appendItems([item(size)], toSection: item(1))
      #expect(throws: Never.self) { try list.validate() }
      try list.appendItems([item(size - 1)], toSection: item(1))
      #expect(throws: SnapshotError.self) { try list.validate() }
    }
  }
}
