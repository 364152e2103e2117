import Diffable
import DiffableQueries
import TestScope
import Testing

/// What a writer has placed moves in a derived list as well, and not its neighbours.
@Suite("Placed rows in derived lists", .deadline) struct PlacedRowQueryTests {
  typealias Query = ListQuery<UpdateBatch<Int, Int>, UpdateBatch<Int, Int>>

  static let queries: [(name: String, query: @Sendable (Query) -> Query)] = [
    ("filter", { $0.filter { $0 != 9 } }), ("group", { $0.grouped(by: { _ in 0 }, order: <) }),
    ("two filters", { $0.filter { $0 != 9 }.filter { $0 != 8 } }),
    ("outline", { $0.outlined(by: { _ in nil }, isExpanded: true) }),
    ("search", { $0.outlined(by: { _ in nil }, isExpanded: true).searched { $0 != 9 } }),
    ("filter of an outline", { $0.outlined(by: { _ in nil }).filter { $0 != 9 } }),
  ]

  private static func list() throws -> Snapshot<Int, Int> {
    var list = Snapshot<Int, Int>()
    list.appendSections([0, 1, 2])
    try list.appendItems(1...5, toSection: 0)
    return list
  }

  @Sendable private static func move(
    _ row: Int, past anchor: Int, in list: inout Snapshot<Int, Int>
  ) throws {
    if row < anchor {
      try list.moveItem(row, afterItem: anchor)
    } else {
      try list.moveItem(row, beforeItem: anchor)
    }
  }

  @Test(
    "Every move of a row by one place, over a list and over another derived list",
    arguments: queries)
  func byOnePlace(_ name: String, _ query: @escaping @Sendable (Query) -> Query) async throws {
    for (row, anchor) in (1...4).flatMap({ [($0, $0 + 1), ($0 + 1, $0)] }) {
      let base = try DataSourceActor(Self.list())
      let derived = base.derived(query)
      let second = derived.derived { $0.filter { $0 != 7 } }
      var (batches, next) = (
        derived.updates().makeAsyncIterator(), second.updates().makeAsyncIterator()
      )
      let shown = try #require(await batches.next()).snapshot
      _ = await next.next()
      let path = try #require(shown.itemPath(for: row))
      try await base.update { try Self.move(row, past: anchor, in: &$0) }
      for batch in [try #require(await batches.next()), try #require(await next.next())] {
        #expect(batch.difference.itemMoves.map(\.from) == [path], "\(name), \(row) past \(anchor)")
      }
    }
  }

  @Test("Sections that were moved by one place")
  func sections() async throws {
    for (section, anchor) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
      let base = try DataSourceActor(Self.list())
      let derived = base.derived { $0.filter { $0 != 9 } }
      var batches = derived.updates().makeAsyncIterator()
      _ = await batches.next()
      try await base.update {
        if section < anchor {
          try $0.moveSection(section, afterSection: anchor)
        } else {
          try $0.moveSection(section, beforeSection: anchor)
        }
      }
      let batch = try #require(await batches.next())
      #expect(batch.difference.sectionMoves.map(\.from) == [section], "\(section) past \(anchor)")
    }
  }

  @Test("What is worked out from scratch")
  func fromScratch() async throws {
    // So many other changes that the query does not follow each of them.
    for (row, anchor) in [(2, 1), (1, 2)] {
      let base = try DataSourceActor(Self.list())
      let derived = base.derived { $0.filter { $0 != 9 } }
      var batches = derived.updates().makeAsyncIterator()
      _ = await batches.next()
      try await base.update { list in
        try list.appendItems(100..<300, toSection: 1)
        try Self.move(row, past: anchor, in: &list)
      }
      let batch = try #require(await batches.next())
      #expect(batch.difference.itemMoves.map(\.from) == [ItemPath(section: 0, item: row - 1)])
    }
  }
}
