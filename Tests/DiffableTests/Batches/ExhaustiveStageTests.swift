import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// Examples that only differ in what their identifiers are called are one example; the long scope tries all.
@Suite("Stages are accepted on every small example")
struct ExhaustiveStageTests {
  @Test("every transition of up to two sections with some items", arguments: 0..<16)
  func twoSections(part: Int) throws {
    try check(everySnapshot(sections: 2, items: isWide ? 3 : 2), part: part)
  }

  @Test(
    "every transition of up to three sections and one item, in the long scope two",
    arguments: 0..<16
  )
  func threeSections(part: Int) throws {
    try check(everySnapshot(sections: 3, items: isLong ? 2 : 1), part: part)
  }

  private func check(_ snapshots: [Snapshot<Int, Int>], part: Int) throws {
    for old in stride(from: part, to: snapshots.count, by: 16).map({ snapshots[$0] }) {
      for new in snapshots where isLong || areNumberedInOrder(old, new) {
        let batch = try UpdateBatch(from: old, to: new)
        for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
          let stages = batch.stages(for: profile)
          var view = ListSimulator(showing: old, profile: profile)
          let violations = view.perform(stages)
          let end = stages.last?.snapshot ?? old
          if !violations.isEmpty || end != new || stages.contains(where: \.isReset)
            || stages.count > fewestStages(for: batch.difference, profile)
            || stages.contains(where: { hasPlacedRows($0.snapshot) })
          {
            Issue.record("\(profile): \(old) → \(new) in \(stages): \(violations)")
          }
        }
      }
    }
  }

  /// A stage moves what no writer has placed.
  private func hasPlacedRows(_ state: Snapshot<Int, Int>) -> Bool {
    !state.placedItemIdentifiers.isEmpty || !state.placedSectionIdentifiers.isEmpty
  }

  /// How many stages the documentation promises at most.
  private func fewestStages(
    for difference: SnapshotDifference, _ profile: ListProfile
  ) -> Int {
    let changesItems =
      !difference.itemDeletes.isEmpty || !difference.itemInserts.isEmpty
      || !difference.itemMoves.isEmpty
    let movesSections = !difference.sectionMoves.isEmpty
    switch profile {
    case .sequential:
      return difference.sectionDeletes.ranges.count + difference.sectionInserts.ranges.count
        + difference.sectionMoves.count + difference.itemDeletes.ranges.count
        + difference.itemInserts.ranges.count + difference.itemMoves.count
    case .movesApart:
      let comesOrGoes =
        !difference.itemDeletes.isEmpty || !difference.itemInserts.isEmpty
        || !difference.sectionDeletes.isEmpty || !difference.sectionInserts.isEmpty
      return (comesOrGoes ? 1 : 0) + (difference.itemMoves.isEmpty ? 0 : 1)
        + (movesSections ? 1 : 0)
    case .tableView where !difference.itemMoves.isEmpty:
      return 1 + (difference.sectionDeletes.isEmpty ? 0 : 1)
        + (difference.sectionInserts.isEmpty && !movesSections ? 0 : 1)
    default:
      if difference.isEmpty { return 0 }
      return changesItems && movesSections ? 2 : 1
    }
  }
}
