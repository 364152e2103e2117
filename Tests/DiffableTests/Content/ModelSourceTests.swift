import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("Models beside the order", .deadline) struct ModelSourceTests {
  static let notes = [
    Note(id: 1, folder: 0), Note(id: 2, folder: 1), Note(id: 3, folder: 0), Note(id: 4, folder: 1),
  ]

  @Test("Sections stand in the order of their first appearance")
  func grouping() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    #expect(await "\(source.snapshot)" == "0[1 3] 1[2 4]")
    try await source.apply(Self.notes, section: \.folder, sections: [1, 2, 0])
    #expect(await "\(source.snapshot)" == "1[2 4] 2[] 0[1 3]")
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownSection([AnyItemID(Folder(1))])))
    {
      try await source.apply(Self.notes, section: \.folder, sections: [0])
    }
    #expect(await source.revision == Revision(2))
  }

  @Test("A source begins with empty sections, each of them once, and edits fill them")
  func initialSections() async throws {
    let source = Notes(sections: [1, 2, 1, 0])
    #expect(await "\(source.snapshot)" == "1[] 2[] 0[]")
    #expect(await source.revision == Revision(1) && source.nextUndo() == nil)
    try await source.update { draft in
      #expect(draft.sectionIdentifiers == [1, 2, 0])
      try draft.appendItems([Self.notes[0]], toSection: 0)
      #expect(draft.itemIdentifiers(inSection: 0) == [1])
      #expect(
        draft.itemIdentifiers(inSection: 2).isEmpty && draft.itemIdentifiers(inSection: 9).isEmpty)
    }
    #expect(await "\(source.snapshot)" == "1[] 2[] 0[1]")
    #expect(await Notes(sections: []).revision == .empty)
  }

  @Test("Rows that stay show what is applied, however many rows of their section go")
  func shortening() async throws {
    let count = 96
    // There are so many other rows that whole leaves of the section are kept.
    let others = (count..<3 * count).map { Note(id: $0, folder: 1) }
    for length in stride(from: 4, to: count, by: 4) {
      for kept in [0..<length, count - length..<count] {
        let source = Notes()
        try await source.apply((0..<count).map { Note(id: $0) } + others, section: \.folder)
        let notes = kept.map { Note(id: $0, text: 1) } + others
        let revision = try await source.apply(notes, section: \.folder).revision
        #expect(kept.allSatisfy { source.model(for: $0, at: revision)?.text == 1 }, "\(kept)")
      }
    }
  }

  @Test("A description covers all revisions that a batch passes over")
  func descriptions() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
    try await source.setModel(Note(id: 1, folder: 0, title: 1))
    try await source.setModel(Note(id: 1, folder: 0, title: 1, text: 1))
    try await source.setModel(Note(id: 3, folder: 0, title: 1))
    try await source.setModel(Note(id: 3, folder: 0))
    let batch = try #require(await batches.next())
    #expect(batch.change(of: 1) == [.title, .text])
    #expect(batch.change(of: 3) == nil && batch.models.count == 1, "back to what is shown")
  }

  @Test("A source that has finished shows all models")
  func ending() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    await source.finish()
    var batches = source.updates().makeAsyncIterator()
    #expect(await batches.next()?.models.count == 4)
    #expect(await batches.next() == nil)
  }
}

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
    // A draft has what the edit has set so far.
    try await source.update { draft in
      for header in ["New", nil, "Last"] {
        try draft.setSectionModel(header, for: 1)
        #expect(draft.sectionModel(for: 1) == header && draft.sectionModel(for: 0) == "Inbox")
      }
    }
    #expect(await source.sectionModel(for: 1) == "Last")
  }

  @Test("A section that is deleted and appended again keeps its model in one edit, not in two")
  func appendedAgain() async throws {
    let source = Notes()
    let notes = [Note(id: 1, folder: 0), Note(id: 2, folder: 1)]
    try await source.apply(notes, section: \.folder, sections: [(0, "Inbox"), (1, "Archive")])
    var batches = await source.changes()
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
