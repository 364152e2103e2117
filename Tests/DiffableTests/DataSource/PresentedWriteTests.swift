import Diffable
import ListSupport
import TestScope
import Testing

/// What a writer says beside the change: how it is to be shown, and for which revision it is meant.
@Suite("Every way to write hands on what the writer says of the write", .deadline)
struct PresentedWriteTests {
  private typealias Write = @Sendable (Notes, Presentation) async throws -> Void

  private static let notes = (1...3).map { Note(id: $0, text: 9) }

  /// Another order of the list.
  private static func order(_ source: Notes) async throws -> Snapshot<Folder, Int> {
    var order = await source.snapshot
    try order.moveItem(1, afterItem: 3)
    return order
  }

  private static let writes: [String: Write] = [
    "update": { try await $0.update(presentation: $1) { $0.deleteItems([1]) } },
    "updateOrder": { try await $0.updateOrder(presentation: $1) { $0.deleteItems([1]) } },
    "write": { try await $0.write(.edit(presentation: $1) { $0.deleteItems([1]) }) },
    "setModel": { try await $0.setModel(notes[0], presentation: $1) },
    "setModels": { try await $0.setModels(notes, presentation: $1) },
    "setSectionModel": { try await $0.setSectionModel("Inbox", for: 0, presentation: $1) },
    "appendItems": {
      try await $0.appendItems([Note(id: 4)], toSection: 0, keepingLast: 3, presentation: $1)
    },
    "apply of an order": { source, presentation in
      try await source.apply(order(source), presentation: presentation)
    },
    "apply of an order with models": { source, presentation in
      try await source.apply(order(source), models: notes, presentation: presentation)
    },
    "apply of an order with models of sections": { source, presentation in
      try await source.apply(
        order(source), models: notes, sectionModels: [(0, "Inbox")], presentation: presentation)
    },
    "apply of models": { try await $0.apply(notes, section: \.folder, presentation: $1) },
    "apply of models and those of sections": {
      try await $0.apply(notes, section: \.folder, sections: [(0, "Inbox")], presentation: $1)
    },
    "merge": { source, presentation in
      try await source.merge(
        order(source), basedOn: source.revision, presentation: presentation)
    },
    "merge with models": { source, presentation in
      try await source.merge(
        order(source), models: notes, basedOn: source.revision, presentation: presentation)
    },
    "undo": { _ = try await $0.undo(presentation: $1) },
    "undo of what is named": { _ = try await $0.undo(.named, presentation: $1) },
    "redo": { _ = try await $0.redo(presentation: $1) },
    "redo of what is named": { _ = try await $0.redo(.named, presentation: $1) },
    "revert": { try await $0.revert($0.change(of: Revision(2)), presentation: $1) },
    "revertAll": { try await $0.revertAll([$0.change(of: Revision(2))], presentation: $1) },
    "update of an author": {
      try await $0.authored(by: "Ann").update(presentation: $1) { $0.deleteItems([1]) }
    },
    "undo of an author": { _ = try await $0.authored(by: "Ann").undo(presentation: $1) },
    "redo of an author": { _ = try await $0.authored(by: "Ann").redo(presentation: $1) },
    "enqueue of an order": { source, presentation in
      _ = try await source.enqueue(order(source), presentation: presentation).outcome
    },
    "enqueue of an order with models": { source, presentation in
      let ticket = try await source.enqueue(
        order(source), models: notes, presentation: presentation)
      _ = await ticket.outcome
    },
    "enqueue of models": {
      _ = await $0.enqueue(notes, section: \.folder, presentation: $1).outcome
    },
    "enqueue of models and those of sections": {
      let sections: [(Folder, String)] = [(0, "Inbox")]
      let ticket = $0.enqueue(
        notes, section: \.folder, sections: sections, presentation: $1)
      _ = await ticket.outcome
    },
    "follow of orders": { source, presentation in
      let (orders, input) = AsyncStream.makeStream(of: Snapshot<Folder, Int>.self)
      input.yield(try await order(source))
      input.finish()
      try await source.follow(orders, presentation: presentation)
    },
    "follow of models": { source, presentation in
      let (lists, input) = AsyncStream.makeStream(of: [Note].self)
      input.yield(notes)
      input.finish()
      try await source.follow(lists, section: \.folder, presentation: presentation)
    },
  ]

  @Test("It is shown as it is said there", arguments: writes.keys.sorted())
  func presentation(way: String) async throws {
    let write = try #require(Self.writes[way])
    for presentation in [Presentation.immediate, .animated, .inPlace, .reset] {
      let source = Notes()
      try await source.apply((1...3).map { Note(id: $0) }, section: \.folder)
      // There is something to undo and something to redo, for everybody.
      let author = source.authored(by: "Ann")
      for row in [1, 2] {
        try await author.update(named: "\(row)") { try $0.update(row) { $0.text = row } }
      }
      try await author.undo()
      var batches = await source.changes()
      try await write(source, presentation)
      #expect(await batches.next()?.presentation == presentation, "\(presentation)")
    }
  }

  @Test("A list that was meant for another revision is refused, in whatever way it is given")
  func otherRevision() async throws {
    let source = Notes()
    let old = try await source.apply(Self.notes, section: \.folder).revision
    let live = try await source.setModel(Note(id: 1, text: 1)).revision
    let (order, notes) = (try await Self.order(source), Self.notes)
    let applies: [@Sendable (Notes, Revision?) async throws -> Revision] = [
      { try await $0.apply(order, ifRevision: $1).revision },
      { try await $0.apply(order, models: notes, ifRevision: $1).revision },
      {
        try await $0.apply(order, models: notes, sectionModels: [(0, "a")], ifRevision: $1).revision
      },
      { try await $0.apply(notes, section: \.folder, ifRevision: $1).revision },
      {
        try await $0.apply(notes, section: \.folder, sections: [(0, "b")], ifRevision: $1).revision
      },
    ]
    for apply in applies {
      await #expect(throws: DataSourceError.conflict(expected: old, actual: live)) {
        try await apply(source, old)
      }
      #expect(await source.revision == live)
    }
    // Each changes something, if it is meant for the live revision.
    for (number, apply) in applies.enumerated() {
      let last = Revision(live.number + number)
      #expect(try await apply(source, last) == last.next)
    }
  }
}
