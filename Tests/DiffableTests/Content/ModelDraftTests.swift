import Diffable
import Testing

@Suite("Models are edited one by one in a draft") struct ModelDraftTests {
  private static func source() async throws -> Notes {
    let source = Notes()
    try await source.apply(
      [Note(id: 1), Note(id: 2), Note(id: 3, folder: 1)], section: \.folder)
    return source
  }

  @Test func `A model is changed in place`() async throws {
    let source = try await Self.source()
    var batches = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.update { draft in
      try draft.update(1) { $0.text = 5 }
      try draft.update(1) { $0.title += $0.text }
    }
    let batch = try #require(await batches.next())
    #expect(batch.models == [1: Note(id: 1, title: 5, text: 5)])
    #expect("\(batch)" == "r1→r2 ~0:0 ⇒ 0[1 2] 1[3]")
  }

  @Test func `What is not there, or is given another identifier, is refused`() async throws {
    let source = try await Self.source()
    for edit in [
      { @Sendable draft in try draft.update(9) { $0.text = 1 } },
      { @Sendable draft in try draft.update(1) { $0 = Note(id: 8) } },
      { @Sendable draft in
        draft.deleteItems([2])
        try draft.update(2) { $0.text = 1 }
      },
    ] as [@Sendable (inout ModelDraft<Folder, Note>) throws -> Void] {
      await #expect(throws: SnapshotError.self) { try await source.update { try edit(&$0) } }
    }
    #expect(await source.revision == Revision(1))
    #expect(await source.model(for: 1) == Note(id: 1))
  }

  @Test func `Models are put where they are, or behind the others`() async throws {
    let source = try await Self.source()
    try await source.update { draft in
      try draft.upsertItems(
        [Note(id: 3, text: 1), Note(id: 4), Note(id: 1, text: 2), Note(id: 4, text: 3)],
        toSection: 0)
    }
    #expect(await "\(source.snapshot)" == "0[1 2 4] 1[3]")
    #expect(await source.model(for: 3)?.text == 1)
    #expect(await source.model(for: 4)?.text == 3)
    await #expect(throws: SnapshotError.unknownSection([AnyItemID(Folder(7))])) {
      try await source.update { try $0.upsertItems([Note(id: 9)], toSection: 7) }
    }
  }

  @Test func `Items are moved and deleted`() async throws {
    let source = try await Self.source()
    try await source.update { draft in
      try draft.moveItem(3, beforeItem: 1)
      try draft.moveItem(2, toSection: 1)
      try draft.moveItem(1, afterItem: 2)
      draft.deleteItems([3, 9])
    }
    #expect(await "\(source.snapshot)" == "0[] 1[2 1]")
    #expect(await source.model(for: 3) == nil)
  }

  @Test func `Lists wait in the queue with all their sections`() async throws {
    let source = Notes()
    let notes = [Note(id: 1, folder: 1)]
    #expect(
      await source.enqueue(notes, section: \.folder, sections: [0, 1, 2]).outcome
        == .applied(Revision(1)))
    #expect(await "\(source.snapshot)" == "0[] 1[1] 2[]")
    let titled = zip([1, 2] as [Folder], ["one", "two"])
    #expect(
      await source.enqueue(notes, section: \.folder, sections: titled).outcome
        == .applied(Revision(2)))
    #expect(await source.sectionModel(for: 2) == "two")
    #expect(
      await source.enqueue(notes, section: \.folder, sections: [2]).outcome
        == .rejected(.invalidSnapshot(.unknownSection([AnyItemID(Folder(1))]))))
    let (lists, input) = AsyncStream.makeStream(of: [Note].self)
    input.yield([])
    input.finish()
    try await source.follow(lists, section: \.folder, sections: [5])
    #expect(await "\(source.snapshot)" == "5[]")
  }

  @Test func `A drop changes the models of what was dragged, in the same revision`() async throws {
    let source = Notes(dropHandler: { note, folder in note.folder = folder })
    try await source.apply(
      [Note(id: 1), Note(id: 2), Note(id: 3, folder: 1)], section: \.folder)
    var drag = try #require(try await source.beginReorder([1, 2]))
    _ = try drag.proposed(to: .after(3))
    try await source.update { draft in
      draft.deleteItems([2])
      try draft.update(1) { $0.text = 4 }
    }
    let drop = try #require(try await drag.commit(named: "Move"))
    #expect(drop.revision == Revision(3))
    #expect(await "\(source.snapshot)" == "0[] 1[3 1]")
    #expect(await source.model(for: 1) == Note(id: 1, folder: 1, text: 4))
    let batch = ModelBatch<Folder, Note>(await drag.batch(completing: drop))
    #expect(batch.model(for: 1)?.folder == 1)
    #expect(batch.difference.itemReconfigures.count == 1)
    try await source.undo()
    #expect(await source.model(for: 1) == Note(id: 1, text: 4))
  }
}
