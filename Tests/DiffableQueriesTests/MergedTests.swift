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
}

extension DerivedSource {
  /// The number of followed sources whose end has been noticed.
  fileprivate var endedFeeds: Int { feeds.count { $0.isOver } }
}
