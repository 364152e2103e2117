import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Rows of a list that another list shows, or does not show", .deadline)
struct SelectionTests {
  private static func makeNotes(_ count: Int = 8) async throws -> Notes {
    let notes = try await Notes.of((0..<count).map { Note(id: $0, folder: Folder($0 % 2)) })
    return notes
  }

  @Test("Lists of identifiers and of models, with sections of other types")
  func types() async throws {
    let notes = try await Self.makeNotes()
    let marks = DataSourceActor<String, Int>()
    let (chosen, rest) = (notes.intersection(marks), notes.subtracting(marks))
    let (known, unknown) = (marks.intersection(notes), marks.subtracting(notes))
    #expect(await chosen.snapshot.description == "0[] 1[]")
    try await marks.update { list in
      list.appendSections(["a", "b"])
      try list.appendItems([9, 5], toSection: "a")
      try list.appendItems([2, 3], toSection: "b")
    }
    #expect(await chosen.snapshot.description == "0[2] 1[3 5]")
    #expect(await rest.snapshot.description == "0[0 4 6] 1[1 7]")
    #expect(await known.snapshot.description == "a[5] b[2 3]")
    #expect(await unknown.snapshot.description == "a[9] b[]")
  }

  @Test("Only rows that come or go in the other list are tested again")
  func incremental() async throws {
    let notes = try await Self.makeNotes(600)
    let others = try await Self.makeNotes(300)
    let counts = CallCounter()
    let derived = notes.intersection(others).derived { query in
      query.filter { _ in
        counts.count()
        return true
      }
    }
    var batches = derived.updates().makeAsyncIterator()
    _ = await batches.next()
    #expect(counts.value == 300)
    // It shows something else, or is elsewhere, and is shown as before.
    try await others.setModel(Note(id: 0, text: 1))
    try await others.updateOrder { try $0.moveItem(2, afterItem: 6) }
    try await others.update { draft in
      draft.deleteItems([4, 8])
      try draft.appendItems([Note(id: 400)], toSection: 1)
    }
    let batch = try #require(await batches.next())
    #expect(batch.difference.itemDeletes.count == 2)
    #expect(batch.difference.itemInserts.count == 1)
    #expect(batch.difference.itemReconfigures.isEmpty && batch.difference.itemMoves.isEmpty)
    #expect(counts.value == 301)
    #expect(batch.snapshot.itemIdentifiers(inSection: 0).suffix(2) == [298, 400])
  }
}
