import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Operations of a query, one by one", .deadline) struct OperatorTests {
  @Test func `The last rows are those at the end, whatever comes and goes`() async throws {
    let base = try await Notes.of(.some)
    let tail = base.derived { $0.sorted(by: \.id).suffix(4) }
    #expect(await tail.snapshot.description == "1[5 7 9 11]")
    try await base.update { $0.deleteItems([7, 11, 0]) }
    #expect(await tail.snapshot.description == "1[1 3 5 9]")
    try await base.update { $0.deleteItems([1, 3]) }
    #expect(await tail.snapshot.description == "0[8 10] 1[5 9]")
    #expect(await base.derived { $0.suffix(-1) }.snapshot.numberOfItems == 0)
    #expect(await base.derived { $0.suffix(.max) }.snapshot.numberOfItems == 7)
  }

  @Test func `A row is read as the query shows it, and not at all if it hides it`() async throws {
    let base = try await Notes.of(.some)
    let shown = base.derived { $0.filter { $0.id > 5 }.map { Note(id: $0.id, text: -$0.text) } }
    #expect(await shown.element(for: 8)?.text == -2)
    #expect(await shown.element(for: 5) == nil)
    try await base.update { try $0.update(8) { $0.text = 7 } }
    #expect(await shown.element(for: 8)?.text == -7)
  }

  @Test func `Of rows with equal keys the first stays, and then the next one`() async throws {
    let base = try await Notes.of(.some)
    let distinct = base.derived { $0.sorted(by: \.id, reverse: true).distinct(by: \.text) }
    var batches = distinct.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "0[10 8 6] 1[]")
    try await base.update { $0.deleteItems([10]) }
    let batch = try #require(await batches.next())
    #expect(batch.snapshot.description == "0[8 6 4] 1[]")
    #expect(batch.difference.description == "-0:0 +0:2")
    // The order of the sections decides, too.
    try await base.update { try $0.snapshot.moveSection(1, beforeSection: 0) }
    #expect(await batches.next()?.snapshot.description == "1[11 9 7] 0[]")
  }

  @Test func `Groups that are always there stay when their last row leaves, in their order`()
    async throws
  {
    let base = try await Notes.of(.some)
    let board = base.derived { $0.grouped(by: \.folder, sections: [1, 4, 0, 1]) }
    var batches = board.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "1[1 3 5 7 9 11] 4[] 0[0 2 4 6 8 10]")
    // Rows of other groups are left out.
    try await base.update { draft in
      for id in 1..<12 where !id.isMultiple(of: 2) { try draft.update(id) { $0.folder = 9 } }
    }
    #expect(await batches.next()?.snapshot.description == "1[] 4[] 0[0 2 4 6 8 10]")
    let order = DataSourceActor<String, Int>()
    try await order.update { draft in
      draft.appendSections(["all"])
      try draft.appendItems(0..<5)
    }
    let parities = order.derived { $0.grouped(by: { $0 % 2 }, sections: [2, 1, 0]) }
    #expect(await parities.snapshot.description == "2[] 1[1 3] 0[0 2 4]")
  }

  @Test func `Values, operators and closures sort alike`() async throws {
    let base = DataSourceActor<String, Int>()
    try await base.update { order in
      order.appendSections(["a", "b"])
      try order.appendItems([2, 9, 4], toSection: "a")
      try order.appendItems([3, 1], toSection: "b")
    }
    #expect(await base.derived { $0.sorted(by: >) }.snapshot.description == "a[9 4 2] b[3 1]")
    #expect(
      await base.derived { $0.sorted(by: { $0 }, reverse: true) }.snapshot.description
        == "a[9 4 2] b[3 1]")
    let parities: [DerivedSource<UpdateBatch<String, Int>, UpdateBatch<Int, Int>>] = [
      base.derived { $0.grouped(by: { $0 % 2 }, order: >) },
      base.derived { $0.grouped(by: { $0 % 2 }, reverse: true) },
      base.derived { $0.grouped(by: { $0 % 2 }) { $0 > $1 } },
    ]
    for derived in parities { #expect(await derived.snapshot.description == "1[9 3 1] 0[2 4]") }
    let all = base.derived { $0.sorted(by: <).ungrouped() }
    #expect(await all.snapshot.description == "all[1 2 3 4 9]")
  }

  @Test func `Groups in the other direction are another operation`() async throws {
    let base = DataSourceActor<String, Int>()
    try await base.update { order in
      order.appendSections(["a"])
      try order.appendItems([2, 3, 4])
    }
    let parities = base.derived { $0.grouped(id: 0, by: { $0 % 2 }) }
    #expect(await parities.snapshot.description == "0[2 4] 1[3]")
    try await parities.setQuery { $0.grouped(id: 0, by: { $0 % 2 }, reverse: true) }
    #expect(await parities.snapshot.description == "1[3] 0[2 4]")
  }
}
