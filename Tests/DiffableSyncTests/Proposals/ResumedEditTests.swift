import Diffable
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

@Suite("A list that is requested again goes on with its changes", .deadline)
struct ResumedEditTests {
  typealias Batch = ModelBatch<String, Card>

  @Test(
    "What one sender was sending when another took its place is made, and all else sent by the other",
    arguments: [false, true])
  func sentByAnother(isAnswered: Bool) async throws {
    let link = try await ProposalLink.started(0..<2)
    let (hasFailed, isOver) = (Flag(), Flag())
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    let list = try await link.mirror.editable(
      options: ProposalOptions(source: SourceOptions(clock: ImmediateClock()))
    ) {
      proposal in
      start.yield()
      // Ends when the task is cancelled.
      for await _ in never {}
      guard isAnswered else { throw CancellationError() }
      return try await Task { try await link.send(proposal) }.value
    } failure: { [listener = Listener(isOver)] _ in
      withExtendedLifetime(listener) { hasFailed.raise() }
    }
    let writes = [
      try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") },
      try await list.update { try $0.appendItems([Card(id: 3)], toSection: "s") },
    ]
    for await _ in starts { break }
    let again = try await link.editable()
    try await link.settle(again)
    for write in writes { #expect(await write.outcome.acceptance != nil) }
    #expect(await link.server.snapshot.itemIdentifiers == [0, 1, 2, 3])
    start.finish()
    #expect(await starts.reduce(into: 0) { count, _ in count += 1 } == 0)
    end.finish()
    // That the first one was cancelled is no failure.
    try await wait { isOver.isRaised }
    #expect(!hasFailed.isRaised)
  }

  /// Says when nobody can call it any more.
  private final class Listener: Sendable {
    private let isGone: Flag

    init(_ isGone: Flag) { self.isGone = isGone }

    deinit { isGone.raise() }
  }

  @Test("Changes that are resumed although they are pending are pending once")
  func resumedTwice() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.waits)
    let list = try await link.editable()
    try await list.update { try $0.update(0) { $0.text += "!" } }
    // A second time, the item would come back, and go again.
    try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    try await list.update { $0.snapshot.deleteItems([2]) }
    try await link.sending(1)
    let pending = try #require(await list.pending)
    for _ in 0..<2 {
      let again = try await link.editable(resuming: pending)
      #expect(await again.pending?.count == 3)
    }
    await link.release()
    try await wait { await link.server.model(for: 0)?.text == "0!" }
    // The stream has the first change, and its answer may be on the way.
    try await link.deliverAll()
    try await link.settle(try await link.editable())
    #expect(await link.server.snapshot.itemIdentifiers == [0, 1])
    #expect(await list.element(for: 0)?.text == "0!")
  }

  @Test("What is asked again for a lost answer as the changes are stored is asked in the next life")
  func asked() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.losesAnswer, .waits)
    let list = try await link.editable()
    let write = try await list.update { try $0.update(0) { $0.text += "!" } }
    try await link.sending(2)
    // The stream shows the change while the question is on its way.
    try await link.deliverAll()
    let pending = try #require(await list.pending)
    #expect(await list.element(for: 0)?.text == "0!")
    await link.mirror.finish()
    await link.release()
    let mirror = MirrorSource<Batch>()
    let next = ProposalLink(link.server, mirror)
    let resumed = try await next.editable(mirror, resuming: pending)
    try await wait { await !next.sent.isEmpty }
    #expect(await next.sent == [write.id])
    #expect(await resumed.element(for: 0)?.text == "0!")
    #expect(await link.server.model(for: 0)?.text == "0!")
  }

  @Test("A stored undo that makes nothing at present is still the undo of its change")
  func undoOfNothing() async throws {
    let link = try await ProposalLink.started(0..<2)
    let list = try await link.editable()
    let write = try await list.update(named: "x") { try $0.update(0) { $0.text = "x" } }
    try await link.sending(1)
    try await link.settle(list)
    await link.will(.waits)
    try await list.undo()
    try await link.sending(2)
    // Others delete the row, so that there is nothing to take back.
    try await link.server.update { $0.snapshot.deleteItems([0]) }
    try await link.deliverAll()
    let pending = try #require(await list.pending)
    #expect(pending.proposals.map(\.reverses) == [write.id])
    await link.release()
  }

  @Test("Stored changes come on top of what the mirror has received in its new life")
  func afterFollowing() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.waits)
    let list = try await link.editable()
    try await list.update { try $0.update(0) { $0.column = "mine" } }
    try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    try await link.sending(1)
    let pending = try #require(await list.pending)
    try await link.server.update { draft in
      try draft.update(1) { $0.text = "theirs" }
      try draft.appendItems([Card(id: 3)], toSection: "t")
    }

    let mirror = MirrorSource<Batch>()
    let next = ProposalLink(link.server, mirror)
    await next.will(.waits)
    try await next.deliver()
    let (token, confirmed) = await (mirror.resumeToken, mirror.snapshot)
    #expect("\(confirmed)" == "s[0 1] t[3]")
    let resumed = try await next.editable(mirror, resuming: pending)
    #expect(await mirror.resumeToken == token)
    #expect(await mirror.snapshot == confirmed)
    #expect(await mirror.element(for: 1)?.text == "theirs")
    #expect(await "\(resumed.snapshot)" == "s[0 1 2] t[3]")
    #expect(await resumed.element(for: 0)?.column == "mine")
    #expect(await resumed.element(for: 1)?.text == "theirs")
    try await next.sending(1)
    await next.release()
    await link.release()
  }

  @Test("A mirror that has ended takes over no stored changes, whose outcomes nobody would learn")
  func resumedTooLate() async throws {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.waits)
    let list = try await link.editable()
    try await list.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    try await link.sending(1)
    let pending = try #require(await list.pending)
    let mirror = MirrorSource<Batch>()
    let next = ProposalLink(link.server, mirror)
    try await next.deliver()
    await mirror.finish()
    await #expect(throws: DeltaError.finished) {
      _ = try await next.editable(mirror, resuming: pending)
    }
    #expect(try await next.editable(mirror).undecided.isEmpty)
    await link.release()
  }

  /// Stored changes of which one does not fit, and the link to their owner.
  private func misfits() async throws -> (link: ProposalLink, stored: PendingEdits<Batch>) {
    let link = try await ProposalLink.started(0..<2)
    await link.will(.waits)
    let list = try await link.editable()
    for id in 2..<5 { try await list.update { try $0.appendItems([Card(id: id)], toSection: "s") } }
    try await link.sending(1)
    let text = String(decoding: try JSONEncoder().encode(await list.pending), as: UTF8.self)
    // The third is made of a state that has the item already.
    let damaged = text.replacing(#"[4]"#, with: #"[3]"#)
    #expect(damaged != text)
    return (link, try JSONDecoder().decode(PendingEdits<Batch>.self, from: Data(damaged.utf8)))
  }

  @Test("Stored changes of which one does not fit change nothing", arguments: [false, true])
  func misfit(hasState: Bool) async throws {
    let (link, stored) = try await misfits()
    let mirror = MirrorSource<Batch>()
    let next = ProposalLink(link.server, mirror)
    if hasState { try await next.deliver() }
    let token = await mirror.resumeToken
    await #expect(throws: DeltaError.self) { try await next.editable(mirror, resuming: stored) }
    #expect(await mirror.resumeToken == token)
    let empty = try await next.editable()
    #expect(await empty.pending?.count == (hasState ? 0 : nil))
    #expect(await empty.snapshot.itemIdentifiers == (hasState ? [0, 1] : []))
    await link.release()
  }

  @Test("If stored changes do not fit, outcomes are told as before")
  func listenersOfMisfit() async throws {
    let (link, stored) = try await misfits()
    let mirror = MirrorSource<Batch>()
    let next = ProposalLink(link.server, mirror)
    try await next.deliver()
    await next.answerWhole()
    let heard = Lock<[String]>([])
    func editable(
      _ name: String, resuming pending: PendingEdits<Batch>? = nil
    ) async throws -> EditableMirror<Batch> {
      try await mirror.editable(resuming: pending) { proposal in
        try await next.send(proposal)
      } decided: { _, _ in
        heard.withLock { $0.append(name) }
      }
    }
    let list = try await editable("first")
    await #expect(throws: DeltaError.self) { _ = try await editable("second", resuming: stored) }
    try await list.update { try $0.update(0) { $0.text += "!" } }
    try await wait { heard.withLock { !$0.isEmpty } }
    #expect(heard.withLock { $0 } == ["first"])
    await link.release()
  }

  enum Ending: CaseIterable { case finished, replaced, released }

  /// A mirror whose change is being sent.
  private func sending(
    _ server: ModelSource<String, Card>, _ clock: ManualClock, _ isCancelled: Flag
  ) async throws -> MirrorSource<Batch> {
    let mirror = MirrorSource<Batch>()
    for await batch in server.updates() {
      try await mirror.apply(batch.delta)
      break
    }
    let list = try await mirror.editable { _ in
      do {
        try await clock.sleep(for: .seconds(1))
      } catch {
        isCancelled.raise()
        throw error
      }
      throw ProposalLink.Cut()
    }
    try await list.update { try $0.update(0) { $0.text += "!" } }
    try await wait { clock.sleeping == 1 }
    return mirror
  }

  @Test("What is being sent is cancelled if nobody waits for it", arguments: Ending.allCases)
  func cancelled(ending: Ending) async throws {
    let link = try await ProposalLink.started(0..<1)
    let (clock, isCancelled) = (ManualClock(), Flag())
    func begin() async throws -> MirrorSource<Batch>? {
      let mirror = try await sending(link.server, clock, isCancelled)
      return ending == .released ? nil : mirror
    }
    let mirror = try await begin()
    if ending == .finished { await mirror?.finish() }
    if ending == .replaced { _ = try await mirror?.editable { _ in throw ProposalLink.Cut() } }
    try await wait { isCancelled.isRaised }
    withExtendedLifetime(mirror) {}
  }
}
