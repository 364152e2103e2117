import Diffable
import DiffableSync
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Only what has changed something can be reverted, so nobody reverts another writer's change by mistake.
@Suite("Writes to a shared list that change nothing", .deadline) struct NothingChangedTests {
  typealias Replica = ReplicatedSource<ModelBatch<String, Card>>

  /// A write that changes nothing, and the change that it says it has made.
  typealias Write = @Sendable (Replica) async throws -> UndoableChange?

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
    "setModels": { try await $0.setModels([]).change },
    "apply of an order": { try await $0.apply(await $0.snapshot).change },
    "apply of models": {
      try await $0.apply([Card(id: 1, text: "theirs"), Card(id: 2)], section: { _ in "s" }).change
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
    "optimistic update": { source in
      let list = await source.optimistic()
      let write = try await list.update(named: "Mine") { try $0.update(1) { $0.text = "theirs" } }
      let made = try #require(await write.outcome.acceptance)
      return made.change
    },
    "optimistic write": { try await $0.optimistic().write(.edit { _ in }).change },
    "optimistic drop": { source in
      var drag = try #require(try await source.optimistic().beginReorder([1]))
      _ = try drag.proposed(to: .before(2))
      return try await drag.commit(named: "Mine")?.change
    },
    "revert of nothing": { try await $0.revert(nil).change },
    "revertAll of nothing": { try await $0.revertAll([nil]).change },
  ]

  /// Two participants; the list has a change of another one, and one of mine that was taken back.
  private func participants() async throws -> (
    mine: Replica, other: Replica, near: MemoryLog.Participant, theirs: UndoableChange
  ) {
    let log = MemoryLog()
    let near = log.participant()
    let (mine, other) = (
      try await Replica(cards: near, options: .quick),
      try await Replica(cards: log.participant(), options: .quick)
    )
    try await mine.apply([Card(id: 1, text: "0"), Card(id: 2)], section: { _ in "s" })
    try await mine.update(named: "First") { try $0.update(1) { $0.text = "first" } }
    try await mine.update(named: "Second") { try $0.update(2) { $0.text = "second" } }
    try await mine.undo()
    try await other.reached(mine.revision)
    let theirs = try await other.update(named: "Theirs") { try $0.update(1) { $0.text = "theirs" } }
    try await mine.reached(theirs.revision)
    return (mine, other, near, try #require(theirs.change))
  }

  @Test("Each says so, and to revert it changes nothing", arguments: writes.keys.sorted())
  func nothing(name: String) async throws {
    let (mine, _, _, theirs) = try await participants()
    let former = (undo: mine.nextUndo(), redo: mine.nextRedo())
    #expect(former.undo?.name == "First" && former.redo?.name == "Second")
    let change = try await Self.writes[name]?(mine)
    #expect(change == nil)
    let reverted = try await mine.revert(change)
    #expect(reverted.change == nil && reverted.difference.isEmpty && reverted.conflicts.isEmpty)
    #expect(reverted.target == theirs.revision)
    #expect(await mine.revision == theirs.revision)
    #expect(await mine.element(for: 1)?.text == "theirs")
    #expect(mine.nextUndo() == former.undo && mine.nextRedo() == former.redo)
  }

  @Test("A write that another one has made meanwhile has made nothing, though it was offered")
  func overtaken() async throws {
    let (mine, other, near, _) = try await participants()
    near.cut()
    let write = Task {
      try await mine.update(named: "Mine") { try $0.update(2) { $0.text = "same" } }
    }
    let made = try await other.setModel(Card(id: 2, text: "same"))
    near.heal()
    let mineMade = try await write.value
    #expect(mineMade.change == nil && mineMade.revision == made.revision)
    try await mine.revert(mineMade.change)
    #expect(await mine.element(for: 2)?.text == "same")
    #expect(mine.nextUndo()?.name == "First")
  }

  @Test("A change of another participant can be looked up, and reverted on purpose")
  func lookedUp() async throws {
    let (mine, _, _, theirs) = try await participants()
    // The name is for its writer.
    let found = try #require(mine.change(of: theirs.revision))
    #expect(found.revision == theirs.revision && found.name == nil)
    try await mine.revert(found)
    #expect(await mine.element(for: 1)?.text == "first")
    let other = try await Replica(cards: MemoryLog().participant())
    try await other.apply([Card(id: 1)], section: { _ in "s" })
    // The same number names another change there.
    await #expect(throws: DataSourceError.unknownRevision(Revision(1))) {
      try await other.revert(mine.change(of: Revision(1)))
    }
  }

  @Test("The shown change of an optimistic list is no change of the list below")
  func shown() async throws {
    let (mine, _, _, theirs) = try await participants()
    let list = await mine.optimistic()
    let shown = try await list.write(.edit(named: "Mine") { try $0.moveItem(2, beforeItem: 1) })
    let change = try #require(shown.change)
    #expect(change.name == "Mine")
    await #expect(throws: DataSourceError.unknownRevision(change.revision)) {
      try await mine.revert(change)
    }
    try await mine.reached(theirs.revision.next)
    #expect(await mine.snapshot.itemIdentifiers == [2, 1])
  }

  @Test("Of writes that share an append, each says what it has made itself")
  func together() async throws {
    let (mine, _, near, theirs) = try await participants()
    near.cut()
    let writes = (0..<6).map { number in
      Task {
        try await mine.update(named: "\(number)") { draft in
          try draft.update(2) { $0.text += number % 2 == 0 ? "" : "x" }
          return number
        }
      }
    }
    near.heal()
    var changes: [Revision] = []
    for write in writes {
      let made = try await write.value
      #expect((made.change != nil) == (made.value % 2 == 1))
      #expect(made.change == nil || made.change?.name == "\(made.value)")
      if let change = made.change {
        #expect(change.revision == made.revision)
        changes.append(change.revision)
      }
    }
    #expect(changes.sorted() == (1...3).map { Revision(theirs.revision.number + $0) })
    #expect(await mine.element(for: 2)?.text == "xxx")
  }
}
