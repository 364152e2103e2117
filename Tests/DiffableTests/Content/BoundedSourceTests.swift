import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("A list with a bound, and lists without sections") struct BoundedSourceTests {
  typealias Log = ModelSource<SingleSection, Note>

  private static func lines(_ range: Range<Int>) -> [Note] { range.map { Note(id: $0) } }

  @Test("The oldest go, whatever comes at once", arguments: 0...UInt64(rounds(20)))
  func oldestGo(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let limit = random.number(below: 200)
    let log = Log()
    var follower = log.updates(.every(limit: 8)).makeAsyncIterator()
    var expected: [Int] = []
    var shown: [Int] = []
    var next = 0
    for _ in 0..<12 {
      let count = random.number(below: 150)
      try await log.appendItems(Self.lines(next..<next + count), keepingLast: limit)
      expected = (expected + Array(next..<next + count)).suffix(limit)
      next += count
      let state = await log.snapshot
      #expect(state.itemIdentifiers == expected, "seed \(seed)")
      #expect(state.itemIdentifiers.allSatisfy { state.model(of: $0, as: Note.self)?.id == $0 })
      guard shown != expected, let batch = await follower.next() else { continue }
      shown = batch.snapshot.itemIdentifiers
      #expect(shown == expected, "seed \(seed)")
    }
    #expect(await log.snapshot.sectionIdentifiers == [SingleSection()])
  }

  @Test(arguments: [DuplicatePolicy.reject, .keepFirst, .keepLast])
  func `What is there already counts once before the oldest go`(policy: DuplicatePolicy)
    async throws
  {
    let former = [0, 1, 2]
    let ids = 0..<4
    let appended = [[]] + ids.map { [$0] } + ids.flatMap { first in ids.map { [first, $0] } }
    for limit in 0...5 {
      for new in appended {
        let log = Log(options: SourceOptions(duplicates: policy))
        try await log.apply(former.map { Note(id: $0) })
        // Of more lines than there may be, the first ones were never there.
        let all = former + new.suffix(limit)
        var expected: [Int] = []
        for id in policy == .keepLast ? all.reversed() : all where !expected.contains(id) {
          expected.append(id)
        }
        let isRefused = policy == .reject && expected.count < all.count
        if policy == .keepLast { expected.reverse() }
        expected = isRefused ? former : expected.suffix(limit)
        var refusal: DataSourceError?
        do {
          try await log.appendItems(
            new.enumerated().map { Note(id: $1, text: $0 + 1) }, keepingLast: limit)
        } catch {
          refusal = error
        }
        if case .invalidSnapshot(.duplicateItems)? = refusal {
          #expect(isRefused, "\(new), at most \(limit)")
        } else {
          #expect(!isRefused && refusal == nil, "\(new), at most \(limit)")
        }
        #expect(await log.snapshot.itemIdentifiers == expected, "\(new), at most \(limit)")
        // Whichever place is kept, the last model that was given counts.
        for id in expected {
          let last = isRefused ? nil : new.indices.suffix(limit).last { new[$0] == id }
          let text = last.map { $0 + 1 } ?? 0
          #expect(await log.model(for: id)?.text == text, "\(id) of \(new), at most \(limit)")
        }
      }
    }
  }

  @Test func `A marked row that leaves at the start and comes back is a new one`() throws {
    var list = Snapshot<String, Int>()
    list.appendSections(["a"])
    try list.appendItems(1...3, toSection: "a")
    try list.reloadItems([1, 3])
    try list.keepLastItems(2, inSection: "a")
    try list.appendItems([1], toSection: "a")
    #expect(list.reloadedItemIdentifiers == [3])
  }

  @Test(arguments: [0, -1])
  func `A bound of nothing, or less, keeps nothing`(limit: Int) async throws {
    let log = Log()
    try await log.appendItems(Self.lines(0..<4))
    try await log.appendItems(Self.lines(4..<6), keepingLast: limit)
    #expect(await log.snapshot.description == "all[]")
  }

  @Test func `A list without sections is written like any other`() async throws {
    let list = Log()
    try await list.apply(Self.lines(0..<3))
    #expect(await list.snapshot.description == "all[0 1 2]")
    guard case .applied = await list.enqueue(Self.lines(2..<5)).outcome else {
      Issue.record("it was not applied")
      return
    }
    #expect(await list.snapshot.description == "all[2 3 4]")
    try await list.follow([Self.lines(1..<2), []].async)
    #expect(await list.snapshot.description == "all[]")
  }

  @Test func `Models of sections come with an order`() async throws {
    let source = Notes()
    try await source.apply(
      Self.lines(0..<2), section: \.folder, sections: [(0, "zero"), (1, "one")])
    var batches = await source.changes()
    var order = await source.snapshot
    order.deleteSections([1])
    order.appendSections([2])
    try order.appendItems([7], toSection: 2)
    try await source.apply(
      order, models: [Note(id: 7)], sectionModels: [(2, "two"), (1, "not there any more")])
    let batch = try #require(await batches.next())
    #expect(batch.target == Revision(2) && batch.snapshot.description == "0[0 1] 2[7]")
    #expect(batch.sectionModels == [2: "two"])
    #expect(await source.sectionModel(for: 0) == "zero")
  }
}

extension Array where Element: Sendable {
  /// The elements, one after another.
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { continuation in
      forEach { continuation.yield($0) }
      continuation.finish()
    }
  }
}
