import Diffable
import DiffableTesting
import ListSupport
import Testing

@Suite("Models of sections, and marks on them") struct SectionModelTests {
  @Test("A header that is there already changes nothing, and one of no section is refused")
  func headers() async throws {
    let source = Notes()
    try await source.apply([], section: \.folder, sections: [(0, "Inbox"), (1, "Archive")])
    try await source.setSectionModel("Archive", for: 1)
    #expect(await source.revision == Revision(1))
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownSection([AnyItemID(Folder(7))])))
    {
      try await source.setSectionModel("?", for: 7)
    }
    await #expect(throws: SnapshotError.unknownSection([AnyItemID(Folder(7))])) {
      try await source.update { draft in try draft.setSectionModel("?", for: 7) }
    }
    #expect(await source.revision == Revision(1))
  }

  @Test("A section that is deleted and appended again keeps its model in one edit, not in two")
  func appendedAgain() async throws {
    let source = Notes()
    let notes = [Note(id: 1, folder: 0), Note(id: 2, folder: 1)]
    try await source.apply(notes, section: \.folder, sections: [(0, "Inbox"), (1, "Archive")])
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { draft in
      draft.snapshot.deleteSections([0])
      draft.appendSections([0])
      #expect(draft.sectionModel(for: 0) == "Inbox")
    }
    let moved = try #require(await batches.next())
    #expect("\(moved)" == "r1→r2 §0→1 -0:0 ⇒ 1[2] 0[]")
    #expect(moved.sectionModels.isEmpty && moved.removedSectionModels.isEmpty)
    #expect(await source.sectionModel(for: 0) == "Inbox")

    try await source.update { draft in
      draft.snapshot.deleteSections([0])
      draft.appendSections([0])
      try draft.setSectionModel(nil, for: 0)
    }
    #expect(await source.sectionModel(for: 0) == nil, "a model is removed where it is said")
    try await source.setSectionModel("Inbox", for: 0)
    try await source.update { $0.snapshot.deleteSections([0]) }
    try await source.update { $0.appendSections([0]) }
    #expect(await source.sectionModel(for: 0) == nil)
  }

  @Test("Positions are new ones, the inverse has old ones, and new sections have no mark")
  func differences() throws {
    let old = Snapshot("a[1] b[2] c[3]")
    let new = Snapshot("c~[3] x~[] a[1] b*[2]")
    let difference = try new.difference(from: old)
    #expect("\(difference)" == "+§1 §2→0 *§1 ~§0")
    #expect(difference.changeCount == 4 && difference.hasRefreshes)
    #expect("\(difference.inverse)" == "-§1 §0→2 *§3 ~§2")
    #expect(DifferenceLaw.violations(from: old, to: new).isEmpty)
    let unmarked = Snapshot("a[1] b[2] c[3]")
    #expect(try unmarked.difference(from: old).isEmpty)
  }
}
