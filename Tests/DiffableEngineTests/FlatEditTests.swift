import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("Flat edits and applies over an outline keep the tree")
struct FlatEditTests {
  private typealias State = Snapshot<String, String>

  /// `main`: A▾[A1, A2▸[A2a]], B▸[B1], C.
  private func example() throws -> State {
    let rows = ["A", "A1", "A2", "A2a", "B", "B1", "C"]
    let outline = try Outline(rows, levels: [0, 1, 1, 2, 0, 1, 0], expanding: ["A"])
    return try State(outline, in: "main")
  }

  private func picture(_ snapshot: State) -> String {
    snapshot.outline(ofSection: "main")?.description
      .split(separator: "\n").joined(separator: "|") ?? "no outline"
  }

  @Test(
    "a list makes of the tree what it says",
    arguments: [
      // Nothing, though hidden items are not listed.
      ("A A1 A2 B C", "▾ A|  • A1|  ▸ A2|    ◦ A2a|▸ B|  ◦ B1|• C"),
      // What has gone is dropped, with what it hides.
      ("A A1 C", "▾ A|  • A1|• C"),
      // What is new stands behind what precedes it, at its level.
      ("A A1 x A2 B C", "▾ A|  • A1|  • x|  ▸ A2|    ◦ A2a|▸ B|  ◦ B1|• C"),
      ("A A1 A2 x B C", "▾ A|  • A1|  ▸ A2|    ◦ A2a|  • x|▸ B|  ◦ B1|• C"),
      ("A A1 A2 B x y C", "▾ A|  • A1|  ▸ A2|    ◦ A2a|▸ B|  ◦ B1|• x|• y|• C"),
      ("x A A1 A2 B C", "• x|▾ A|  • A1|  ▸ A2|    ◦ A2a|▸ B|  ◦ B1|• C"),
      // Behind an item is behind all its descendants: the tree is right.
      ("A x A1 A2 B C", "▾ A|  • A1|  ▸ A2|    ◦ A2a|• x|▸ B|  ◦ B1|• C"),
      // An item that is listed without its parent comes anew.
      ("A1 B C", "• A1|▸ B|  ◦ B1|• C"),
      // An item moves with what it hides, and keeps its level where it can.
      ("B A A1 A2 C", "▸ B|  ◦ B1|▾ A|  • A1|  ▸ A2|    ◦ A2a|• C"),
      ("C B A A1 A2", "• C|▸ B|  ◦ B1|▾ A|  • A1|  ▸ A2|    ◦ A2a"),
      ("A A2 A1 B C", "▾ A|  ▸ A2|    ◦ A2a|  • A1|▸ B|  ◦ B1|• C"),
      ("A A1 B A2 C", "▾ A|  • A1|▸ B|  ◦ B1|▸ A2|  ◦ A2a|• C"),
      // A hidden item that is listed stays hidden.
      ("A A1 A2 A2a B C", "▾ A|  • A1|  ▸ A2|    ◦ A2a|▸ B|  ◦ B1|• C"),
      ("", "∅"),
    ])
  func lists(list: String, expected: String) async throws {
    let items = list.split(separator: " ").map(String.init)
    var replaced = try example()
    try replaced.replaceItems(inSection: "main", with: items)
    #expect(picture(replaced) == expected)

    let source = try DataSourceActor(example())
    let revision = await source.revision
    var flat = State()
    flat.appendSections(["main"])
    try flat.appendItems(items, toSection: "main")
    let reached = try await source.apply(flat).revision
    await #expect(picture(source.snapshot) == expected)
    #expect((reached == revision) == (replaced == (try example())))
  }

