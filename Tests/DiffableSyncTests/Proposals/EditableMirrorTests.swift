import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@Suite("A follower shows its changes at once, and the owner makes each once", .deadline)
struct EditableMirrorTests {
  typealias Batch = ModelBatch<String, Card>

  private func isAccepted(_ write: ProposedWrite<Batch>) async -> Bool {
    if case .accepted = await write.outcome { true } else { false }
  }

  @Test("A change is shown at once, and confirmed when the mirror has it")
  func pending() async throws {
    let link = try await ProposalLink.started(0..<2)
    let list = try await link.editable()
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0, 1])
    let write = try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    let shown = try #require(await batches.next())
    #expect(shown.snapshot.itemIdentifiers == [0, 1, 2])
    #expect(shown.update.unconfirmedItems == [2])
    await link.sending(1)
    while await link.server.snapshot.itemIdentifiers.count < 3 { await Task.yield() }
    #expect(await link.mirror.snapshot.itemIdentifiers == [0, 1])
    try await link.deliverAll()
    #expect(await isAccepted(write))
    let confirmed = try #require(await batches.next())
    #expect(confirmed.update.unconfirmedItems == [])
    #expect("\(confirmed.difference)" == "~0:2")
  }

  /// A mirror that is released while a change of its user is on the way to the owner.
  private func begin(isSent: Bool, _ link: ProposalLink) async throws -> ProposedWrite<Batch> {
    let mirror = MirrorSource<Batch>()
    for await batch in link.server.updates() {
      try await mirror.apply(batch.delta)
      break
    }
    await link.will(.waits)
    let list = try await link.editable(mirror)
    let first = try await list.update { try $0.appendItems([Card(id: 1)], toSection: "s") }
    let second = try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    await link.sending(1)
    return isSent ? first : second
  }

  @Test("A change whose mirror is released has an outcome", arguments: [false, true])
  func released(isSent: Bool) async throws {
    let link = try await ProposalLink.started(0..<1)
    let write = try await begin(isSent: isSent, link)
    guard case .failed(DataSourceError.finished) = try await ended(of: { await write.outcome })
    else {
      Issue.record("It was decided on without a mirror")
      return
    }
    await link.release()
  }

  @Test("A change goes on with the changes of others below it")
  func rebasing() async throws {
    let link = try await ProposalLink.started(0..<3)
    await link.will(.waits)
    let list = try await link.editable()
    let first = try await list.update { try $0.moveItem(2, beforeItem: 0) }
    let second = try await list.update { draft in
      guard var card = draft.model(for: 1) else { return }
      card.text += "!"
      draft.setModel(card)
    }
    await link.sending(1)
    try await link.server.setModel(Card(id: 1, text: "theirs"))
    try await link.server.update {
      try $0.appendItems([Card(id: 9)], toSection: "s")
    }
    try await link.deliverAll()
    #expect(await list.snapshot.itemIdentifiers == [2, 0, 1, 9])
    #expect(await list.element(for: 1)?.text == "theirs!")
    await link.release()
    async let outcomes = (isAccepted(first), isAccepted(second))
    while await link.server.model(for: 1)?.text != "theirs!" { try await link.deliver() }
    try await link.deliverAll()
    #expect(await outcomes == (true, true))
    #expect(await link.server.snapshot == list.snapshot)
    #expect(await link.server.model(for: 1)?.text == "theirs!")
  }

  @Test("A refused change goes away alone")
  func refusal() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.decide { change, _ in
      for case .insertItem(1000..., _) in change.changes {
        throw Refusal(code: "tooLarge", reason: "Too large.")
      }
    }
    await link.will(.waits)
    let list = try await link.editable()
    let first = try await list.update { try $0.appendItems([Card(id: 1000)], toSection: "s") }
    let dependent = try await list.update { draft in
      try draft.moveItem(1000, beforeItem: 0)
    }
    let other = try await list.update { $0.setModel(Card(id: 0, text: "x")) }
    #expect(await list.snapshot.itemIdentifiers == [1000, 0, 1])
    await link.release()
    await link.sending(1)
    await link.release()
    guard case .refused(let refusal) = await first.outcome else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.reason == "Too large.")
    guard case .failed = await dependent.outcome else {
      Issue.record("made without its row")
      return
    }
    await link.sending(2)
    while await link.server.model(for: 0)?.text != "x" { await Task.yield() }
    try await link.deliverAll()
    #expect(await isAccepted(other))
    #expect(await list.snapshot.itemIdentifiers == [0, 1])
  }

  @Test("A lost answer makes nothing twice, and the mirror alone confirms it")
  func lostAnswer() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.will(.isLost, .losesAnswer, .losesAnswer)
    let list = try await link.editable()
    let write = try await list.update { try $0.appendItems([Card(id: 1)], toSection: "s") }
    await link.sending(3)
    try await link.deliverAll()
    #expect(await isAccepted(write))
    #expect(await link.server.snapshot.itemIdentifiers == [0, 1])
    #expect(await link.server.revision == Revision(2))
    #expect(await Set(link.sent) == [write.id])
  }

  @Test("A change that was sent does not run again on a list that it is part of")
  func resetAfterLostAnswer() async throws {
    let link = try await ProposalLink.started(0..<2, history: 1)
    await link.will(.losesAnswer, .waits)
    let list = try await link.editable()
    let write = try await list.update { draft in try draft.update(0) { $0.text += "!" } }
    await link.sending(2)
    // The owner's history has forgotten which change was whose, and so a new state does not say it.
    for text in ["a", "b", "c"] { try await link.server.setModel(Card(id: 1, text: text)) }
    var batches = link.server.updates().makeAsyncIterator()
    let state = try #require(await batches.next())
    #expect(state.models[0]?.text == "0!" && state.update.proposals.isEmpty)
    try await link.mirror.apply(DeltaLawTests.sent(state.delta))
    #expect(await list.element(for: 0)?.text == "0!")
    await link.release()
    #expect(await isAccepted(write))
    #expect(await list.element(for: 0)?.text == "0!")
    #expect(await link.server.model(for: 0)?.text == "0!")
  }

  @Test("A row that gets its identifier from the owner stays one row")
  func renamed() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.decide { change, draft in
      for case .insertItem(..<0, _) in change.changes {
        try draft.renameItem(-1, to: Card(id: 100, text: "given"))
      }
    }
    await link.will(.waits)
    let list = try await link.editable()
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    _ = await batches.next()
    let first = try await list.update { try $0.appendItems([Card(id: -1)], toSection: "s") }
    let second = try await list.update { try $0.moveItem(-1, beforeItem: 0) }
    _ = await (batches.next(), batches.next())
    await link.sending(1)
    await link.release()
    while await link.server.snapshot.itemIdentifiers.count < 2 { await Task.yield() }
    try await link.deliverAll()
    #expect(await isAccepted(first))
    #expect(await list.snapshot.itemIdentifiers == [100, 0])
    let named = try #require(await batches.next())
    #expect("\(named.difference)".contains("⇝"), "\(named.difference)")
    await link.sending(2)
    while await link.server.snapshot.itemIdentifiers != [100, 0] { await Task.yield() }
    try await link.deliverAll()
    #expect(await isAccepted(second))
    #expect(await list.element(for: 100)?.text == "given")
  }

  @Test("Changes that were stored go on in the next life, and are made once", arguments: 0..<3)
  func resumed(arrived: Int) async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(arrived == 0 ? .isLost : .losesAnswer, .waits)
    let list = try await link.editable()
    try await list.update(named: "Add") { try $0.appendItems([Card(id: 2)], toSection: "s") }
    try await list.update { try $0.moveItem(2, beforeItem: 0) }
    try await list.update { $0.setModel(Card(id: 1, text: "x")) }
    await link.sending(arrived == 0 ? 1 : 2)
    let stored = try JSONEncoder().encode(try #require(await list.pending))
    await link.mirror.finish()
    await link.release()

    // Others write meanwhile, and the owner may have forgotten the base.
    try await link.server.update {
      try $0.insertItems([Card(id: 9)], afterItem: 1)
    }
    if arrived == 2 {
      for number in 0..<70 { try await link.server.setModel(Card(id: 9, text: "\(number)")) }
    }
    let pending = try JSONDecoder().decode(PendingEdits<Batch>.self, from: stored)
    #expect(pending.count == 3)
    let mirror = MirrorSource<Batch>()
    let next = ProposalLink(link.server, mirror)
    let resumed = try await next.editable(mirror, resuming: pending)
    #expect(await resumed.snapshot.itemIdentifiers == [2, 0, 1])
    #expect(await resumed.element(for: 1)?.text == "x")
    let expected = [2, 0, 1, 9]
    while true {
      let text = await next.server.model(for: 1)?.text
      if await next.server.snapshot.itemIdentifiers == expected, text == "x" { break }
      let token = next.server.token(for: await next.server.revision)
      if await mirror.resumeToken != token { try await next.deliver() }
      await Task.yield()
    }
    try await next.deliverAll()
    #expect(await resumed.snapshot == next.server.snapshot)
    while await resumed.pending?.count != 0 { await Task.yield() }
  }

  @Test("A base that the owner has forgotten is replaced by a newer one")
  func unknownBase() async throws {
    let link = try await ProposalLink.started(0..<2, history: 1)
    await link.will(.waits)
    let list = try await link.editable()
    let write = try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    await link.sending(1)
    for text in ["a", "b", "c"] { try await link.server.setModel(Card(id: 0, text: text)) }
    await link.release()
    await Task.yield()
    try await link.deliverAll()
    await link.sending(2)
    while await link.server.snapshot.itemIdentifiers.count < 3 { await Task.yield() }
    try await link.deliverAll()
    #expect(await isAccepted(write))
    #expect(await Set(link.sent) == [write.id])
    #expect(await list.element(for: 0)?.text == "c")
  }

  @Test("Undo withdraws what was not sent, and proposes the reverse of what was")
  func undo() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.waits)
    let list = try await link.editable()
    let first = try await list.update(named: "Add") {
      try $0.appendItems([Card(id: 2)], toSection: "s")
    }
    let second = try await list.update(named: "Edit") { $0.setModel(Card(id: 0, text: "x")) }
    await link.sending(1)
    #expect(await list.nextUndo()?.name == "Edit")
    let undone = try #require(try await list.undo())
    #expect(undone.name == "Edit")
    guard case .withdrawn = await second.outcome else {
      Issue.record("not withdrawn")
      return
    }
    #expect(await list.element(for: 0)?.text == "0")
    await link.release()
    while await link.server.snapshot.itemIdentifiers.count < 3 { await Task.yield() }
    try await link.server.setModel(Card(id: 1, text: "theirs"))
    try await link.deliverAll()
    #expect(await isAccepted(first))

    #expect(await list.nextUndo()?.name == "Add")
    #expect(await list.nextRedo()?.name == "Edit")
    try await list.redo()
    #expect(await list.element(for: 0)?.text == "x")
    await link.sending(2)
    while await link.server.model(for: 0)?.text != "x" { await Task.yield() }
    try await link.deliverAll()
    try await list.undo()
    try await list.undo()
    #expect(await list.snapshot.itemIdentifiers == [0, 1])
    #expect(await list.nextUndo() == nil)
    while await link.server.snapshot.itemIdentifiers.count > 2 {
      try await link.deliverAll()
      await Task.yield()
    }
    try await link.deliverAll()
    #expect(await link.server.model(for: 0)?.text == "0")
    #expect(await list.element(for: 1)?.text == "theirs")
  }

  @Test("Edits that belong together are taken back as one, and made again in their order")
  func groupedUndo() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.arrives, .waits)
    let list = try await link.editable()
    try await list.update(named: "First") { $0.setModel(Card(id: 1, text: "first")) }
    while await link.server.model(for: 1)?.text != "first" { await Task.yield() }
    try await link.deliverAll()
    let start = await list.revision
    for text in ["a", "ab", "abc"] {
      try await list.update(named: "Typing") { draft in
        draft.setModel(Card(id: 0, text: text))
        if text == "a" { try draft.appendItems([Card(id: 2)], toSection: "s") }
        if text == "abc" { try draft.update(2) { $0.text = "end" } }
      }
    }
    await list.groupUndo(since: start)
    await link.sending(2)
    #expect(await list.nextUndo()?.name == "Typing")
    // Two were not sent, and are withdrawn.
    #expect(try await list.undo()?.name == "Typing")
    #expect(await list.snapshot.itemIdentifiers == [0, 1])
    #expect(await list.element(for: 0)?.text == "0")
    #expect(await list.nextUndo()?.name == "First")
    #expect(await list.nextRedo()?.name == "Typing")
    #expect(try await list.redo()?.name == "Typing")
    #expect(await list.snapshot.itemIdentifiers == [0, 1, 2])
    #expect(await list.element(for: 0)?.text == "abc")
    #expect(await list.element(for: 2)?.text == "end")
    try await list.undo()
    await link.release()
    while await list.pending?.count != 0 {
      try await link.deliverAll()
      await Task.yield()
    }
    #expect(await link.server.snapshot.itemIdentifiers == [0, 1])
    #expect(await link.server.model(for: 0)?.text == "0")
    #expect(try await list.undo()?.name == "First")
  }

  @Test("A drag is shown at once, and its handler runs at the owner's side, too")
  func drag() async throws {
    let link = try await ProposalLink.started(0..<3)
    let list = try await link.editable()
    var drag = try #require(try await list.beginReorder([0]))
    _ = try drag.proposed(to: .end(of: "t"))
    _ = try await drag.commit()
    #expect(await "\(list.snapshot)" == "s[1 2] t[0]")
    #expect(await list.element(for: 0)?.column == "t")
    while await link.server.model(for: 0)?.column != "t" { await Task.yield() }
    try await link.deliverAll()
    #expect(await "\(link.server.snapshot)" == "s[1 2] t[0]")
  }

  @Test("A list that ends keeps what is pending, and sends nothing")
  func finish() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.will(.waits)
    let list = try await link.editable()
    let write = try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    await link.sending(1)
    await link.mirror.finish()
    guard case .failed = await write.outcome else {
      Issue.record("not ended")
      return
    }
    #expect(await list.pending?.count == 1)
    await #expect(throws: DataSourceError.self) { try await list.update { _ in } }
    await link.release()
    #expect(await ended(list.updates()))
  }
}

/// Whether a stream ends.
private func ended(_ stream: AsyncStream<EditableMirrorTests.Batch>) async -> Bool {
  for await _ in stream {}
  return true
}
