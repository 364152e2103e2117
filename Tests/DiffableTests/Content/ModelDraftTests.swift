import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

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

  @Test func `Items go by what their models say at that moment, folded ones and new ones as well`()
    async throws
  {
    let source = try await Self.source()
    let tree = try Outline([7])
    try await source.update { [tree] draft in
      var tree = tree
      try tree.append([8, 9], to: 7)
      draft.appendSections([2])
      try draft.setOutline(
        ModelOutline(tree, models: [Note(id: 7), Note(id: 8, text: 1), Note(id: 9)]), forSection: 2)
    }
    try await source.update { draft in
      try draft.update(1) { $0.text = 1 }
      try draft.appendItems([Note(id: 4, text: 1), Note(id: 5)], toSection: 1)
      draft.deleteItems { $0.text == 1 }
      #expect(draft.snapshot.itemIdentifiers == [2, 3, 5, 7])
    }
    #expect(await source.snapshot.outline(ofSection: 2)?.items == [7, 9])
    for item in [1, 4, 8] { #expect(await source.model(for: item) == nil) }

    let revision = await source.revision
    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await source.update { draft in
        try draft.deleteItems { note in
          if note.id == 9 { throw Refused() }
          return true
        }
      }
    }
    try await source.update { draft in draft.deleteItems { $0.text == 7 } }
    #expect(await source.revision == revision)
  }

  @Test func `Sections go with their rows and models`() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2, folder: 1)], section: \.folder)
    try await source.update { $0.deleteSections([0, 7]) }
    #expect(await "\(source.snapshot)" == "1[2]")
    #expect(await source.model(for: 1) == nil)
  }

  @Test(arguments: 0..<UInt64(rounds(4)))
  func `A draft has the models of the state before, wherever the edit has put items`(
    seed: UInt64
  ) async throws {
    let random = SplitMix64(seed: seed)
    let notes = (0..<600).map { Note(id: $0, folder: Folder($0 / 200), title: $0) }
    let source = Notes()
    try await source.apply(notes, section: \.folder)
    try await source.update { draft in
      let outline = try Outline(Array(700...703), levels: [0, 1, 1, 0])
      draft.appendSections([3])
      try draft.snapshot.setOutline(outline, forSection: 3)
      draft.setModels((700...703).map { Note(id: $0) })
    }
    var models = [Int: Note]()
    for item in 0..<704 { models[item] = await source.model(for: item) }
    #expect(models.count == 604)
    try await source.update { [random, models] draft in
      var (random, expected) = (random, models)
      for step in 0..<120 {
        let item = random.number(below: 720)
        let anchor = random.number(below: 600)
        switch random.number(below: 8) {
        case 0, 1: draft.deleteItems([item])
        case 2, 3: try? draft.moveItem(item, afterItem: anchor)
        case 4: try? draft.moveItem(item, toSection: Folder(random.number(below: 3)))
        case 5:
          let note = Note(id: 1_000 + step, text: step)
          if (try? draft.insertItems([note], beforeItem: anchor)) != nil {
            expected[note.id] = note
          }
        case 6 where step > 100: draft.snapshot.deleteSections([Folder(random.number(below: 4))])
        default: try? draft.snapshot.moveSection(0, afterSection: 1)
        }
        for item in [item, anchor, 700, 702, 900, random.number(below: 1_200)] {
          #expect(draft.model(for: item) == expected[item], "seed \(seed), step \(step): \(item)")
        }
      }
    }
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
}
