import Diffable
import ListSupport
import TestScope
import Testing

/// A list without sections takes rows by every edit, although nothing was applied to it yet.
@Suite("The only section of a list comes with its first rows", .deadline)
struct SingleSectionTests {
  private typealias List = Snapshot<SingleSection, Int>
  private typealias Edit = @Sendable (inout List) throws -> Void

  private static let edits: [Edit] = [
    { try $0.appendItems([1, 2]) },
    { try $0.appendItems([1, 2], toSection: SingleSection()) },
    { try $0.replaceItems(inSection: SingleSection(), with: [1, 2]) },
    { try $0.setOutline(Outline([1, 2]), forSection: SingleSection()) },
  ]

  @Test(arguments: edits.indices)
  func `Every edit that brings rows brings the section`(edit: Int) throws {
    var list = List()
    try Self.edits[edit](&list)
    #expect(list.sectionIdentifiers == [SingleSection()] && list.itemIdentifiers == [1, 2])
    try list.appendItems([3])
    #expect(list.numberOfSections == 1 && list.itemIdentifiers == [1, 2, 3])
  }

  @Test(arguments: edits.indices)
  func `A source takes them as its first write`(edit: Int) async throws {
    let source = DataSourceActor<SingleSection, Int>()
    try await source.update { try Self.edits[edit](&$0) }
    #expect(await source.snapshot.itemIdentifiers == [1, 2])
  }

  @Test func `Models need no section`() async throws {
    let source = ModelSource<SingleSection, Note>()
    try await source.update { draft in
      try draft.appendItems([Note(id: 1)])
      try draft.appendItems([Note(id: 2)])
      try draft.upsertItems([Note(id: 1, text: 1), Note(id: 3)])
    }
    #expect(await source.snapshot.itemIdentifiers == [1, 2, 3])
    #expect(await source.elements.map(\.text) == [1, 0, 0])
  }

  @Test func `Lists with sections refuse rows without one, as before`() {
    var list = Snapshot<String, Int>()
    #expect(throws: SnapshotError.noSections) { try list.appendItems([1]) }
    #expect(list == Snapshot<String, Int>())
  }
}
