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

  @Test("An edit of order and models in one step")
  func drafts() async throws {
    let source = Notes()
    try await source.apply(Self.notes, section: \.folder)
    let old = try await source.update { draft in
      let old = draft.model(for: 1)
      draft.setModel(Note(id: 1, folder: 0, text: 1))
      try draft.insertItems([Note(id: 5)], beforeItem: 1)
      try draft.insertItems([Note(id: 6)], afterItem: 1)
      try draft.appendItems([Note(id: 7)], toSection: 1)
      return old
    }.value
    #expect(old == Self.notes[0])
    #expect(await "\(source.snapshot)" == "0[5 1 6 3] 1[2 4 7]")
    #expect(await source.model(for: 1)?.text == 1)
    #expect(await source.model(for: 7) == Note(id: 7))
    try await source.update { draft in
      try draft.replaceItems(inSection: 0, with: [Note(id: 3, text: 2), Note(id: 8)])
    }
    #expect(await "\(source.snapshot)" == "0[3 8] 1[2 4 7]")
    #expect(await source.model(for: 3)?.text == 2)
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
