import Diffable
import ListSupport
import TestScope
import Testing

@Suite("Trees of models are edited in a draft", .deadline) struct TreeDraftTests {
  private static func tree(_ roots: [Int], below parent: Int, _ children: [Int]) throws
    -> ModelOutline<Note>
  {
    var outline = try Outline(roots)
    try outline.append(children, to: parent)
    return ModelOutline(outline, models: (0..<10).map { Note(id: $0, text: $0) })
  }

  @Test func `A section gets a tree with its models, and no others`() async throws {
    let source = Notes()
    let tree = try Self.tree([1, 2], below: 1, [3])
    try await source.update { draft in
      draft.appendSections([0, 1])
      try draft.appendItems([Note(id: 4)], toSection: 1)
      try draft.setOutline(tree, forSection: 0)
    }
    #expect(await "\(source.snapshot)" == "0[1 2] 1[4]")
    for item in 1...3 { #expect(await source.model(for: item) == Note(id: item, text: item)) }
    #expect(await source.model(for: 4) == Note(id: 4), "it is in no row of the tree")
    #expect(await source.model(for: 5) == nil)
  }

  @Test func `A tree that replaces another one keeps what is folded only if that is said`()
    async throws
  {
    let source = Notes()
    let first = try Self.tree([1], below: 1, [2])
    let second = try Self.tree([1], below: 1, [3])
    try await source.update { draft in
      draft.appendSections([0])
      try draft.setOutline(first, forSection: 0)
      draft.snapshot.expandItems([1])
    }
    try await source.update { try $0.setOutline(second, forSection: 0, keepingExpansion: true) }
    #expect(await "\(source.snapshot)" == "0[1 3]")
    try await source.update { try $0.setOutline(first, forSection: 0) }
    #expect(await "\(source.snapshot)" == "0[1]")
    #expect(await source.model(for: 3) == nil)
  }

  @Test func `Rows below a row are replaced, and a row moves into another one`() async throws {
    let source = Notes()
    let tree = try Self.tree([1, 2], below: 1, [3])
    try await source.update { draft in
      draft.appendSections([0])
      try draft.setOutline(tree, forSection: 0)
      draft.snapshot.expandItems([1])
    }
    try await source.update { draft in
      let files = try ModelOutline([Note(id: 5, text: 5), Note(id: 6)]) { $0.id == 6 }
      try draft.replaceItems(childrenOf: 1, using: files)
      try draft.moveItem(2, intoItem: 1)
    }
    #expect(await "\(source.snapshot)" == "0[1 5 6 2]")
    #expect(await source.model(for: 5)?.text == 5)
    #expect(await source.model(for: 3) == nil)
    let outline = try #require(await source.snapshot.outline(ofSection: 0))
    #expect(outline.parent(of: 2) == 1 && outline.hasUnloadedChildren(6))
  }

  @Test func `What does not exist is refused, and nothing has changed`() async throws {
    let source = Notes()
    let tree = try Self.tree([1, 2], below: 1, [3])
    try await source.update { draft in
      draft.appendSections([0])
      try draft.setOutline(tree, forSection: 0)
    }
    let edits: [(SnapshotError, @Sendable (inout ModelDraft<Folder, Note>) throws -> Void)] = [
      (.unknownSection([AnyItemID(Folder(7))]), { try $0.setOutline(tree, forSection: 7) }),
      (.unknownItem([AnyItemID(9)]), { try $0.replaceItems(childrenOf: 9, using: tree) }),
      (.unknownItem([AnyItemID(9)]), { try $0.moveItem(1, intoItem: 9) }),
      (.cyclicMove([AnyItemID(1)]), { try $0.moveItem(1, intoItem: 3) }),
    ]
    for (error, edit) in edits {
      await #expect(throws: error) { try await source.update { try edit(&$0) } }
    }
    #expect(await source.revision == Revision(1))
  }

  @Test func `Sections go with their rows and models`() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2, folder: 1)], section: \.folder)
    try await source.update { $0.deleteSections([0, 7]) }
    #expect(await "\(source.snapshot)" == "1[2]")
    #expect(await source.model(for: 1) == nil)
  }
}
