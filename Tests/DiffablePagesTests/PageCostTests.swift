import Diffable
import DiffablePages
import ListSupport
import Testing
import TestScope

/// What a page costs does not depend on the list.
@Suite(.deadline, .enabled(if: !checksInvariants, "the checks ask identifiers too"))
struct PageCostTests {
  struct Row: Identifiable, Equatable, Sendable { let id: CountedIdentifier }

  @Test func `A page of fifty is looked at as often in a list of any length`() async throws {
    let counter = IdentifierCounter()
    var counts: [Int] = []
    for length in [1_000, scoped(usual: 8_000, wide: 30_000)] {
      let source = ModelSource<Int, Row>()
      let loader = PageLoader<Int, Row, Int>(source, section: 0) { request in
        let start = if case .after(let start) = request.place { start } else { 0 }
        let end = start == 0 ? length : start + 50
        let ids = (start..<end).map { CountedIdentifier(number: $0, counter: counter) }
        return Page(ids.map { Row(id: $0) }, next: end)
      }
      await loader.refresh()
      #expect(await source.snapshot.numberOfItems == length)
      counter.reset()
      await loader.load(.end)
      counts.append(counter.comparisonCount + counter.hashCount)
      #expect(await source.snapshot.numberOfItems == length + 50)
    }
    #expect(counts[0] > 50, "the counter counts")
    #expect(counts[1] < counts[0] * 2 && counts[1] < 50 * 30, "\(counts)")
  }
}
