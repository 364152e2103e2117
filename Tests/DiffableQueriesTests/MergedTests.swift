import ListSupport
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Two merged sources")
struct MergedTests {
  @Test("It ends when both have ended") func ends() async throws {
    let sources = [Notes(), Notes()]
    try await sources[0].apply([Note(id: 1)], section: \.folder)
    let merged = sources[0].merged(with: sources[1])
    var batches = merged.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [1])
    await sources[0].finish()
    try await sources[1].apply([Note(id: 2)], section: \.folder)
    #expect(await batches.next()?.snapshot.itemIdentifiers == [1, 2])
    await sources[1].finish()
    #expect(await batches.next() == nil)
  }
}
