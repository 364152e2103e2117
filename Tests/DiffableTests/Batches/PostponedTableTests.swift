import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("States between two stages have no tables until they are asked")
struct PostponedTableTests {
  private func list(_ sections: some Sequence<Int> & SendableMetatype) throws -> Snapshot<Int, Int>
  {
    var list = Snapshot<Int, Int>()
    list.appendSections(sections)
    for section in list.sectionIdentifiers { try list.appendItems([section], toSection: section) }
    return list
  }

  @Test(.enabled(if: !checksInvariants, "the checks ask"))
  func `So stages do not take room for all sections each`() throws {
    let sections = 0..<150
    let batch = try UpdateBatch(from: list(sections), to: list(sections.reversed()))
    let stages = batch.stages(for: .sequential)
    #expect(stages.count == 149)
    #expect(
      stages.dropLast().allSatisfy {
        $0.snapshot.base.sectionTable.isPostponed && $0.snapshot.base.itemTable == nil
      })
    var view = ListSimulator(showing: try list(sections), profile: .sequential)
    #expect(view.perform(stages).isEmpty)
    for stage in stages.indices where stage.isMultiple(of: 37) {
      let state = stages[stage].snapshot
      for (index, section) in state.sectionIdentifiers.enumerated() {
        #expect(state.indexOfSection(section) == index)
        #expect(state.itemPath(for: section) == ItemPath(section: index, item: 0))
      }
      #expect(!state.containsSection(150))
    }
  }

  @Test("A state that is edited and asked in turns is like any other", arguments: [20, 300])
  func edits(count: Int) throws {
    for seed in 0..<rounds(20 as UInt64) {
      var random = SplitMix64(seed: seed)
      var eager = try list(0..<count)
      var postponed = Snapshot<Int, Int>(eager.base.unfiled)
      var next = count
      for step in 0..<60 {
        let sections = eager.sectionIdentifiers
        let (one, other) = (random.element(of: sections), random.element(of: sections))
        guard let one, let other, one != other else { continue }
        let kind = random.number(below: 4)
        for isEager in [true, false] {
          var list = isEager ? eager : postponed
          switch kind {
          case 0: try list.moveSection(one, afterSection: other)
          case 1: list.deleteSections([one])
          case 2: list.appendSections([next])
          default: list.moveSection(at: 0, to: list.numberOfSections - 1)
          }
          if isEager { eager = list } else { postponed = list }
        }
        next += 1
        #expect(eager == postponed, "seed \(seed), step \(step)")
        guard random.chance(oneIn: 3) else { continue }
        for section in [one, other, next - 1] {
          #expect(
            eager.indexOfSection(section) == postponed.indexOfSection(section),
            "seed \(seed), step \(step)")
        }
      }
    }
  }
}
