import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("What a writer marks is shown again in a derived list", .deadline) struct MarkTests {
  typealias Query = ListQuery<UpdateBatch<Int, Int>, UpdateBatch<Int, Int>>

  /// The items that a batch shows again although they stay, by how it does so.
  private struct Shown {
    var reloaded: Set<Int> = []
    var reconfigured: Set<Int> = []

    init(_ batch: UpdateBatch<Int, Int>) {
      let (difference, map, new) = (batch.difference, PositionMap(batch.difference), batch.snapshot)
      reloaded = Set(map.newPaths(forOld: difference.itemReloads).compactMap(new.itemIdentifier))
      reconfigured = Set(difference.itemReconfigures.compactMap(new.itemIdentifier))
    }
  }

  private static func list(_ sections: [Range<Int>]) throws -> Snapshot<Int, Int> {
    var list = Snapshot<Int, Int>()
    for (number, items) in sections.enumerated() {
      list.appendSections([number])
      try list.appendItems(items)
    }
    return list
  }

  @Test("However many rows are marked at once, in lists and in trees")
  func many() async throws {
    let queries: [@Sendable (Query) -> Query] = [
      { $0.filter { $0 != 7 } }, { $0.sorted(by: >) },
      { $0.grouped(by: { $0 % 3 }, order: <) }, { $0.outlined { $0 > 1 ? $0 / 2 : nil } },
      { $0.filter { $0 != 7 }.sorted(by: >) },
      { $0.outlined(by: { $0 > 1 ? $0 / 2 : nil }, isExpanded: true).searched { $0 > 0 } },
    ]
    for (number, query) in queries.enumerated() {
      let base = DataSourceActor<Int, Int>()
      try await base.apply(Self.list([0..<100, 100..<200]))
      let derived = base.derived(query)
      var batches = derived.updates().makeAsyncIterator()
      let shown = Set(try #require(await batches.next()).snapshot.itemIdentifiers)
      try await base.update { list in
        try list.moveSection(1, beforeSection: 0)
        try list.reloadItems(0..<80)
        try list.reconfigureItems(80..<200)
      }
      let batch = Shown(try #require(await batches.next()))
      #expect(batch.reloaded == shown.intersection(0..<80), "query \(number)")
      #expect(batch.reconfigured.isSuperset(of: shown.intersection(80..<200)), "query \(number)")
    }
  }

  @Test("Marked sections, too, or their rows where the list has other sections")
  func sections() async throws {
    let base = DataSourceActor<Int, Int>()
    try await base.apply(Self.list([0..<100, 100..<200]))
    let (filtered, grouped) = (
      base.derived { $0.filter { $0 != 7 } }, base.derived { $0.grouped(by: { $0 % 3 }, order: <) }
    )
    var (same, other) = (
      filtered.updates().makeAsyncIterator(), grouped.updates().makeAsyncIterator()
    )
    _ = (await same.next(), await other.next())
    try await base.update { list in
      try list.reloadSections([0])
      try list.reconfigureSections([1])
    }
    let batch = try #require(await same.next())
    #expect(batch.difference.sectionReloads == RangeSet(0..<1))
    #expect(batch.difference.sectionReconfigures == RangeSet(1..<2))
    #expect(Shown(try #require(await other.next())).reloaded == Set(0..<100))
  }

  @Test("A new name of a row is told, also if the list is to be shown from scratch")
  func reset() async throws {
    let queries: [@Sendable (Query) -> Query] = [
      { $0.filter { $0 != 7 } }, { $0.sorted(by: >) }, { $0.grouped(by: { $0 % 3 }, order: <) },
    ]
    for (number, query) in queries.enumerated() {
      let base = DataSourceActor<Int, Int>()
      try await base.apply(Self.list([0..<10]))
      let derived = base.derived(query)
      var batches = derived.updates().makeAsyncIterator()
      _ = await batches.next()
      try await base.update(presentation: .reset) { try $0.renameItem(1, to: 22) }
      let batch = try #require(await batches.next())
      #expect(batch.presentation == .reset && batch.base == nil, "query \(number)")
      #expect(batch.renamedItems == [ItemRename(old: 1, new: 22)], "query \(number)")
    }
  }

  @Test("Of two merged lists, those of the list that a row is shown from", arguments: [3, 100])
  func merged(count: Int) async throws {
    let (first, second) = (DataSourceActor<Int, Int>(), DataSourceActor<Int, Int>())
    try await first.apply(Self.list([0..<100]))
    try await second.apply(Self.list([98..<200]))
    let merged = first.merged(with: second)
    var batches = merged.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 200)
    try await second.update { list in
      try list.reloadItems([98, 101])
      try list.reconfigureItems([99] + Array(102..<102 + count - 2))
    }
    let batch = Shown(try #require(await batches.next()))
    #expect(batch.reloaded == [101] && batch.reconfigured == Set(102..<100 + count))
    try await first.update { try $0.reconfigureItems(0..<count) }
    #expect(Shown(try #require(await batches.next())).reconfigured == Set(0..<count))
  }
}
