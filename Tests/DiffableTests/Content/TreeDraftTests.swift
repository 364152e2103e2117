import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

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
