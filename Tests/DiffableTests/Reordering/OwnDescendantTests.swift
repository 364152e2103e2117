import Diffable
import ListSupport
import Testing

@Suite("A drag over what it carries changes nothing")
struct OwnDescendantTests {
  /// 1▾[11▾[111▾[1111], 112], 12], 2, 3▸[31▸[311]].
  private func source() throws -> DataSourceActor<Int, Int> {
    let outline = try Outline(
      [1, 11, 111, 1111, 112, 12, 2, 3, 31, 311], levels: [0, 1, 2, 3, 2, 1, 0, 0, 1, 2],
      expanding: [1, 11, 111])
    let snapshot = try Snapshot<Int, Int>(outline, in: 0)
    return try DataSourceActor(snapshot)
  }

  @Test("Every anchor, for every row that is dragged, with and without a proposal before")
  func anchors() async throws {
    let source = try source()
    let outline = try #require(await source.snapshot.outline(ofSection: 0))
    for item in outline.visibleItems {
      let carried = outline.outline(of: item, includingParent: true).items
      for anchor in outline.items {
        for hasProposal in [false, true] {
          var drag = try #require(try await source.beginReorder([item]))
          if hasProposal {
            let other = try #require(outline.rootItems.last { !carried.contains($0) })
            _ = try drag.proposed(to: .after(other))
          }
          let before = drag.proposedSnapshot
          for destination in [.before(anchor), .after(anchor), .into(anchor)]
            as [ReorderDestination<Int, Int>]
          {
            var drag = drag
            guard carried.contains(anchor) else { continue }
            let batch = try drag.proposed(to: destination)
            #expect(batch.difference.isEmpty, "\(item) \(destination)")
            #expect(drag.proposedSnapshot == before, "\(item) \(destination)")
          }
        }
      }
    }
  }

  @Test("Rows that were chosen with an ancestor go with it, also if they are hidden")
  func chosen() async throws {
    let source = try source()
    let outline = try #require(await source.snapshot.outline(ofSection: 0))
    for row in outline.visibleItems {
      for descendant in outline.outline(of: row).items {
        for chosen in [[row, descendant], [descendant, row]] {
          var drag = try #require(try await source.beginReorder(chosen))
          #expect(drag.items == [row])
          _ = try drag.proposed(to: .end(of: 0))
          let dropped = drag.proposedSnapshot.outline(ofSection: 0)
          #expect(
            dropped?.outline(of: row, includingParent: true)
              == outline.outline(of: row, includingParent: true))
        }
      }
    }
    // A hidden row alone is not shown by any renderer.
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownItem([AnyItemID(311)]))) {
      try await source.beginReorder([311, 2])
    }
  }
}
