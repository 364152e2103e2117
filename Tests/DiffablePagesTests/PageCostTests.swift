import Diffable
import DiffablePages
import ListSupport
import Synchronization
import Testing
import TestScope

/// What a page costs does not depend on the list.
@Suite(.deadline, .enabled(if: !checksInvariants, "the checks ask identifiers too"))
struct PageCostTests {
  /// How often identifiers were hashed or compared.
  private static let count = Atomic(0)

  struct Counted: Hashable, Sendable {
    let number: Int

    static func == (left: Counted, right: Counted) -> Bool {
      count.wrappingAdd(1, ordering: .relaxed)
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      PageCostTests.count.wrappingAdd(1, ordering: .relaxed)
      hasher.combine(number)
    }
  }

  struct Row: Identifiable, Equatable, Sendable { let id: Counted }

  @Test func `A page of fifty is looked at as often in a list of any length`() async throws {
    var counts: [Int] = []
    for length in [1_000, scoped(usual: 8_000, wide: 30_000)] {
      let source = ModelSource<Int, Row>()
      let loader = PageLoader<Int, Row, Int>(source, section: 0) { request in
        let start = if case .after(let start) = request.place { start } else { 0 }
        let end = start == 0 ? length : start + 50
        return Page((start..<end).map { Row(id: Counted(number: $0)) }, next: end)
      }
      await loader.refresh()
      #expect(await source.snapshot.numberOfItems == length)
      let before = Self.count.load(ordering: .relaxed)
      await loader.load(.end)
      counts.append(Self.count.load(ordering: .relaxed) - before)
      #expect(await source.snapshot.numberOfItems == length + 50)
    }
    #expect(counts[0] > 50, "the counter counts")
    #expect(counts[1] < counts[0] * 2 && counts[1] < 50 * 30, "\(counts)")
  }
}
