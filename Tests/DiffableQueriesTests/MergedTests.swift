import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Two merged sources", .deadline)
struct MergedTests {
  @Test(
    "It ends when both have ended, whichever is first, and whether somebody waits",
    arguments: [0, 1], [false, true])
  func ends(first: Int, isWaitedFor: Bool) async throws {
    let sources = [Notes(), Notes()]
    try await sources[first].apply([Note(id: 1)], section: \.folder)
    let merged = sources[0].merged(with: sources[1])
    let batches = merged.updates()
    func next() -> Task<[Int]?, Never> {
      Task {
        var iterator = batches.makeAsyncIterator()
        return await iterator.next()?.snapshot.itemIdentifiers
      }
    }
    let one = next()
    #expect(try await ended { await one.value } == [1])
    var waiting = isWaitedFor ? next() : nil
    await sources[first].finish()
    if isWaitedFor { try await wait { await merged.endedFeeds == 1 } }
    try await sources[1 - first].apply([Note(id: 2)], section: \.folder)
    let both = waiting ?? next()
    #expect(try await ended { await both.value } == (first == 0 ? [1, 2] : [2, 1]))
    waiting = isWaitedFor ? next() : nil
    await sources[1 - first].finish()
    let end = waiting ?? next()
    #expect(try await ended { await end.value } == nil)
  }

  @Test("A section has the model of the first source that has the section")
  func sectionModels() async throws {
    let (first, second) = (Notes(), Notes())
    try await first.apply([Note(id: 1, folder: 1)], section: \.folder)
    try await second.apply(
      [Note(id: 2, folder: 1), Note(id: 3, folder: 2)], section: \.folder)
    try await second.setSectionModel("second", for: 1)
    try await second.setSectionModel("second", for: 2)
    let merged = first.merged(with: second)
    func headers() async -> [String?] {
      let state = await merged.snapshot
      return state.sectionIdentifiers.map { state.sectionModel(of: $0) }
    }
    // Also if it has no model there.
    #expect(await headers() == [nil, "second"])
    try await first.setSectionModel("first", for: 1)
    #expect(await headers() == ["first", "second"])
    try await second.setSectionModel("another", for: 1)
    #expect(await headers() == ["first", "second"])
    try await first.apply([Note](), section: \.folder)
    #expect(await headers() == ["another", "second"])
    try await first.apply([Note(id: 1, folder: 1)], section: \.folder)
    #expect(await headers() == [nil, "second"])
  }
}

extension DerivedSource {
  /// The number of followed sources whose end has been noticed.
  fileprivate var endedFeeds: Int { feeds.count { $0.isOver } }
}
