import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// A list that one writer changes: undo gives back exactly the state before, and redo the state after.
///
/// Few identifiers are used, so a name that a deletion or a rename has freed is soon given again.
@Suite(.deadline) struct SingleWriterUndoTests {
  private typealias State = Snapshot<Int, Int>

  private struct Program {
    var random: SplitMix64

    /// Makes a few edits of a list.
    mutating func edit(_ list: inout State) throws {
      for _ in 0...random.number(below: 3) {
        let items = list.itemIdentifiers
        let free = (0..<7).filter { !list.containsItem($0) }
        switch random.number(below: 4) {
        case 0:
          guard let new = random.element(of: free) else { continue }
          if let anchor = random.element(of: items), random.chance(oneIn: 2) {
            try list.insertItems([new], beforeItem: anchor)
          } else {
            try list.appendItems([new], toSection: random.number(below: 2))
          }
        case 1: if let item = random.element(of: items) { list.deleteItems([item]) }
        case 2:
          guard let item = random.element(of: items), let name = random.element(of: free)
          else { continue }
          try list.renameItem(item, to: name)
        default:
          guard let item = random.element(of: items), let anchor = random.element(of: items)
          else { continue }
          try list.moveItem(item, afterItem: anchor)
        }
      }
    }
  }

  @Test func `Undo and redo lead through the same states`() async throws {
    for seed in 0..<UInt64(rounds(600)) {
      var program = Program(random: SplitMix64(seed: seed))
      let start = State(sections: [0, 1], items: [[0, 1, 2, 3], []])
      let source = try DataSourceActor(start, options: SourceOptions(history: 400))
      var states = [start]
      var place = 0
      for _ in 0..<14 {
        switch program.random.number(below: 3) {
        case 0 where place > 0:
          try await source.undo()
          place -= 1
        case 1 where place + 1 < states.count:
          try await source.redo()
          place += 1
        default:
          var edited = await source.snapshot
          try program.edit(&edited)
          guard edited != states[place] else { continue }
          let next = edited
          try await source.update { $0 = next }
          states = states[...place] + [next]
          place += 1
        }
        #expect(await source.snapshot == states[place], "seed \(seed)")
      }
      while place > 0 {
        try await source.undo()
        place -= 1
        #expect(await source.snapshot == states[place], "seed \(seed), back to \(place)")
      }
      while place + 1 < states.count {
        try await source.redo()
        place += 1
        #expect(await source.snapshot == states[place], "seed \(seed), forward to \(place)")
      }
    }
  }
}

/// Each author of a list takes back what is theirs.
@Suite(.deadline)
struct AuthoredSourceTests {
  private typealias List = ModelSource<SingleSection, Note>

  @Test func `Drags, folds and edits of the order have their author, if they have a name`()
    async throws
  {
    let list = DataSourceActor<String, Int>()
    try await list.update { snapshot in
      snapshot.appendSections(["list", "tree"])
      try snapshot.appendItems([1, 2, 3], toSection: "list")
      let outline = try Outline([10, 11], levels: [0, 1])
      try snapshot.setOutline(outline, forSection: "tree")
    }
    let (ann, ben) = (list.authored(by: "Ann"), list.authored(by: "Ben"))
    let start = await ann.snapshot
    try await ann.updateOrder(named: "Move") { try $0.moveItem(1, afterItem: 2) }
    var drag = try #require(await ann.beginReorder([3]))
    _ = try drag.proposed(to: .before(2))
    try await drag.commit(named: "Drag")
    try await ann.expandItem(10, named: "Unfold")
    try await ann.updateOrder { $0.deleteItems([2]) }
    #expect(ben.nextUndo() == nil)
    for name in ["Unfold", "Drag", "Move"] {
      #expect(ann.nextUndo()?.name == name)
      try await ann.undo()
    }
    #expect(ann.nextUndo() == nil)
    var rest = start
    rest.deleteItems([2])
    #expect(await list.snapshot == rest)
  }

