import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A derived tree is folded by itself")
struct TreeTests {
  private static func makeBase() async throws -> Notes {
    let base = Notes()
    // A chain: each below the one before.
    try await base.apply((0..<6).map { Note(id: $0, title: $0) }, section: \.folder)
    return base
  }

  private static func chain(
    _ query: QueryScript.Query
  ) -> QueryScript.Query { query.outlined { $0.id == 0 ? nil : $0.id - 1 } }

  @Test("Two sources fold one base in two ways, and the base does not know")
  func twoWays() async throws {
    let base = try await Self.makeBase()
    let sources = [base.derived(Self.chain), base.derived(Self.chain)]
    let before = await base.revision
    try await sources[0].collapseItems([2])
    #expect(await sources[0].snapshot.itemIdentifiers == [0, 1, 2])
    #expect(await sources[1].snapshot.itemIdentifiers == Array(0..<6))
    #expect(await base.revision == before)
    try await sources[0].expandItems([2])
    #expect(await sources[0].snapshot.itemIdentifiers == Array(0..<6))
  }

  @Test("What is folded stays folded, through another query and when a row comes again")
  func remembered() async throws {
    let base = try await Self.makeBase()
    let derived = base.derived(Self.chain)
    try await derived.collapseItems([2])
    try await derived.setQuery { Self.chain($0.filter { $0.id != 4 }) }
    #expect(await derived.snapshot.itemIdentifiers == [0, 1, 2, 5])
    try await base.update { $0.snapshot.deleteItems([2]) }
    #expect(await derived.snapshot.itemIdentifiers == [0, 1, 3, 5])
    try await base.update { try $0.appendItems([Note(id: 2)], toSection: Folder(0)) }
    #expect(await derived.snapshot.itemIdentifiers == [0, 1, 2, 5])
  }

  @Test("A follower gets what is folded as a batch, also where it waits for one")
  func batches() async throws {
    let base = try await Self.makeBase()
    let derived = base.derived(Self.chain)
    var batches = derived.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 6)
    let next = Task { [batches] in
      var batches = batches
      return await batches.next()
    }
    try await wait { derived.metrics.waitingSubscribers != 0 }
    try await derived.collapseItems([0])
    let batch = try #require(await next.value)
    #expect(batch.difference.itemDeletes.count == 5)
    #expect(batch.snapshot.itemIdentifiers == [0])
  }

  @Test("A source that has finished folds nothing") func finished() async throws {
    let derived = try await Self.makeBase().derived(Self.chain)
    await derived.finish()
    await #expect(throws: DataSourceError.finished) { try await derived.expandItems([1]) }
  }

  @Test("A circle is opened at its first row, and closed again") func circle() async throws {
    let base = Notes()
    try await base.apply((0..<4).map { Note(id: $0, title: $0) }, section: \.folder)
    let derived = base.derived { $0.outlined { $0.text == 0 ? nil : $0.text - 1 } }
    func outline() async -> String {
      await derived.snapshot.outline(ofSection: Folder(0))?.description ?? ""
    }
    _ = await outline()
    // 1 below 2, 2 below 3, 3 below 1.
    try await base.setModels([
      Note(id: 1, text: 3), Note(id: 2, text: 4), Note(id: 3, text: 2),
    ])
    #expect(await outline() == "▾ 0\n▾ 1\n  ▾ 3\n    ▾ 2")
    try await base.setModels([Note(id: 3, text: 1)])
    #expect(await outline() == "▾ 0\n  ▾ 3\n    ▾ 2\n      ▾ 1")
  }
}
