import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Of rows with equal keys the first is shown", .deadline) struct DistinctTests {
  @Test(.enabled(if: NodeVisits.areCounted && !checksInvariants, "the checks visit all nodes"))
  func `The first of many rows with one key goes, moves and gets another key`() async throws {
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