  @Test(
    "What takes back changes of two authors at once is for neither to make again",
    arguments: [false, true])
  func ofBoth(isReverted: Bool) async throws {
    let list = List()
    try await list.apply([Note(id: 1), Note(id: 2)])
    let authors = ["Ann", "Ben"].map(list.authored(by:))
    let start = await list.revision
    var changes: [UndoableChange?] = []
    for (row, author) in zip(1..., authors) {
      changes.append(
        try await author.update(named: author.author) { try $0.update(row) { $0.title = row } }
          .change)
    }
    if isReverted {
      try await list.revertAll(changes)
    } else {
      list.groupUndo(since: start)
      try await list.undo(.named)
    }
    #expect(await list.elements.map(\.title) == [0, 0])
    for author in authors {
      #expect(author.nextUndo() == nil && author.nextRedo() == nil)
      #expect(try await author.redo() == nil)
    }
    try await list.redo(.named)
    #expect(await list.elements.map(\.title) == [1, 2])
    for author in authors { #expect(author.nextUndo() == nil && author.nextRedo() == nil) }
  }
}

/// Only what has changed something can be reverted, so nobody reverts another writer's change by mistake.
@Suite("Writes that change nothing", .deadline)
struct NothingChangedTests {
  typealias Source = ModelSource<String, Card>

  /// A write that changes nothing, and the change that it says it has made.
  typealias Write = @Sendable (Source) async throws -> UndoableChange?

  static let writes: [String: Write] = [
    "update": { try await $0.update(named: "Mine") { _ in }.change },
    "update that returns something": {
      let write = try await $0.update { draft in draft.snapshot.numberOfItems }
      #expect(write.value == 2)
      return write.change
    },
    "update of a model": {
      try await $0.update(named: "Mine") { try $0.update(1) { $0.text = "theirs" } }.change
    },
    "move": { try await $0.update { try $0.moveItem(2, afterItem: 1) }.change },
    "updateOrder": { try await $0.updateOrder(named: "Mine") { _ in }.change },
    "setModel": { try await $0.setModel(Card(id: 1, text: "theirs")).change },
    "setModels": { try await $0.setModels([Card]()).change },
    "append": { try await $0.appendItems([Card](), toSection: "s").change },
    "apply of an order": { try await $0.apply(await $0.snapshot).change },
    "apply of models": {
      try await $0.apply(
        [Card(id: 1, text: "theirs"), Card(id: 2)], section: { _ in "s" }
      ).change
    },
    "merge": { source in
      try await source.merge(await source.snapshot, basedOn: await source.revision).change
    },
    "write": { try await $0.write(.edit { _ in }).change },
    "drop where the drag began": { source in
      var drag = try #require(try await source.beginReorder([1]))
      _ = try drag.proposed(to: .before(2))
      return try await drag.commit(named: "Mine")?.change
    },
    "revert of nothing": { try await $0.revert(nil).change },
    "revertAll of nothing": { try await $0.revertAll([]).change },
  ]

  @Test("Each says so, and to revert it changes nothing", arguments: writes.keys.sorted())
  func nothing(name: String) async throws {
    let source = Source()
    try await source.apply([Card(id: 1, text: "0"), Card(id: 2)], section: { _ in "s" })
    let theirs = try await source.update(named: "Theirs") {
      try $0.update(1) { $0.text = "theirs" }
    }
    let change = try await Self.writes[name]?(source)
    #expect(change == nil)
    let reverted = try await source.revert(change)
    #expect(reverted.change == nil && reverted.difference.isEmpty && reverted.conflicts.isEmpty)
    #expect(await source.revision == theirs.revision)
    #expect(await source.model(for: 1)?.text == "theirs")
    #expect(source.nextUndo(.named) == theirs.change && source.nextRedo(.named) == nil)
  }

  @Test("A change of another writer can be looked up, and reverted on purpose")
  func lookedUp() async throws {
    let source = DataSourceActor<String, Int>()
    let first = try await source.update(named: "Ben") { $0.appendSections(["a"]) }
    #expect(source.change(of: first.revision) == first.change)
    #expect(source.change(of: Revision(0)) == nil && source.change(of: Revision(9)) == nil)
    try await source.revert(source.change(of: first.revision))
    #expect(await source.snapshot.sectionIdentifiers.isEmpty)
  }

