import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// No promise that such identifiers give a sensible list.
///
/// But nothing traps, nothing goes on without
/// end, and a list agrees with its outline.
///
/// Each test runs in a process of its own: a trap there is a failure here.
@Suite(
  "Identifiers that break the laws of Hashable",
  .enabled(if: !checksInvariants, "the checks ask identifiers too"))
struct LawlessTests {
  @Test("What is deleted between numbers that are none")
  func notANumber() async {
    await #expect(processExitsWith: .success) {
      for (gone, rest) in [([1.0], 1...4), ([1, 2], 1...3), ([.nan], 1...5), ([1, 2, 3], 1...2)] {
        var outline = Outline<Double>()
        for item in [1, .nan, 2, .nan, 3] { try outline.append([item]) }
        outline.expand([1, 2])
        var snapshot = try Snapshot<Int, Double>(outline, in: 0)
        snapshot.deleteItems(gone)
        let visible = try #require(snapshot.outline(ofSection: 0)).visibleItems
        let shown = snapshot.itemIdentifiers(inSection: 0)
        #expect(visible.map(\.bitPattern) == shown.map(\.bitPattern), "\(gone)")
        #expect(rest.contains(shown.count) && snapshot.numberOfItems == shown.count, "\(gone)")
        let source = DataSourceActor<Int, Double>()
        try await source.update { [snapshot] in $0 = snapshot }
        for _ in 0..<20 {
          _ = try? await source.update { state in
            state.deleteItems(gone)
            try state.appendItems([.nan, 7], toSection: 0)
          }
        }
        #expect(await source.snapshot.numberOfItems < 50)
      }
    }
  }

  @Test("Sections to begin with")
  func firstSections() async {
    await #expect(processExitsWith: .success) {
      for law in BrokenLaw.allCases {
        let effort = Effort()
        let sections = (0..<200).map { Lawless(number: $0 / 2, law: law, effort: effort) }
        let source = ModelSource<Lawless, LawlessTrial.Entry>(sections: sections)
        let count = await source.snapshot.numberOfSections
        #expect(law == .none ? count == 100 : count <= 200, "\(law)")
      }
    }
  }

  static let laws = BrokenLaw.allCases.inScope(usual: 2)

  @Test("Snapshots, sources with and without models, and long lists", arguments: laws)
  func random(law: BrokenLaw) async {
    await #expect(processExitsWith: .success) { [law = law as BrokenLaw] in
      for seed in 0..<rounds(40 as UInt64) {
        for sections in [BrokenLaw.none, law] {
          func trial() -> LawlessTrial { LawlessTrial(law, sections: sections, seed: seed) }
          var (snapshot, source, models) = (trial(), trial(), trial())
          try snapshot.editSnapshot(30)
          try await source.editSource(30)
          try await models.editModels(30)
        }
        var long = LawlessTrial(law, sections: .none, seed: seed)
        try await long.replaceLongList(500)
      }
    }
  }
}
