import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

@Suite("A proposal that waits for its base or its turn", .deadline) struct WaitingProposalTests {
  typealias Replica = ReplicatedSource<ModelBatch<String, Card>>
  typealias CardProposal = Proposal<ModelBatch<String, Card>>

  private static let cards = (1...3).map { Card(id: $0) }

  /// A server that has three cards.
  private func server(
    _ log: MemoryLog, options: ReplicationOptions = .quick
  ) async throws -> (server: Replica, way: MemoryLog.Participant) {
    let way = log.participant()
    let server = try await Replica(cards: way, options: options)
    try await server.apply(Self.cards, section: { _ in "s" })
    return (server, way)
  }

  /// What a follower proposes that moves the second card to the beginning.
  private func proposal(basedOn token: ResumeToken) async throws -> CardProposal {
    let source = ModelSource<String, Card>()
    try await source.apply(Self.cards, section: { _ in "s" })
    var batches = source.updates(.every(limit: 10)).makeAsyncIterator()
    _ = await batches.next()
    try await source.update { try $0.moveItem(2, beforeItem: 1) }
    return try ProposalTests.sent(
      CardProposal(try #require(await batches.next()), basedOn: token))
  }

  @Test("One that waits for its turn knows what others rename meanwhile, also without a history")
  func renamedMeanwhile() async throws {
    let log = MemoryLog()
    var options = ReplicationOptions.quick
    options.source.history = 0
    let (mine, way) = try await server(log, options: options)
    let other = try await Replica(cards: log.participant())
    try await other.reached(Revision(1))
    let proposal = try await proposal(basedOn: mine.token(for: Revision(1)))
    let isOffered = Flag()
    way.disturb { request in
      guard request == .append else { return nil }
      isOffered.raise()
      return .loseRequest
    }
    let answer = Task { try await mine.accept(proposal) { _, _ in } }
    try await wait { isOffered.isRaised }
    try await other.update { try $0.renameItem(2, to: Card(id: 20)) }
    let last = try await other.setModel(Card(id: 3, text: "x")).revision
    try await mine.reached(last)
    way.heal()
    try #require(await answer.value.acceptance != nil)
    #expect(await mine.snapshot.itemIdentifiers == [20, 1, 3])
  }

  @Test("A base of another log is unknown at once, however large its number is")
  func foreignBase() async throws {
    let (mine, _) = try await server(MemoryLog())
    let (other, _) = try await server(MemoryLog())
    let last = try await other.setModel(Card(id: 3, text: "x")).revision
    let proposal = try await proposal(basedOn: other.token(for: last))
    let answer = try await ended { try await mine.accept(proposal) { _, _ in } }
    guard case .unknownBase = answer else {
      Issue.record("The base is known.")
      return
    }
  }

  @Test("The wait for a base ends with the task and with the source", arguments: [false, true])
  func endedWait(isFinished: Bool) async throws {
    let log = MemoryLog()
    let (mine, way) = try await server(log)
    let other = try await Replica(cards: log.participant())
    try await other.reached(Revision(1))
    way.cut()
    let last = try await other.setModel(Card(id: 3, text: "x")).revision
    let proposal = try await proposal(basedOn: other.token(for: last))
    let answer = Task { try await mine.accept(proposal) { _, _ in } }
    try await wait { await mine.isWaitedFor }
    if isFinished { await mine.finish() } else { answer.cancel() }
    await #expect(throws: isFinished ? DataSourceError.finished : .cancelled) {
      try await ended { try await answer.value }
    }
  }
}
