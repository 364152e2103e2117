import Testing

@testable import Diffable
@testable import DiffableEngine

/// The steps that the article “How the difference is found” draws, on leaves as small as its own.
@Suite("The narrated difference")
struct NarratedDifferenceTests {
  private let shape = TreeShape(leafCapacity: 6, fanout: 4)
  private let old: ItemTree<Character>
  private let new: ItemTree<Character>

  init() {
    old = ItemTree("abcdefghijkl", shape: shape)
    new = old.updated(to: Array("abcdhfgxijkl")).tree
  }

  @Test("Step 1: leaves of four")
  func leaves() {
    #expect(old.leaves.map { String($0) } == ["abcd", "efgh", "ijkl"])
  }

  @Test("Step 2: equal leaves are taken over, another one has the label of the one it stands for")
  func reuse() {
    let (before, after) = (Array(old.leaves), Array(new.leaves))
    #expect(after.map { String($0) } == ["abcd", "hfgx", "ijkl"])
    #expect(after.map(\.label) == before.map(\.label))
    #expect(zip(before, after).map { $0.base === $1.base } == [true, false, true])
  }

  @Test(
    "Steps 2 and 6: the runs that the walk finds with the help of the table, and which of them stay"
  )
  func walk() {
    let section = SectionKey(rawValue: 1)
    let matching = old.updated(
      to: Array("abcdhfgxijkl"), table: old.table(section: section), section: section
    ).matching
    #expect(
      matching?.runs == [
        MatchedRun(old: 0, new: 0, count: 4), MatchedRun(old: 7, new: 4, count: 1),
        MatchedRun(old: 5, new: 5, count: 2), MatchedRun(old: 8, new: 8, count: 4),
      ])
    #expect(matching?.stays == [true, false, true, true])
    #expect(matching?.departures == [4..<5] && matching?.inserts == [7..<8])
    #expect(matching?.arrivals.isEmpty == true)
  }

  @Test("Steps 3 and 4: shared runs, and what a window leaves over")
  func windows() {
    let matching = TreeComparison(old: old.base, new: new.base).matching
    #expect(
      matching.runs == [
        MatchedRun(old: 0, new: 0, count: 4), MatchedRun(old: 5, new: 5, count: 2),
        MatchedRun(old: 8, new: 8, count: 4),
      ])
    func letters(_ leftovers: [OrderMatching.Leftover]) -> String {
      String(leftovers.map { $0.element(as: Character.self) })
    }
    withExtendedLifetime((old, new, matching)) {
      #expect(letters(old.base.leftovers(at: matching.departures)) == "eh")
      #expect(letters(matching.arrivals) == "hx")
    }
  }
}
