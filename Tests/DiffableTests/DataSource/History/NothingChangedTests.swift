import Diffable
import ListSupport
import TestScope
import Testing

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
