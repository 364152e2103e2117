import Diffable
import ListSupport
import TestScope
import Testing

/// A model for an item that is nowhere is a mistake, wherever it is given.
@Suite(.deadline)
struct UnknownModelTests {
  private typealias List = ModelSource<SingleSection, Note>

  private func list() async throws -> List {
    let list = List()
    try await list.apply([Note(id: 1), Note(id: 2)])
    return list
  }

  @Test func `An edit that gives one changes nothing, and says for which items`() async throws {
    let list = try await list()
    let (models, revision) = (await list.elements, await list.revision)
    await #expect(throws: SnapshotError.unknownItem([AnyItemID(9)])) {
      try await list.update { $0.setModel(Note(id: 9)) }
    }
    await #expect(throws: SnapshotError.unknownItem([AnyItemID(8), AnyItemID(9)])) {
      try await list.update { draft in
        draft.setModels([Note(id: 1, title: 1), Note(id: 8), Note(id: 9)])
        try draft.insertItems([Note(id: 3)], afterItem: 1)
      }
    }
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownItem([AnyItemID(9)]))) {
      try await list.setModel(Note(id: 9))
    }
    await #expect(throws: SnapshotError.unknownItem([AnyItemID(9)])) {
      try await list.authored(by: "Ann").update { $0.setModel(Note(id: 9)) }
    }
    #expect(await list.elements == models)
    #expect(await list.revision == revision)
  }

  @Test func `An item may come later in the edit, go later, or be hidden`() async throws {
    let list = try await list()
    try await list.update { draft in
      draft.setModels([Note(id: 3, title: 3), Note(id: 2, title: 2)])
      try draft.snapshot.insertItems([3], afterItem: 1)
      draft.deleteItems([2])
    }
    #expect(await list.elements == [Note(id: 1), Note(id: 3, title: 3)])
    try await list.update { draft in
      try draft.renameItem(1, to: Note(id: 4))
      draft.setModel(Note(id: 4, title: 4))
    }
    try await list.update { draft in
      var tree = try Outline([4])
      try tree.append([3], to: 4)
      try draft.snapshot.setOutline(tree, forSection: SingleSection())
    }
    try await list.update { $0.setModel(Note(id: 3, title: 5)) }
    #expect(await list.elements == [Note(id: 4, title: 4)])
    #expect(await list.model(for: 3) == Note(id: 3, title: 5))
  }
}
