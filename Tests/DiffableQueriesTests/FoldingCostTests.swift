import Diffable
import DiffableQueries
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite(
  .deadline,
  .enabled(if: NodeVisits.areCounted && !checksInvariants, "the checks visit all nodes"))
struct FoldingCostTests {
  private struct TreeRow: Identifiable, Equatable, Sendable {
    let id: Int
    let parent: Int?
  }

  /// Ten rows below a root, each of which has a tenth of the others below it.
  private func rows(_ size: Int) -> [TreeRow] {
    [TreeRow(id: 0, parent: nil)] + (1...10).map { TreeRow(id: $0, parent: 0) }
      + (1...10).flatMap { parent in
        (0..<size / 10).map { TreeRow(id: parent * 1_000_000 + $0, parent: parent) }
      }
  }

  @Test func `Expanding and collapsing a row of a derived tree that hides many`() async throws {
    try await expectSameVisits("folding") { size in
      let source = ModelSource<Int, TreeRow>()
      try await source.apply(rows(size), section: { _ in 0 })
      let tree = source.derived { $0.outlined(by: \.parent, isExpanded: false) }
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
}
