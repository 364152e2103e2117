import Diffable
import Testing

/// What a subscriber gets to see.
@Suite struct BatchTests {
  typealias Source = DataSourceActor<String, Int>

  static func list(_ items: [Int], reload: [Int] = []) throws -> Snapshot<String, Int> {
    var snapshot = Snapshot<String, Int>()
    snapshot.appendSections(["list"])
    try snapshot.appendItems(items)
    try snapshot.reloadItems(reload)
    return snapshot
  }

  @Test func `The first batch shows the state from scratch`() async throws {
    let source = try Source(Self.list([1, 2]))
    var batches = source.updates().makeAsyncIterator()
    let batch = try #require(await batches.next())
    #expect(batch.base == nil)
    #expect(batch.target == Revision(1))
    #expect(batch.difference.isEmpty)
    #expect(batch.previousSnapshot == nil)
    #expect(batch.presentation == .reset)
    #expect(try batch.snapshot == Self.list([1, 2]))
  }

  @Test func `An empty source is revision 0 and shows nothing`() async throws {
    let source = try Source()
    #expect(await source.revision == .empty)
    var batches = source.updates().makeAsyncIterator()
    let batch = try #require(await batches.next())
    #expect(batch.base == nil)
    #expect(batch.target == .empty)
    #expect(batch.snapshot == Snapshot())
  }

  @Test func `Each batch starts where the one before it ended`() async throws {
    let source = try Source()
    var batches = source.updates().makeAsyncIterator()
    var shown = try #require(await batches.next()).snapshot
    var revision = Revision.empty
    for items in [[1], [1, 2, 3], [3, 1], []] {
      let target = try await source.apply(Self.list(items))
      let batch = try #require(await batches.next())
      #expect(batch.base == revision)
      #expect(batch.target == target)
      #expect(batch.previousSnapshot == shown)
      shown = try shown.applying(batch.difference, insertsFrom: batch.snapshot)
      #expect(shown == batch.snapshot)
      revision = target
    }
  }
}
