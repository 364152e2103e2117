import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("What reads whole trees follows them row by row", .deadline)
struct TreeStepTests {
  private static let queries: [[TreeOperation]] = [
    [.totals], [.search(1, keepsUnloaded: false)], [.search(nil, keepsUnloaded: false)],
    [.omitEmptySections, .search(2, keepsUnloaded: true), .totals],
  ]

  /// Every tree of some rows in this order.
  private static func everyTree(of items: [Int]) throws -> [Outline<Int>] {
    var trees = [Outline<Int>()]
    for item in items {
      trees = try trees.flatMap { tree in
        // Below the row before it, or an ancestor of that, or a root.
        let parents = tree.items.last.map { Array(sequence(first: $0, next: tree.parent(of:))) }
        return try ((parents ?? []) + [nil]).map { parent in
          var tree = tree
          try tree.append([item], to: parent)
          return tree
        }
      }
    }
    return trees
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
    try await expectTransitions(between: trees, changesModels)
    let foldings = try everyOrderedSubset(of: Array(0..<folded)).flatMap(Self.everyTree(of:))
      .flatMap(Self.everyFolding(of:))
    try await expectTransitions(between: foldings, changesModels)
  }

  private func expectTransitions(
    between trees: [Outline<Int>], _ changesModels: Bool
  ) async throws {
    let base = ModelSource<Int, TreeNote>()
    func show(_ tree: Outline<Int>, value: Int) async throws {
      var order = Snapshot<Int, Int>()
      order.appendSections([0])
      try order.setOutline(tree, forSection: 0)
      // Each set of rows has another sum.
      try await base.apply(order, models: tree.items.map { TreeNote(id: $0, value: value << $0) })
    }
    let followers = Self.queries.map { operations in
      base.derived(options: .strict) { query in
        operations.reduce(query) { $1.added(to: $0, isDeclared: false) }
      }
    }
    var number = 0
    for old in trees {
      for new in trees where isLong || areNumberedInOrder(old.items + new.items) {
        number += 1
        guard isInScope(number, usual: 7, wide: 7) else { continue }
        try await show(old, value: 1)
        for follower in followers { _ = await follower.snapshot }
        try await show(new, value: changesModels ? 3 : 1)
        let list = PlainList(await base.snapshot)
        for (operations, follower) in zip(Self.queries, followers) {
          let state = await follower.snapshot
          let expected = TreeOperation.evaluate(operations, list, .init())
          let visible = expected.sections.flatMap { $0.visible.map { $0.note.id } }
          guard PlainList(state) != expected || state.itemIdentifiers != visible else { continue }
          Issue.record(
            "\(operations), from\n\(old)\nto\n\(new):\n\(state)\ninstead of\n\(expected)")
          return
        }
      }
    }
  }
}
