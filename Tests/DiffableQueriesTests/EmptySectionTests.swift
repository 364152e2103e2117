import Diffable
import TestScope
import Testing

@testable import DiffableQueries

/// Which sections stay without rows.
///
/// What a derived source shows follows from the state of its base alone. So the groups that rows name are
/// there as long as a row names them. The sections of a list, and groups that a query lists, stay.
@Suite("A section whose last row leaves", .deadline) struct EmptySectionTests {
  private typealias Rows = ModelSource<Int, TreeNote>
  private typealias Query = ListQuery<ModelBatch<Int, TreeNote>, ModelBatch<Int, TreeNote>>

  /// How row 3 leaves section 1, and group 1 or what a filter keeps of it.
  private static let edits: [(String, @Sendable (inout ModelDraft<Int, TreeNote>) throws -> Void)] =
    [
      ("is deleted", { $0.deleteItems([3]) }),
      (
        "moves",
        { draft in
          try draft.moveItem(3, toSection: 0)
          try draft.update(3) { $0.group = 0 }
        }
      ),
      ("is kept by no filter", { try $0.update(3) { $0.value = 1 } }),
    ]

  private static func shown(
    _ edit: @Sendable (inout ModelDraft<Int, TreeNote>) throws -> Void,
    _ query: (Query) -> Query
  ) async throws -> [Int] {
    let rows = Rows()
    try await rows.apply(
      [TreeNote(id: 1), TreeNote(id: 2), TreeNote(id: 3, group: 1)], section: { $0.group })
    let derived = rows.derived { query($0).filter { $0.value == 0 } }
    let before = await derived.snapshot.sectionIdentifiers
    #expect(before == [0, 1])
    try await rows.update { try edit(&$0) }
    let after = await derived.snapshot
    // From scratch it is the same.
    let again = rows.derived { query($0).filter { $0.value == 0 } }
    #expect(await again.snapshot == after)
    return after.sectionIdentifiers
  }

  @Test func `stays if it is one of the list, or of groups that a query lists`() async throws {
    for (_, edit) in Self.edits {
      for query: (Query) -> Query in [
        { $0 }, { $0.keepingEmptySections() }, { $0.grouped(by: \.group, sections: [0, 1]) },
        { $0.grouped(by: \.group, sections: [0, 1]).keepingEmptySections() },
      ] {
        #expect(try await Self.shown(edit, query) == [0, 1])
      }
    }
  }

  @Test func `stays as a group while a row names it, if that is asked for`() async throws {
    for (name, edit) in Self.edits {
      let kept = try await Self.shown(edit) { $0.grouped(by: \.group).keepingEmptySections() }
      #expect(kept == (name == "is kept by no filter" ? [0, 1] : [0]))
      #expect(try await Self.shown(edit) { $0.grouped(by: \.group) } == [0])
      #expect(
        try await Self.shown(edit) { $0.omittingEmptySections() } == [0], "\(name)")
    }
  }
}
