import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("What reads whole trees follows them row by row", .deadline)
struct TreeStepTests {
  private static let queries: [@Sendable (QueryScript.Query) -> QueryScript.Query] = [
    { query in
      query.summingDescendants({ $0.text }) { Note(id: $0.id, title: $1, text: $2) }
    },
    { query in query.searched { $0.id == 1 } },
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

  @Test("From each small tree to each other one", arguments: [false, true])
  func everyTransition(changesModels: Bool) async throws {
    let items = Array(0..<scoped(usual: 3, wide: 3, long: 4))
    let trees = try everyOrderedSubset(of: items).flatMap(Self.everyTree(of:))
    let base = Notes()
    func show(_ tree: Outline<Int>, text: Int) async throws {
      var order = Snapshot<Folder, Int>()
      order.appendSections([0])
      try order.setOutline(tree, forSection: 0)
      // Each set of rows has another sum.
      try await base.apply(order, models: tree.items.map { Note(id: $0, text: text << $0) })
    }
    let followers = Self.queries.map { base.derived(options: .strict, $0) }
    for old in trees {
      for new in trees where isWide || areNumberedInOrder(old.items + new.items) {
        try await show(old, text: 1)
        for follower in followers { _ = await follower.snapshot }
        try await show(new, text: changesModels ? 100 : 1)
        for (number, (query, follower)) in zip(Self.queries, followers).enumerated() {
          let shown = QueryScript.Plain(await follower.snapshot)
          let expected = QueryScript.Plain(await base.derived(query).snapshot)
          guard shown != expected else { continue }
          Issue.record(
            "query \(number), from\n\(old)\nto\n\(new):\n\(shown)\ninstead of\n\(expected)")
          return
        }
      }
    }
  }
}
