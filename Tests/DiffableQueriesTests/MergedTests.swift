import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Two merged sources", .deadline) struct MergedTests {
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

  @Test("It follows each change of one source while the other stands still", arguments: [0, 1])
  func transitions(changing: Int) async throws {
    let sources = [Notes(), Notes()]
    let merged = sources[0].merged(with: sources[1], options: .strict)
    func apply(_ rows: [Int], to source: Int) async throws {
      try await sources[source].apply(rows.map { Note(id: $0) }, section: { _ in 0 })
    }
    let lists = everyOrderedSubset(of: [0, 1, 2])
    var number = 0
    for still in scoped(usual: [[0]], wide: lists) {
      try await apply(still, to: 1 - changing)
      for old in lists {
        for new in lists where areNumberedInOrder(still + old + new) {
          number += 1
          guard isInScope(number, usual: changing == 0 ? 1 : 5) else { continue }
          try await apply(old, to: changing)
          _ = await merged.snapshot
          try await apply(new, to: changing)
          let (first, second) = changing == 0 ? (new, still) : (still, new)
          let expected = first + second.filter { !first.contains($0) }
          let comment: Comment = "source \(changing) from \(old) to \(new), the other has \(still)"
          #expect(await merged.snapshot.itemIdentifiers == expected, comment)
        }
      }
    }
  }

  @Test("A section has the model of the first source that has the section")
  func sectionModels() async throws {
    let (first, second) = (Notes(), Notes())
    try await first.apply([Note(id: 1, folder: 1)], section: \.folder)
    try await second.apply([Note(id: 2, folder: 1), Note(id: 3, folder: 2)], section: \.folder)
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
