import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffablePages

/// The loads that a machine begins by itself, against a count of the pages without new rows.
@Suite("After so many pages without new rows nothing is loaded, until somebody asks or scrolls on")
struct PagePatienceTests {
  private typealias Machine = PageMachine<PagedRow, Int>
  private struct Failure: Error {}

  @Test("Pages with and without new rows, and a renderer, in any order", arguments: [1, 3, 12])
  func patience(oneFruitfulIn: Int) throws {
    for seed in 0..<UInt64(rounds(80)) {
      var random = SplitMix64(seed: seed)
      var machine = Machine(options: PageOptions(pageSize: 2))
      let first = machine.refresh(shown: [])
      let number = try #require(first.started.first?.number)
      _ = try commit([PagedRow(id: 0)], of: number, PageOutcome(), &machine)
      var (fruitless, isPaused, near) = (0, false, EndPair.neither)
      var failed: Set<PageEnd> = []
      for step in 1..<80 {
        let before = machine.running
        func idleEnds() -> Set<PageEnd> {
          guard fruitless < Machine.patience, !isPaused else { return [] }
          return Set(PageEnd.allCases.filter { near[$0] && before[PageLoad($0)] == nil })
            .subtracting(failed)
        }
        var expected: Set<PageEnd>
        switch random.number(below: 8) {
        case 0:
          let areOthers = random.chance(oneIn: 4)
          near = EndPair(start: random.chance(oneIn: 2), end: random.chance(oneIn: 2))
          (isPaused, fruitless) = (false, areOthers ? 0 : fruitless)
          expected = idleEnds()
          _ = machine.show(near: near, areOthers: areOthers)
        case 1 where random.chance(oneIn: 4):
          let end = random.chance(oneIn: 2) ? PageEnd.start : .end
          expected = before[PageLoad(end)] == nil ? [end] : []
          isPaused = false
          failed.remove(end)
          _ = machine.load(end)
        case 2 where random.chance(oneIn: 4):
          (expected, isPaused) = ([], true)
          _ = machine.cancel()
        case 3 where random.chance(oneIn: 2):
          (expected, isPaused, failed) = (failed, false, [])
          _ = machine.retry(shown: [])
        case 4:
          guard let (load, number) = before.min(by: { $0.value < $1.value }), let end = load.end
          else { continue }
          failed.insert(end)
          expected = idleEnds()
          _ = machine.refuse(number, Failure())
          // A loader does so, since a refresh may have failed.
          _ = machine.follow(near)
        default:
          guard let (load, number) = before.min(by: { $0.value < $1.value }), let end = load.end
          else { continue }
          var outcome = PageOutcome<PagedRow>()
          outcome.isFruitful = random.chance(oneIn: oneFruitfulIn)
          outcome.near = near
          fruitless = outcome.isFruitful ? 0 : fruitless + 1
          expected = idleEnds()
          // The page that has come is no load any more.
          if near[end], fruitless < Machine.patience { expected.insert(end) }
          let rows = outcome.isFruitful ? [PagedRow(id: step)] : []
          let shown = try commit(rows, of: number, outcome, &machine)
          for end in PageEnd.allCases {
            #expect(
              shown[end].isLoading == (machine.running[PageLoad(end)] != nil),
              "seed \(seed), step \(step): rows show the \(end) as \(shown[end])")
          }
        }
        let begun = Set(
          PageEnd.allCases.filter {
            machine.running[PageLoad($0)].map { !before.values.contains($0) } ?? false
          })
        #expect(begun == expected, "seed \(seed), step \(step), after \(fruitless) without rows")
      }
    }
  }

  /// Lets a page arrive.
  ///
  /// - Returns: The states that are shown with it.
  private func commit(
    _ rows: [PagedRow], of number: Int, _ outcome: PageOutcome<PagedRow>, _ machine: inout Machine
  ) throws -> PageLoadStates {
    let (found, _) = machine.receive(Page(rows, previous: 0, next: 0), of: number)
    let arrival = try #require(found)
    let shown = machine.states(after: arrival, outcome)
    _ = machine.commit(arrival, outcome)
    return shown
  }
}
