import Diffable
import DiffableSync
import ListSupport
import TestScope
import Testing

@Suite("Edits of a mirror that change nothing", .deadline) struct NothingEditedTests {
  typealias List = EditableMirror<ModelBatch<String, Card>>

  /// An edit that changes nothing; what it says it has made.
  typealias Edit = @Sendable (List) async throws -> UndoableChange?

  static let edits: [String: Edit] = [
    "update": { list in
      let write = try await list.update(named: "Nothing") { _ in }
      return try await made(write)
    },
    "update of a model": { list in
      let write = try await list.update(named: "Nothing") { try $0.update(1) { $0.text = "1" } }
      return try await made(write)
    },
    "updateOrder": { try await $0.updateOrder(named: "Nothing") { _ in }.change },
    "write": { try await $0.write(.edit(named: "Nothing") { _ in }).change },
    "drop where the drag began": { list in
      var drag = try #require(try await list.beginReorder([1]))
      _ = try drag.proposed(to: .after(0))
      return try await drag.commit(named: "Nothing")?.change
    },
  ]

  /// Waits until an edit that made nothing is accepted.
  private static func made(
    _ write: ProposedWrite<ModelBatch<String, Card>>
  ) async throws -> UndoableChange? {
    let acceptance = try #require(await write.outcome.acceptance)
    #expect(acceptance.conflicts.isEmpty)
    return nil
  }

  @Test("They are not sent, and undo and redo are as before", arguments: edits.keys.sorted())
  func nothing(name: String) async throws {
    let link = try await ProposalLink.started(0..<3)
    // As the handler of drops makes them.
    try await link.server.setModels((0..<3).map { Card(id: $0, column: "s", text: "\($0)") })
    try await link.deliverAll()
    let list = try await link.editable()
    for text in ["first", "second"] {
      try await list.update(named: text) { draft in try draft.update(0) { $0.text = text } }
    }
    try await list.undo()
    try await link.settle(list)
    let (sent, server) = (await link.sent.count, await link.server.revision)
    let former = await (list.snapshot, list.revision)
    #expect(try await Self.edits[name]?(list) == nil)
    // It is forgotten in its turn.
    try await wait { await list.nextUndo()?.name == "first" }
    #expect(await link.sent.count == sent)
    #expect(await link.server.revision == server)
    #expect(await list.snapshot == former.0)
    #expect(await list.revision == former.1)
    #expect(await list.nextRedo()?.name == "second")
    try await list.redo()
    #expect(await list.element(for: 0)?.text == "second")
  }

  @Test("Undo does not take back what another writer made before an equal edit was sent")
  func overtaken() async throws {
    let link = try await ProposalLink.started(0..<3)
    await link.will(.waits)
    let list = try await link.editable()
    let first = try await list.update(named: "First") { $0.setModel(Card(id: 0, text: "x")) }
    try await link.sending(1)
    let equal = try await list.update(named: "Equal") { $0.setModel(Card(id: 1, text: "same")) }
    try await link.server.update(named: "Theirs") { try $0.update(1) { $0.text = "same" } }
    await link.release()
    try await link.settle(list)
    for write in [first, equal] { #expect(await write.outcome.acceptance != nil) }
    #expect(await list.nextUndo()?.name == "First")
    try await list.undo()
    #expect(await list.element(for: 1)?.text == "same")
  }
}