  @Test("every list over every tree of four rows makes what is promised if the fewest rows move")
  func promised() throws {
    let lists = everyOrderedSubset(of: [0, 1, 2, 3, 9])
    var number = 0
    for var model in everyOutline(items: 4) {
      // What is said of a row goes with it.
      model.edit(1) { $0.isUnloaded = true }
      for list in lists {
        number += 1
        guard isInScope(number, usual: 23) else { continue }
        let result = try #require(Outline(model).showing(list))
        let promised = fewestMoves(to: list, over: model).map { moves in
          Outline(shown(list, over: model, moving: moves))
        }
        #expect(promised.contains(result), "\(list) over\n\(Outline(model)) is\n\(result)")
      }
    }
  }

  /// Every smallest choice of rows that move: the others are in the order that they had.
  private func fewestMoves(to list: [Int], over model: OutlineModel) -> [Set<Int>] {
    let visible = model.visibleItems
    var rest = model
    for item in visible where !list.contains(item) { rest.remove(item) }
    let kept = list.filter { visible.contains($0) && rest.node($0) != nil }
    let choices = (0..<1 << kept.count).map { choice in
      kept.indices.filter { choice & 1 << $0 != 0 }.map { kept[$0] }
    }
    // Rows are numbered in their order.
    let ordered = choices.filter { $0 == $0.sorted() }
    let most = ordered.map(\.count).max()
    return ordered.filter { $0.count == most }.map { Set(kept).subtracting($0) }
  }

  /// What becomes of a tree, one row of the list after the other.
  private func shown(
    _ list: [Int], over model: OutlineModel, moving moves: Set<Int>
  ) -> OutlineModel {
    let visible = model.visibleItems
    var result = model
    for item in visible where !list.contains(item) { result.remove(item) }
    var previous: Int?
    for item in list {
      guard let path = result.path(to: item), let node = result.node(item) else {
        result.put(.init(id: item), behind: previous)
        previous = item
        continue
      }
      // What was hidden stays so, and nothing is placed by it.
      guard visible.contains(item) else { continue }
      let above = result.visibleItems.prefix { $0 != item }.last
      let isInside = previous.map(node.items.contains) ?? false
      if moves.contains(item), above != previous, !isInside {
        result.remove(item)
        result.put(node, behind: previous, notBelow: path.count)
      }
      previous = item
    }
    return result
  }

  @Test("what contradicts the tree throws, and changes nothing")
  func errors() throws {
    var snapshot = try example()
    let before = snapshot
    func code(_ edit: (inout State) throws(SnapshotError) -> Void) -> String? {
      do throws(SnapshotError) {
        try edit(&snapshot)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(
      code { s throws(SnapshotError) in try s.insertItems(["x"], afterItem: "B1") } == "hiddenItem")
    #expect(code { s throws(SnapshotError) in try s.appendItems(["B1"]) } == "duplicateItems")
    #expect(
      code { s throws(SnapshotError) in try s.moveItem("A", beforeItem: "A2a") } == "cyclicMove")
    #expect(
      code { s throws(SnapshotError) in
        try s.replaceItems(inSection: "main", with: ["A", "A"])
      } == "duplicateItems")
    #expect(snapshot == before)
  }

  @Test("an item that is hidden elsewhere is there twice, and the error says where")
  func hiddenDuplicates() throws {
    var snapshot = try example()
    snapshot.appendSections(["list"])
    try snapshot.appendItems(["l", "B1"], toSection: "list")
    let error = #expect(throws: SnapshotError.self) { try snapshot.validate() }
    #expect(
      error?.description
        == "Item identifiers must be unique in the whole snapshot, but “B1” is at [1, 1] "
        + "and hidden in [0, 3]. Nothing was changed. Keep each item once, or make its place part "
        + "of the identifier.")
  }
}

extension OutlineModel {
  /// Puts a node behind an item, or behind its ancestor on the last of some levels; without an item,
  /// before all others.
  fileprivate mutating func put(_ node: Node, behind item: Int?, notBelow levels: Int = .max) {
    guard let place = item.flatMap(path(to:))?.prefix(levels), let index = place.last else {
      return roots.insert(node, at: 0)
    }
    editSiblings(at: place.dropLast()) { $0.insert(node, at: index + 1) }
  }
}

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
