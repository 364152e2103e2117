import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("Models of sections, and marks on them", .deadline) struct SectionModelTests {
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
      #expect(draft.sectionModel(for: 0) == nil)
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

  /// A section as somebody leaves it.
  private enum Header: CaseIterable {
    case isAbsent, isPlain, isA, isB

    var text: String? {
      switch self {
      case .isAbsent, .isPlain: nil
      case .isA: "a"
      case .isB: "b"
      }
    }

    static func set(_ header: Header, in source: Notes) async throws -> UndoableChange? {
      try await source.update { draft in
        guard header != .isAbsent else { return draft.snapshot.deleteSections([1]) }
        if !draft.snapshot.containsSection(1) { draft.appendSections([1]) }
        try draft.setSectionModel(header.text, for: 1)
      }.change
    }
  }

  /// What taking a change back must leave, and what it contradicts.
  private static func undone(
    _ before: Header, _ after: Header, _ live: Header
  ) -> (header: Header, contradiction: Contradiction?) {
    if before == after { return (live, nil) }
    if before == .isAbsent {
      return (.isAbsent, live == .isAbsent || live == after ? nil : .deletedButChanged)
    }
    if live == .isAbsent, after != .isAbsent { return (.isAbsent, .changedButDeleted) }
    // What the change has left is taken back; what others have written since stays.
    let isLeft = live.text == after.text
    if after == .isAbsent, before == .isPlain { return (live == .isAbsent ? before : live, nil) }
    return isLeft || live == before ? (before, nil) : (live, .changedTwice)
  }

  @Test("Undo takes a header back as far as it still shows, and names all versions otherwise")
  func undo() async throws {
    for (before, after, live) in Header.allCases.flatMap({ before in
      Header.allCases.flatMap { after in Header.allCases.map { (before, after, $0) } }
    }) {
      let source = Notes()
      try await source.update { $0.appendSections([0]) }
      _ = try await Header.set(before, in: source)
      let change = try await Header.set(after, in: source)
      _ = try await Header.set(live, in: source)
      let undone = try await source.revert(change)
      let expected = Self.undone(before, after, live)
      let comment: Comment = "\(before), then \(after), then \(live)"
      #expect(
        await source.snapshot.containsSection(1) == (expected.header != .isAbsent), comment)
      #expect(await source.sectionModel(for: 1) == expected.header.text, comment)
      let contradictions = undone.conflicts.map(\.contradiction).filter { $0 != .insertedTwice }
      #expect(contradictions == (expected.contradiction.map { [$0] } ?? []), comment)
      #expect(
        undone.versions(of: 1)
          == expected.contradiction.map { _ in
            ModelVersions(base: after.text, theirs: live.text, mine: before.text)
          }, comment)
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
}
