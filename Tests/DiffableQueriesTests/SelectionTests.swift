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

  @Test("What the other list renames, hides or marks")
  func otherList() async throws {
    let notes = try await Self.makeNotes()
    let others = Notes()
    try await others.update { draft in
      draft.appendSections([0])
      try draft.appendItems([Note(id: 2), Note(id: 3)], toSection: 0)
      var outline = try Outline([2])
      try outline.append([3], to: 2)
      try draft.snapshot.setOutline(outline, forSection: 0)
    }
    let chosen = notes.intersection(others)
    var batches = chosen.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "0[2] 1[]")
    try await others.updateOrder { $0.expandItems([2]) }
    #expect(await batches.next()?.snapshot.description == "0[2] 1[3]")
    try await others.updateOrder { $0.collapseItems([2]) }
    #expect(await batches.next()?.snapshot.description == "0[2] 1[]")
    try await others.update { try $0.renameItem(2, to: Note(id: 4)) }
    let renamed = try #require(await batches.next())
    #expect(renamed.snapshot.description == "0[4] 1[]")
    // It is another row here.
    #expect(renamed.update.renamedItems.isEmpty)
    let revision = await chosen.revision
    try await others.updateOrder { try $0.reloadItems([4]) }
    #expect(await chosen.revision == revision)
  }

  @Test("What this list renames, marks and drags")
  func thisList() async throws {
    let (notes, others) = (try await Self.makeNotes(), try await Self.makeNotes())
    try await others.apply([2, 4, 9].map { Note(id: $0) }, section: \.folder)
    let rest = notes.subtracting(others)
    var batches = rest.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.description == "0[0 6] 1[1 3 5 7]")
    try await notes.update { draft in
      try draft.renameItem(0, to: Note(id: 10))
      try draft.renameItem(6, to: Note(id: 9))
      try draft.snapshot.reloadItems([7])
    }
    let batch = try #require(await batches.next())
    #expect(batch.snapshot.description == "0[10] 1[1 3 5 7]")
    #expect(batch.update.renamedItems.map(\.new) == [10])
    #expect(batch.difference.itemReloads == [ItemPath(section: 1, item: 3)])
    var drag = try #require(try await rest.beginReorder([7]))
    _ = try drag.proposed(to: .before(10))
    #expect(drag.refusal == nil)
    _ = try await drag.commit()
    #expect(await notes.snapshot.description == "0[7 10 2 4 9] 1[1 3 5]")
    #expect(await rest.snapshot.description == "0[7 10] 1[1 3 5]")
  }
}
