import Diffable
import DiffableTesting
import ListSupport
import TestScope
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
    var batches = await source.changes()
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

@Suite("Trees of models are edited in a draft", .deadline) struct TreeDraftTests {
  /// An edit of trees, which a snapshot and a draft have.
  private enum TreeEdit: Sendable {
    case set(Outline<Int>, keepsExpansion: Bool)
    case replace(Int, Outline<Int>)
    case append([Int], Int)
    case move(Int, Int)

    init(_ random: inout SplitMix64, _ list: Snapshot<Folder, Int>) throws {
      let (row, other) = (random.number(below: 14), random.number(below: 14))
      let items = random.sample(random.shuffled(Array(0..<12)), oneIn: 3)
      switch random.number(below: 8) {
      case 0:
        self = .set(try random.outline(of: items), keepsExpansion: random.chance(oneIn: 2))
      case 1, 2: self = .replace(row, try random.outline(of: items))
      case 3, 4, 5: self = .append(items.filter { !list.containsItem($0) }, row)
      case 6: self = .append(items, row)
      default: self = .move(row, other)
      }
    }

    func apply(to list: inout Snapshot<Folder, Int>) throws {
      switch self {
      case .set(let outline, let keepsExpansion):
        try list.setOutline(outline, forSection: 0, keepingExpansion: keepsExpansion)
      case .replace(let parent, let children):
        try list.replaceItems(childrenOf: parent, using: children)
      case .append(let items, let parent): try list.appendItems(items, toItem: parent)
      case .move(let item, let parent): try list.moveItem(item, intoItem: parent)
      }
    }

    func apply(to draft: inout ModelDraft<Folder, Note>, _ models: [Note]) throws {
      switch self {
      case .set(let outline, let keepsExpansion):
        try draft.setOutline(
          ModelOutline(outline, models: models), forSection: 0, keepingExpansion: keepsExpansion)
      case .replace(let parent, let children):
        try draft.replaceItems(
          childrenOf: parent, using: ModelOutline(children, models: models))
      case .append(let items, let parent):
        try draft.appendItems(
          items.compactMap { item in models.first { $0.id == item } }, toItem: parent)
      case .move(let item, let parent): try draft.moveItem(item, intoItem: parent)
      }
    }

    /// The items that it brings, or leaves in another place.
    var items: [Int] {
      switch self {
      case .set(let outline, _), .replace(_, let outline): outline.items
      case .append(let items, _): items
      case .move: []
      }
    }

    /// Whether models of items that stay may be missing.
    var isOutline: Bool {
      switch self {
      case .set, .replace: true
      case .append, .move: false
      }
    }
  }

  @Test("An edit of a tree is that of the snapshot, with models", arguments: 0..<UInt64(rounds(24)))
  func treeEdits(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let source = Notes()
    // At first, row 12 is in no tree. There is never a row 13.
    try await source.update { draft in
      draft.appendSections([0, 1])
      try draft.appendItems([Note(id: 12)], toSection: 1)
      try draft.setOutline(try ModelOutline([Note(id: 0)]), forSection: 0)
    }
    var texts = [0: 0, 12: 0]
    for step in 1...24 {
      let before = await source.snapshot
      let edit = try TreeEdit(&random, before)
      let given = edit.items.filter {
        !edit.isOutline || !before.containsItem($0) || random.chance(oneIn: 2)
      }
      // The models of items that are not in the outline are ignored.
      let models = (given + (edit.isOutline ? [12, 13] : [])).map { Note(id: $0, text: step) }
      let comment: Comment = "seed \(seed), step \(step): \(edit), \(given), \(before)"
      var after = before
      if (try? edit.apply(to: &after)) != nil, (try? after.validate()) != nil {
        try await source.update { try edit.apply(to: &$0, models) }
        for item in given { texts[item] = step }
      } else {
        after = before
        await #expect(throws: (any Error).self, comment) {
          try await source.update { try edit.apply(to: &$0, models) }
        }
      }
      #expect(await source.snapshot == after, comment)
      for item in 0...13 {
        let text = after.containsItem(item) ? texts[item] : nil
        #expect(await source.model(for: item)?.text == text, comment)
      }
    }
  }

  @Test func `What does not exist is refused, and nothing has changed`() async throws {
    let source = Notes()
    let rows = try Outline([1, 3, 2], levels: [0, 1, 0])
    let tree = ModelOutline(rows, models: (1...3).map { Note(id: $0) })
    try await source.update { draft in
      draft.appendSections([0])
      try draft.setOutline(tree, forSection: 0)
    }
    let edits: [(SnapshotError, @Sendable (inout ModelDraft<Folder, Note>) throws -> Void)] = [
      (.unknownSection([AnyItemID(Folder(7))]), { try $0.setOutline(tree, forSection: 7) }),
      (.unknownItem([AnyItemID(9)]), { try $0.replaceItems(childrenOf: 9, using: tree) }),
      (.unknownItem([AnyItemID(9)]), { try $0.appendItems([Note(id: 4)], toItem: 9) }),
      (.unknownItem([AnyItemID(9)]), { try $0.moveItem(1, intoItem: 9) }),
      (.cyclicMove([AnyItemID(1)]), { try $0.moveItem(1, intoItem: 3) }),
    ]
    for (error, edit) in edits {
      await #expect(throws: error) { try await source.update { try edit(&$0) } }
    }
    #expect(await source.revision == Revision(1))
  }
}
