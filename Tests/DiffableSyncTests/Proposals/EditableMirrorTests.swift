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
    try await link.sending(1)
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
    let dependent = try await list.update { draft in try draft.moveItem(1000, beforeItem: 0) }
    let other = try await list.update { $0.setModel(Card(id: 0, text: "x")) }
    #expect(await list.snapshot.itemIdentifiers == [1000, 0, 1])
    await link.release()
    try await link.sending(1)
    await link.release()
    let refusal = try #require(await first.outcome.refusal)
    #expect(refusal.reason == "Too large.")
    try #require(await dependent.outcome.failure != nil)
    try await link.sending(2)
    try await wait { await link.server.model(for: 0)?.text == "x" }
    try await link.deliverAll()
    #expect(await other.outcome.acceptance != nil)
    #expect(await list.snapshot.itemIdentifiers == [0, 1])
  }

  @Test("A change that was sent does not run again on a list that it is part of")
  func resetAfterLostAnswer() async throws {
    let link = try await ProposalLink.started(0..<2, history: 1)
    await link.will(.losesAnswer, .waits)
    let list = try await link.editable()
    let write = try await list.update { draft in try draft.update(0) { $0.text += "!" } }
    try await link.sending(2)
    // The owner's history has forgotten which change was whose, and so a new state does not say it.
    for text in ["a", "b", "c"] { try await link.server.setModel(Card(id: 1, text: text)) }
    var batches = link.server.updates().makeAsyncIterator()
    let state = try #require(await batches.next())
    #expect(state.models[0]?.text == "0!" && state.update.proposals.isEmpty)
    try await link.mirror.apply(DeltaLawTests.sent(state.delta))
    #expect(await list.element(for: 0)?.text == "0!")
    await link.release()
    #expect(await write.outcome.acceptance != nil)
    #expect(await list.element(for: 0)?.text == "0!")
    #expect(await link.server.model(for: 0)?.text == "0!")
  }

  @Test("Failures in a row make the pause longer, until an answer has come")
  func pauses() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.answerWhole()
    let clock = PauseClock()
    let list = try await link.editable(pausing: clock, from: .seconds(1), to: .seconds(8))
    var longest: [Int] = []
    for failures in [3, 1, 0, 6, 2, 1] {
      for number in 0..<failures {
        await link.will(number.isMultiple(of: 2) ? .isLost : .losesAnswer)
        longest.append(min(8, 1 << number))
      }
      let write = try await list.update { try $0.update(0) { $0.text += "!" } }
      #expect(await write.outcome.acceptance != nil)
    }
    // Up to half of each is left out.
    let pauses = clock.pauses
    #expect(pauses.count == longest.count)
    for (pause, most) in zip(pauses, longest) {
      #expect(pause >= .milliseconds(most * 500 - 1) && pause <= .seconds(most), "\(pauses)")
    }
    #expect(await link.server.model(for: 0)?.text == "0!!!!!!")
  }

  @Test(
    "A new connection ends the pause after a failure, also one to come", arguments: [false, true])
  func hurried(isSending: Bool) async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.answerWhole()
    await link.will(isSending ? .waitsAndIsLost : .isLost)
    let clock = ManualClock()
    let list = try await link.editable(pausing: clock, from: .seconds(30))
    let write = try await list.update { try $0.update(0) { $0.text += "!" } }
    try await link.sending(1)
    if !isSending { try await wait { clock.sleeping == 1 } }
    let (server, mirror) = (link.server, link.mirror)
    try await server.update { try $0.appendItems([Card(id: 1)], toSection: "t") }
    let following = Task {
      try await mirror.follow(clock: ImmediateClock(), silence: nil) { token in
        server.events(after: token) { try Array(JSONEncoder().encode($0)) }
      } decode: {
        try JSONDecoder().decode(Batch.Delta.self, from: Data($0))
      }
    }
    // What the connection has brought came after it.
    try await wait { await mirror.snapshot.containsItem(1) }
    await link.release()
    #expect(await write.outcome.acceptance != nil)
    #expect(await link.sent.count == 2)
    // The failure after that has its pause.
    await link.will(.isLost)
    let next = try await list.update { try $0.update(0) { $0.text += "?" } }
    try await wait { clock.sleeping == 1 }
    #expect(await link.sent.count == 3)
    clock.advance(by: .seconds(30))
    #expect(await next.outcome.acceptance != nil)
    following.cancel()
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
    try await link.sending(1)
    await link.release()
    try await wait { await link.server.snapshot.itemIdentifiers.count >= 2 }
    try await link.deliverAll()
    #expect(await first.outcome.acceptance != nil)
    #expect(await list.snapshot.itemIdentifiers == [100, 0])
    let named = try #require(await batches.next())
    #expect("\(named.difference)".contains("⇝"), "\(named.difference)")
    try await link.sending(2)
    try await wait { await link.server.snapshot.itemIdentifiers == [100, 0] }
    try await link.deliverAll()
    #expect(await second.outcome.acceptance != nil)
    #expect(await list.element(for: 100)?.text == "given")
  }

  @Test("Edits that belong together are taken back as one, and made again in their order")
  func groupedUndo() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.arrives, .waits)
    let list = try await link.editable()
    try await list.update(named: "First") { $0.setModel(Card(id: 1, text: "first")) }
    try await wait { await link.server.model(for: 1)?.text == "first" }
    try await link.deliverAll()
    let start = await list.revision
    var last: ProposedWrite<Batch>?
    for text in ["a", "ab", "abc"] {
      last = try await list.update(named: text) { draft in
        draft.setModel(Card(id: 0, text: text))
        if text == "a" { try draft.appendItems([Card(id: 2)], toSection: "s") }
        if text == "abc" { try draft.update(2) { $0.text = "end" } }
      }
    }
    await list.groupUndo(since: start)
    try await link.sending(2)
    // A step has the name of its newest change, in both directions.
    #expect(await list.nextUndo()?.name == "abc")
    // Two were not sent, and are withdrawn.
    #expect(try await list.undo()?.name == "abc")
    guard case .withdrawn = await last?.outcome else {
      Issue.record("not withdrawn")
      return
    }
    #expect(await list.snapshot.itemIdentifiers == [0, 1])
    #expect(await list.element(for: 0)?.text == "0")
    #expect(await list.nextUndo()?.name == "First")
    #expect(await list.nextRedo()?.name == "abc")
    #expect(try await list.redo()?.name == "abc")
    #expect(await list.nextUndo()?.name == "abc")
    #expect(await list.snapshot.itemIdentifiers == [0, 1, 2])
    #expect(await list.element(for: 0)?.text == "abc")
    #expect(await list.element(for: 2)?.text == "end")
    try await list.undo()
    await link.release()
    try await link.settle(list)
    #expect(await link.server.snapshot.itemIdentifiers == [0, 1])
    #expect(await link.server.model(for: 0)?.text == "0")
    #expect(try await list.undo()?.name == "First")
  }

  @Test("A renaming that was taken back before it was sent is one again when it is made again")
  func renamingAgain() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.waits)
    let list = try await link.editable()
    try await list.update { $0.setModel(Card(id: 1, text: "x")) }
    try await link.sending(1)
    try await list.update(named: "Rename") { try $0.renameItem(0, to: Card(id: 100)) }
    try await list.undo()
    #expect(await list.snapshot.itemIdentifiers == [0, 1])
    var batches = list.updates(.every(limit: 100)).makeAsyncIterator()
    #expect(await batches.next()?.snapshot.itemIdentifiers == [0, 1])
    try await list.redo()
    let batch = try #require(await batches.next())
    #expect(batch.snapshot.itemIdentifiers == [100, 1])
    #expect(batch.difference.itemInserts.isEmpty && batch.difference.itemDeletes.isEmpty)
    await link.release()
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
    try await wait { await link.server.model(for: 0)?.column == "t" }
    try await link.deliverAll()
    #expect(await "\(link.server.snapshot)" == "s[1 2] t[0]")
  }

  @Test("A drop finds a row that others have renamed during the drag")
  func dragOfRenamed() async throws {
    let link = try await ProposalLink.started(0..<3)
    let list = try await link.editable()
    var drag = try #require(try await list.beginReorder([0]))
    _ = try drag.proposed(to: .end(of: "t"))
    try await link.server.update { try $0.renameItem(0, to: Card(id: 100)) }
    try await link.deliverAll()
    _ = try await drag.commit()
    #expect(await "\(list.snapshot)" == "s[1 2] t[100]")
  }

  @Test("A list that ends keeps what is pending, and sends nothing")
  func finish() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.will(.waits)
    let list = try await link.editable()
    let write = try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    try await link.sending(1)
    await link.mirror.finish()
    try #require(await write.outcome.failure != nil)
    #expect(await list.pending?.count == 1)
    await #expect(throws: DataSourceError.self) { try await list.update { _ in } }
    await link.release()
    #expect(await ended(list.updates()))
    // Whoever requests it later gets a list that has ended, too.
    let later = try await link.editable(link.mirror)
    #expect(await ended(later.updates()))
  }

  @Test("When a list has ended, nothing is taken back, and no outcome is told again")
  func undoAfterEnd() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.will(.waits)
    let told = Lock<[WriteID]>([])
    let list = try await link.mirror.editable { proposal in
      try await link.send(proposal)
    } decided: { write, _ in
      told.withLock { $0.append(write.id) }
    }
    var names: [WriteID] = []
    for (id, name) in [(2, "sent"), (3, "waits")] {
      let write = try await list.update(named: name) {
        try $0.appendItems([Card(id: id)], toSection: "s")
      }
      names.append(write.id)
      try await link.sending(1)
    }
    await link.mirror.finish()
    await #expect(throws: DataSourceError.self) { try await list.undo() }
    await link.mirror.finish()
    #expect(told.withLock { $0 } == names)
    #expect(await list.pending?.count == 2)
    #expect(await list.nextUndo()?.name == "waits")
    #expect(await list.snapshot.itemIdentifiers == [0, 2, 3])
    await link.release()
  }

  @Test("A list that is requested when the mirror has ended shows its last state, and ends")
  func requestedLate() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.mirror.finish()
    let list = try await link.editable()
    #expect(await list.snapshot.itemIdentifiers == [0, 1])
    #expect(await ended(list.updates()))
    await #expect(throws: DataSourceError.self) { try await list.update { _ in } }
  }

  @Test("A later request replaces those who hear of failures and outcomes")
  func listeners() async throws {
    let link = try await ProposalLink.started(0..<1)
    await link.answerWhole()
    let heard = Lock<[String]>([])
    let options = ProposalOptions(source: SourceOptions(clock: ImmediateClock()))
    for name in ["first", "second"] {
      await link.will(.isLost)
      let list = try await link.mirror.editable(options: options) { proposal in
        try await link.send(proposal)
      } decided: { write, _ in
        heard.withLock { $0.append("\(name): \(write.name ?? "") is decided") }
      } failure: { error in
        heard.withLock { $0.append("\(name): \(error is ProposalLink.Cut)") }
      }
      let write = try await list.update(named: name) { try $0.update(0) { $0.text += "!" } }
      #expect(await write.outcome.acceptance != nil)
    }
    try await wait { heard.withLock { $0.count } == 4 }
    #expect(
      heard.withLock { $0 } == [
        "first: true", "first: first is decided", "second: true", "second: second is decided",
      ])
  }
}

/// Whether a stream ends.
private func ended(_ stream: AsyncStream<EditableMirrorTests.Batch>) async -> Bool {
  for await _ in stream {}
  return true
}
