import Diffable
import DiffableTesting
import ListSupport
import Testing

@Suite("Models of sections, and marks on them") struct SectionModelTests {
  @Test("A header changes without its rows")
  func headers() async throws {
    let source = Notes()
    let notes = [Note(id: 1, folder: 0), Note(id: 2, folder: 1)]
    try await source.apply(notes, section: \.folder, sections: [(0, "Inbox"), (1, "Archive")])
    var batches = source.updates().makeAsyncIterator()
    let first = try #require(await batches.next())
    #expect(first.sectionModels == [0: "Inbox", 1: "Archive"])

    try await source.setSectionModel("Archive (1)", for: 1)
    let second = try #require(await batches.next())
    #expect("\(second)" == "r1→r2 ~§1 ⇒ 0[1] 1[2]")
    #expect(second.sectionModels == [1: "Archive (1)"] && second.models.isEmpty)
    #expect(second.update.stages(for: .collectionView).count == 1)
    #expect(second.sectionModel(for: 0) == "Inbox")
    #expect(await source.sectionModel(for: 1) == "Archive (1)")

    try await source.setSectionModel("Archive (1)", for: 1)
    #expect(await source.revision == Revision(2))
    try await source.apply(notes, section: \.folder)
    #expect(await source.revision == Revision(2), "sections that stay keep their models")

    try await source.setSectionModel(nil, for: 1)
    #expect(await source.sectionModel(for: 1) == nil)
    try await source.update { draft in
      draft.snapshot.deleteSections([0])
      draft.snapshot.appendSections([2])
      try draft.setSectionModel("Drafts", for: 2)
      try draft.setSectionModel("Old", for: 1)
      #expect(draft.sectionModel(for: 1) == "Old")
    }
    let third = try #require(await batches.next())
    #expect("\(third)" == "r2→r4 -§0 +§1 ~§0 ⇒ 1[2] 2[]")
    #expect(third.sectionModels == [1: "Old", 2: "Drafts"])
    #expect(third.removedSectionModels == [0])
    #expect(await source.sectionModel(for: 0) == nil)
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownSection([AnyItemID(Folder(0))])))
    {
      try await source.setSectionModel("?", for: 0)
    }
    await #expect(throws: SnapshotError.unknownSection([AnyItemID(Folder(0))])) {
      try await source.update { draft in try draft.setSectionModel("?", for: 0) }
    }
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

  @Test("Sections come from data: any sequence of pairs")
  func sectionsFromData() async throws {
    let source = Notes()
    let titles = ["Inbox", "Archive", "Drafts"]
    let folders = titles.indices.map { Folder($0) }
    try await source.apply(
      [Note(id: 1, folder: 2)], section: \.folder, sections: zip(folders, titles))
    #expect(await source.snapshot.sectionIdentifiers == folders)
    for (number, title) in titles.enumerated() {
      #expect(await source.sectionModel(for: Folder(number)) == title)
    }
    // An empty list of pairs is one as well.
    let none: [(Folder, String)] = []
    try await source.apply([], section: \.folder, sections: none)
    #expect(await source.snapshot.numberOfSections == 0)
  }

  @Test("A section that stays and loses its model, and one that goes without a model")
  func removedModels() async throws {
    let source = Notes()
    try await source.apply([], section: \.folder, sections: [(0, "Inbox"), (1, "Archive")])
    try await source.update { draft in draft.snapshot.appendSections([2]) }
    var batches = source.updates().makeAsyncIterator()
    #expect(await batches.next()?.removedSectionModels == [])
    try await source.update { draft in
      try draft.setSectionModel(nil, for: 1)
      draft.snapshot.deleteSections([2])
    }
    let batch = try #require(await batches.next())
    #expect(batch.removedSectionModels == [1] && batch.sectionModels.isEmpty)
  }

  @Test("A section that a draft adds and drops again leaves no model")
  func droppedSections() async throws {
    let source = Notes()
    try await source.update { draft in
      draft.snapshot.appendSections([0, 1])
      try draft.setSectionModel("One", for: 1)
      draft.snapshot.deleteSections([1])
    }
    try await source.update { draft in draft.snapshot.appendSections([1]) }
    #expect(await source.sectionModel(for: 1) == nil)
  }

  @Test("A reload mark on a section wins, and marks go with the section")
  func marks() throws {
    var list = Snapshot("a[1] b[2] c[3]")
    try list.reconfigureSections(["a", "b", "c"])
    try list.reloadSections(["b"])
    try list.reconfigureSections(["b"])
    #expect("\(list)" == "a~[1] b*[2] c~[3]")
    #expect(Snapshot("a~[1] b*[2] c~[3]").reconfiguredSectionIdentifiers == ["a", "c"])
    list.deleteSections(["a"])
    #expect(list.reconfiguredSectionIdentifiers == ["c"])
    #expect(throws: SnapshotError.unknownSection([AnyItemID("x")])) {
      try list.reconfigureSections(["c", "x"])
    }
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

  @Test("Stages hand a section over once, by its new place")
  func stages() async throws {
    let source = try DataSourceActor(Snapshot("a[1] b[2] c[3 4]"))
    for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
      var batches = source.updates(after: source.token(for: await source.revision))
        .makeAsyncIterator()
      try await source.apply(Snapshot("c~[4 3~] b[2] x[9]"))
      let batch = try #require(await batches.next())
      let stages = batch.stages(for: profile)
      let listed = stages.filter { !$0.difference.sectionReconfigures.isEmpty }
      #expect(listed.count == 1)
      #expect(listed.first?.difference.sectionReconfigures == RangeSet(0..<1))
      #expect(listed.first?.snapshot == batch.snapshot)
      let breaches = try ListSimulator.violations(
        from: Snapshot("a[1] b[2] c[3 4]"), to: Snapshot("c~[4 3~] b[2] x[9]"), profile: profile)
      #expect(breaches.isEmpty)
      try await source.apply(Snapshot("a[1] b[2] c[3 4]"))
    }
  }
}