  @Test("A transaction prints its change, what changed, and the contradictions")
  func printed() async throws {
    let source = DataSourceActor<String, Int>()
    try await source.update {
      $0.appendSections(["a"])
      try $0.appendItems([1, 2])
    }
    let moved = try await source.write(.edit(named: "Move") { try $0.moveItem(1, afterItem: 2) })
    let none = try await source.write(.edit { _ in })
    #expect("\(moved)" == "r2 “Move” 0:0→0:1" && "\(none)" == "r2, unchanged")
    var mine = moved.initialSnapshot
    mine.deleteItems([1])
    let merged = try await source.merge(mine, basedOn: Revision(1))
    #expect("\(merged)" == "r3 \(merged.difference); \(merged.conflicts[0])")
  }
}

@Suite("A transaction says what it has changed in each section") struct SectionTransactionTests {
  typealias List = Snapshot<Int, Int>

  private func transaction<Item>(
    from old: Snapshot<Int, Item>, to new: Snapshot<Int, Item>
  ) async throws -> Transaction<Int, Item> {
    let source = DataSourceActor<Int, Item>()
    let base = try await source.apply(old).revision
    return try await source.merge(new, basedOn: base)
  }

  @Test("For every transition of small lists, with the fewest changes", arguments: 0..<8)
  func everyTransition(part: Int) async throws {
    let lists = everySnapshot(sections: 2, items: 2)
    for old in stride(from: part, to: lists.count, by: 8).map({ lists[$0] }) {
      for new in lists where areNumberedInOrder(old, new) {
        try await check(from: old, to: new, "\(old) → \(new)")
      }
    }
  }

  @Test("For random transitions", arguments: SnapshotChange.allCases)
  func random(change: SnapshotChange) async throws {
    for seed in 0..<rounds(20 as UInt64) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let old = generator.snapshot(.anyOf(sections: 5, items: 30))
      try await check(from: old, to: generator.changing(old, by: change), "\(change), seed \(seed)")
    }
  }

  private func check(from old: List, to new: List, _ comment: Comment) async throws {
    let transaction = try await transaction(from: old, to: new)
    let gone = old.sectionIdentifiers.filter { !new.containsSection($0) }
    let renamed = !transaction.difference.itemRenames.isEmpty
    var rest = transaction.sectionTransactions[...]
    for section in new.sectionIdentifiers + gone {
      let (initial, final) = (
        old.itemIdentifiers(inSection: section), new.itemIdentifiers(inSection: section)
      )
      guard initial != final else { continue }
      guard let change = rest.popFirst(), change.sectionIdentifier == section else {
        Issue.record("section \(section) is missing, \(comment)")
        return
      }
      #expect(change.initialItems == initial && change.finalItems == final, comment)
      #expect(initial.applying(change.difference) == final, comment)
      guard !renamed else { continue }
      #expect(change.difference.inferringMoves() == change.difference, comment)
      #expect(change.difference.count == final.difference(from: initial).count, comment)
    }
    #expect(rest.isEmpty, comment)
  }

  @Test func `An item that is renamed has left for another one`() async throws {
    let old = List.sections([1, 2, 3])
    var new = old
    try new.renameItem(2, to: 9)
    try new.moveItem(3, beforeItem: 1)
    let change = try #require(try await transaction(from: old, to: new).sectionTransactions.first)
    #expect(change.finalItems == [3, 1, 9])
    #expect(change.initialItems.applying(change.difference) == [3, 1, 9])
    #expect(change.difference.count == 4)
  }

  @Test func `However many items were shuffled, none is compared`() async throws {
    let counter = IdentifierCounter()
    var generator = SnapshotGenerator<Int, CountedIdentifier>(
      seed: 1, section: { $0 }, item: { CountedIdentifier(number: $0, counter: counter) })
    let old = generator.snapshot(.uneven(sections: 3, items: 2_000))
    let transaction = try await transaction(
      from: old, to: generator.changing(old, by: .shuffledItems))
    counter.reset()
    #expect(transaction.sectionTransactions.isEmpty == false)
    #expect(counter.comparisonCount == 0)
    #expect(counter.hashCount == 0)
  }
}

extension Snapshot where SectionID == Int, ItemID == Int {
  /// A section for each list, numbered from 0.
  fileprivate static func sections(_ lists: [Int]...) -> Snapshot {
    Snapshot(contents: lists.enumerated().map { (id: $0.offset, items: $0.element) })
  }
}
