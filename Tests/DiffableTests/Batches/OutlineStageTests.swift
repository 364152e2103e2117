import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("Each stage says which outlines it changes", .deadline)
struct OutlineStageTests {
  private typealias Edit = @Sendable (inout Snapshot<Int, Int>) throws -> Void

  /// What a writer does to the outlines `0[1▾[2] 3]` and `1[4▸[5]]`, and to the list `2[6 7]`.
  private static let edits: [Edit] = [
    { try $0.renameItem(3, to: 30) }, { try $0.renameItem(5, to: 50) },
    { try $0.moveItem(2, beforeItem: 6) }, { try $0.moveItem(7, beforeItem: 6) },
    { $0.expandItems([4]) }, { $0.collapseItems([1]) }, { $0.deleteItems([4]) },
    { try $0.insertItems([8], afterItem: 2) }, { try $0.moveSection(1, beforeSection: 0) },
    { try $0.reloadItems([6]) }, { try $0.moveItem(3, beforeItem: 1) },
  ]

  @Test("Every two edits, cut for every list view") func everyEdit() async throws {
    let first = try Outline([1, 2, 3], levels: [0, 1, 0], expanding: [1])
    let second = try Outline([4, 5], levels: [0, 1])
    var start = Snapshot<Int, Int>()
    start.appendSections([0, 1, 2])
    try start.setOutline(first, forSection: 0)
    try start.setOutline(second, forSection: 1)
    try start.appendItems([6, 7], toSection: 2)
    for one in Self.edits.indices {
      for other in Self.edits.indices where other > one {
        let source = try DataSourceActor<Int, Int>(start)
        var batches = source.updates().makeAsyncIterator()
        _ = await batches.next()
        let before = await source.revision
        try await source.update { list in
          try? Self.edits[one](&list)
          try? Self.edits[other](&list)
        }
        guard await source.revision != before else { continue }
        let batch = try #require(await batches.next())
        for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
          var state = try #require(batch.previousSnapshot)
          for (number, stage) in batch.stages(for: profile).enumerated() where !stage.isReset {
            let map = PositionMap(stage.difference)
            for section in stage.snapshot.sectionIdentifiers.indices {
              guard let origin = map.oldSection(forNew: section) else { continue }
              let isChanged =
                state.outline(ofSectionAt: origin) != stage.snapshot.outline(ofSectionAt: section)
              #expect(
                stage.difference.outlineChanges.contains(section) == isChanged,
                "edits \(one) and \(other), \(profile), stage \(number)")
            }
            state = stage.snapshot
          }
        }
      }
    }
  }
}
