import Diffable
import ListSupport
import TestScope
import Testing

@Suite("A batch has the models of what it shows again", .deadline)
struct ShownAgainTests {
  @Test("What is reloaded has its model, wherever it has moved") func reloaded() async throws {
    let source = Notes()
    try await source.apply(
      [Note(id: 1), Note(id: 2), Note(id: 3, folder: 1)], section: \.folder)
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { draft in
      try draft.setSectionModel("x", for: 1)
      try draft.snapshot.moveSection(1, beforeSection: 0)
      try draft.snapshot.reloadSections([1])
      try draft.update(2) { $0.text = 5 }
      try draft.snapshot.moveItem(2, beforeItem: 1)
      try draft.snapshot.reloadItems([2])
    }
    let batch = try #require(await batches.next())
    #expect(batch.models[2] == Note(id: 2, text: 5))
    #expect(batch.sectionModels == [1: "x"] && batch.removedSectionModels.isEmpty)
  }

  @Test("A hidden row that shows something else makes a revision") func hidden() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2)], section: \.folder)
    let outline = try Outline([1, 2], levels: [0, 1])
    try await source.update { [outline] in try $0.snapshot.setOutline(outline, forSection: 0) }
    #expect(await source.snapshot.itemIdentifiers == [1])
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    let before = await source.revision
    try await source.setModel(Note(id: 2, text: 1))
    #expect(await source.revision != before)
    #expect(await batches.next()?.models == [2: Note(id: 2, text: 1)])
  }
}
