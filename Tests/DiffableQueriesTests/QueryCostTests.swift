import Diffable
import DiffableQueries
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite(
  "What a change costs hardly depends on how many rows, groups or equal keys there are", .deadline,
  .enabled(if: NodeVisits.areCounted && !checksInvariants, "the checks visit all nodes"))
struct QueryCostTests {
  private struct Part: Identifiable, Equatable, Sendable {
    let id: Int
    var whole: Int?
  }

  private typealias Parts = ModelSource<Int, Part>

  /// Counts the visits of changes that end groups and begin others, while a join is followed.
  ///
  /// Each row is the only partner of another, so there are as many groups as rows.
  private func expectSameVisits<Joined: ListSource>(
    _ name: String, of join: (_ wholes: Parts, _ parts: Parts) -> Joined
  ) async throws {
    try await ListSupport.expectSameVisits(name) { size in
      let (wholes, parts) = (Parts(), Parts())
      try await wholes.apply((0..<size).map { Part(id: $0) }, section: { _ in 0 })
      try await parts.apply((0..<size).map { Part(id: $0, whole: $0) }, section: { _ in 0 })
      let joined = join(wholes, parts)
      var batches = joined.updates().makeAsyncIterator()
      _ = await batches.next(isolation: nil)
      let middle = size / 2
      let (whole, part) = (Part(id: middle), Part(id: size, whole: middle))
      return try await NodeVisits.counted {
        try await parts.setModel(Part(id: middle, whole: 7))
        #expect(await batches.next(isolation: nil) != nil)
        try await parts.setModel(Part(id: middle, whole: middle))
        #expect(await batches.next(isolation: nil) != nil)
        try await wholes.update { $0.deleteItems([middle]) }
        #expect(await batches.next(isolation: nil) != nil)
        try await wholes.update { try $0.insertItems([whole], beforeItem: middle + 1) }
        #expect(await batches.next(isolation: nil) != nil)
        try await parts.update { $0.deleteItems([middle]) }
        #expect(await batches.next(isolation: nil) != nil)
        try await parts.update { try $0.appendItems([part], toSection: 0) }
        #expect(await batches.next(isolation: nil) != nil)
      }
    }
  }

  @Test("Rows that show all that name them")
  func many() async throws {
    try await expectSameVisits("many") { wholes, parts in
      wholes.joined(withMany: parts, by: \.whole) { whole, parts in
        Part(id: whole.id, whole: parts.reduce(0) { $0 + $1.id })
      }
    }
  }

  @Test("Rows of two lists", arguments: [JoinKind<Int>.left, .full(unmatchedIn: 0)])
  func each(kind: JoinKind<Int>) async throws {
    try await expectSameVisits("each") { $0.joined(withEachOf: $1, by: \.whole, kind) }
  }

  @Test("Rows of one list below those of another", arguments: [nil, 0 as Int?])
  func outline(unmatched: Int?) async throws {
    try await expectSameVisits("outline") {
      $0.outlined(withEachOf: $1, by: \.whole, unmatchedIn: unmatched)
    }
  }
  /// Ten rows below a root, each of which has a tenth of the others below it.
  private func rows(_ size: Int) -> [Part] {
    [Part(id: 0)] + (1...10).map { Part(id: $0, whole: 0) }
      + (1...10).flatMap { parent in
        (0..<size / 10).map { Part(id: parent * 1_000_000 + $0, whole: parent) }
      }
  }

  @Test func `Expanding and collapsing a row of a derived tree that hides many`() async throws {
    try await ListSupport.expectSameVisits("folding") { size in
      let source = Parts()
      try await source.apply(rows(size), section: { _ in 0 })
      let tree = source.derived { $0.outlined(by: \.whole, isExpanded: false) }
      var batches = tree.updates().makeAsyncIterator()
      _ = await batches.next(isolation: nil)
      return try await NodeVisits.counted {
        try await tree.expandItems([0])
        #expect(await batches.next(isolation: nil)?.update.snapshot.numberOfItems == 11)
        try await tree.collapseItems([0])
        #expect(await batches.next(isolation: nil)?.update.snapshot.numberOfItems == 1)
      }
    }
  }

  @Test func `The first of many rows with one key goes, moves and gets another key`() async throws {
    func visits(_ size: Int) async throws -> Int {
      let base = try await Notes.of((0..<size).map { Note(id: $0) })
      let distinct = base.derived { $0.distinct(by: \.text) }
      var batches = distinct.updates().makeAsyncIterator()
      _ = await batches.next(isolation: nil)
      return try await NodeVisits.counted {
        try await base.update { $0.deleteItems([0]) }
        #expect(await batches.next(isolation: nil)?.snapshot.description == "0[1]")
        try await base.update { try $0.moveItem(1, afterItem: size - 1) }
        #expect(await batches.next(isolation: nil)?.snapshot.description == "0[2]")
        try await base.update { try $0.update(2) { $0.text = 1 } }
        #expect(await batches.next(isolation: nil)?.snapshot.description == "0[2 3]")
      }
    }
    // Both the number of comparisons and the cost of each grow with the depth of a tree.
    let (small, large) = (try await visits(1_000), try await visits(40_000))
    #expect(small > 0 && large <= 5 * small, "\(small) visits, and \(large)")
  }
}
