import Diffable
import DiffableQueries
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite(
  "A change of a join costs as much with many groups as with few", .deadline,
  .enabled(if: NodeVisits.areCounted && !checksInvariants, "the checks visit all nodes"))
struct JoinCostTests {
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
}
