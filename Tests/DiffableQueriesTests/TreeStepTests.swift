import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("What reads whole trees follows them row by row", .deadline) struct TreeStepTests {
  private static let queries: [QueryScript] = [
    [.totals], [search(1)], [search(nil)],
    [.omitEmptySections, .search(mostly: 2, keepsUnloaded: true), .totals],
  ].map { QueryScript(operations: $0) }

  private static func search(_ number: Int?) -> QueryScript.Operation {
    .search(mostly: number, keepsUnloaded: false)
  }

  /// Every tree of some rows in this order.
  private static func everyTree(of items: [Int]) throws -> [Outline<Int>] {
    try everyForest(of: items.count).reversed().map { try Outline(items, levels: $0) }
  }

  /// The same tree with every choice of expanded rows.
  private static func everyFolding(of tree: Outline<Int>) -> [Outline<Int>] {
    (0..<1 << tree.count).map { choice in
      var tree = tree
      tree.expand(tree.items.enumerated().filter { choice & 1 << $0.offset != 0 }.map(\.element))
      return tree
    }
  }

  @Test("From each small tree to each other one", arguments: [false, true])
  func everyTransition(changesModels: Bool) async throws {
    let (plain, folded) = scoped(usual: (3, 2), wide: (3, 3), long: (4, 3))
    let trees = try everyOrderedSubset(of: Array(0..<plain)).flatMap(Self.everyTree(of:))
    try await expectTransitions(between: trees, values: (1, changesModels ? 3 : 1))
    let foldings = try everyOrderedSubset(of: Array(0..<folded)).flatMap(Self.everyTree(of:))
      .flatMap(Self.everyFolding(of:))
    try await expectTransitions(between: foldings, values: (1, changesModels ? 3 : 1))
  }

  @Test("From each small tree to each other one, whichever row is found")
  func everyFoundRow() async throws {
    let trees = try everyOrderedSubset(of: Array(0..<3)).flatMap(Self.everyTree(of:))
    // Without values, the search for a number finds the row that is called so.
    try await expectTransitions(
      between: trees, (0..<3).map { QueryScript(operations: [Self.search($0)]) }, values: (0, 0)
    ) { old, new in
      // If only one row goes, it is always tried what becomes of those below it.
      old.count == 3 && new.count == 2 && new.items == new.items.sorted()
    }
  }

  @Test("From a tree in which nothing is found to each choice of found rows, and back")
  func everyChoice() async throws {
    let items = Array(0..<scoped(usual: 3, wide: 4, long: 5))
    let search = QueryScript(operations: [Self.search(1)])
    for tree in try Self.everyTree(of: items) {
      let base = Notes()
      let follower = base.derived(options: .strict) { search.query($0, isDeclared: false) }
      for choice in 0..<1 << items.count {
        for choice in [0, choice] {
          // A row is found if its number and its value are 5 together, and not if they are 4.
          let notes = items.map { Note(id: $0, text: 4 + (choice >> $0 & 1) - $0) }
          try await base.apply(Snapshot(tree, in: 0), models: notes)
          let state = await follower.snapshot
          let expected = search.evaluate(QueryScript.Plain(await base.snapshot))
          guard QueryScript.Plain(state) != expected else { continue }
          Issue.record("choice \(choice) of\n\(tree):\n\(state)\ninstead of\n\(expected)")
          return
        }
      }
    }
  }

  @Test("A row whose children are not loaded stays, whether it is found or no longer")
  func unloaded() async throws {
    var tree = try Outline([0, 1])
    tree.setChildrenUnloaded(of: [0])
    let base = Notes()
    let search = QueryScript(operations: [.search(mostly: 1, keepsUnloaded: true)])
    let follower = base.derived(options: .strict) { search.query($0, isDeclared: false) }
    // With 1 the first row is found, with 0 the second.
    for value in [1, 0, 1, 2, 0] {
      try await base.apply(Snapshot(tree, in: 0), models: [0, 1].map { Note(id: $0, text: value) })
      let rows = await follower.snapshot.outline(ofSection: 0)?.items
      #expect(rows == (value == 0 ? [0, 1] : [0]), "\(value)")
    }
  }

  @Test(
    "Whether the children of a row are loaded is known as it moves, too",
    arguments: [false, true], [false, true])
  func loadedAsItMoves(wasLoaded: Bool, isLoaded: Bool) async throws {
    for isMoved in [false, true] {
      let base = Notes()
      // Enough rows that changes are followed one by one.
      let rows = (1..<60).map { Note(id: $0, text: 1) }
      try await base.apply(
        [Note(id: 0, text: wasLoaded ? 1 : 0)] + rows, section: { _ in 0 })
      let tree = base.derived(options: .strict) { query in
        query.outlined(by: { _ in nil }, unloaded: { $0.text == 0 }) { _ in }
      }
      #expect(await tree.snapshot.outline(ofSection: 0)?.hasUnloadedChildren(0) == !wasLoaded)
      try await base.update { draft in
        try draft.update(0) { $0.text = isLoaded ? 1 : 0 }
        if isMoved { try draft.moveItem(0, afterItem: 59) }
      }
      let outline = await tree.snapshot.outline(ofSection: 0)
      #expect(outline?.hasUnloadedChildren(0) == !isLoaded, "moved: \(isMoved)")
      #expect(outline?.items.last == (isMoved ? 0 : 59))
    }
  }

  @Test("Changes at both ends of a long subtree are followed row by row")
  func longSubtree() async throws {
    let base = Notes()
    var tree = try Outline(0..<4_600)
    try tree.append(5_000..<5_200, to: 2_300)
    try await base.apply(Snapshot(tree, in: 0), models: tree.items.map { Note(id: $0) })
    let calls = CallCounter()
    let found = base.derived(options: .strict) { query in
      query.searched { _ in
        calls.count()
        return true
      }
    }
    #expect(await found.snapshot.outline(ofSection: 0)?.items == tree.items)
    // What becomes of the row after the subtree, while its parent gets another name.
    typealias Edit = @Sendable (inout ModelDraft<Folder, Note>, _ parent: Int) throws -> Void
    let edits: [Edit] = [
      { try $0.snapshot.moveItem(2_301, intoItem: $1) },
      { list, _ in try list.snapshot.moveItem(2_302, intoItem: 2_301) },
      { list, _ in list.deleteItems([2_303]) },
      { list, _ in try list.renameItem(2_304, to: Note(id: 6_000)) },
      { list, _ in try list.insertItems([Note(id: 6_001)], beforeItem: 6_000) },
    ]
    for (number, edit) in edits.enumerated() {
      let (old, new) = (number == 0 ? 2_300 : 7_000 + number - 1, 7_000 + number)
      try await base.update { list in
        try list.renameItem(old, to: Note(id: new))
        try edit(&list, new)
      }
      let before = calls.value
      let shown = try #require(await found.snapshot.outline(ofSection: 0))
      #expect(calls.value - before < 1_000, "edit \(number)")
      let made = await base.derived { $0.searched { _ in true } }.snapshot
      #expect(shown == made.outline(ofSection: 0), "edit \(number)")
    }
  }

  @Test("Changes far apart in a long tree are each counted where they are")
  func farApart() async throws {
    let base = Notes()
    var tree = Outline<Int>()
    for root in stride(from: 0, to: 4_000, by: 10) {
      try tree.append([root])
      try tree.append(root + 1..<root + 10, to: root)
    }
    tree.expand([20])
    let notes = tree.items.map { Note(id: $0, text: $0 % 7) }
    try await base.apply(Snapshot(tree, in: 0), models: notes)
    let script = QueryScript(operations: [.totals])
    let totals = base.derived(options: .strict) { script.query($0, isDeclared: false) }
    #expect(await totals.elements.count == 409)
    typealias Edit = @Sendable (inout ModelDraft<Folder, Note>) throws -> Void
    let edits: [Edit] = [
      { $0.deleteItems([13, 3_955]) },
      { list in
        try list.insertItems([Note(id: 5_000, text: 5)], beforeItem: 25)
        list.deleteItems([3_000])
      },
      { list in
        try list.snapshot.moveItem(31, intoItem: 3_900)
        try list.update(3_777) { $0.text = 9 }
      },
    ]
    for (number, edit) in edits.enumerated() {
      try await base.update(edit)
      let made = base.derived { script.query($0, isDeclared: false) }
      #expect(await totals.elements == made.elements, "edit \(number)")
      let shown = await totals.snapshot.outline(ofSection: 0)
      #expect(await shown == made.snapshot.outline(ofSection: 0), "edit \(number)")
    }
  }

  private func expectTransitions(
    between trees: [Outline<Int>], _ queries: [QueryScript] = queries,
    values: (old: Int, new: Int),
    always: (Outline<Int>, Outline<Int>) -> Bool = { _, _ in false }
  ) async throws {
    let base = Notes()
    func show(_ tree: Outline<Int>, value: Int) async throws {
      // Each set of rows has another sum.
      let notes = tree.items.map { Note(id: $0, text: value << $0) }
      try await base.apply(Snapshot(tree, in: 0), models: notes)
    }
    let followers = queries.map { script in
      base.derived(options: .strict) { script.query($0, isDeclared: false) }
    }
    var number = 0
    for old in trees {
      for new in trees where isLong || areNumberedInOrder(old.items + new.items) {
        number += 1
        guard always(old, new) || isInScope(number, usual: 7, wide: 7) else { continue }
        try await show(old, value: values.old)
        for follower in followers { _ = await follower.snapshot }
        try await show(new, value: values.new)
        let list = QueryScript.Plain(await base.snapshot)
        for (script, follower) in zip(queries, followers) {
          let (state, expected) = (await follower.snapshot, script.evaluate(list))
          guard QueryScript.Plain(state) != expected else { continue }
          Issue.record("\(script), from\n\(old)\nto\n\(new):\n\(state)\ninstead of\n\(expected)")
          return
        }
      }
    }
  }
}
