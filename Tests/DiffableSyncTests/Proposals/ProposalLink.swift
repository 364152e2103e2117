import Diffable
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

/// A server, one follower, and what is between them, as a test wants it.
actor ProposalLink {
  typealias Batch = ModelBatch<String, Card>
  typealias Answer = ProposalAnswer<Batch>

  struct Cut: Error {}

  /// What happens to the next proposals.
  enum Fate {
    case arrives
    /// It arrives, and its answer is lost.
    case losesAnswer
    /// It does not arrive.
    case isLost
    /// It waits until the test lets it go on.
    case waits
    /// The same, and it does not arrive.
    case waitsAndIsLost
  }

  nonisolated let server: ModelSource<String, Card>
  nonisolated let mirror: MirrorSource<Batch>
  private var batches: AsyncStream<Batch>.Iterator
  private var fates: [Fate] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// Whether answers bring what the follower does not have yet, so that it need not wait for the stream.
  private var areAnswersWhole = false
  /// The proposals that were sent, in their order.
  private(set) var sent: [WriteID] = []
  var decide: @Sendable (ProposedChange<Batch>, inout ModelDraft<String, Card>) throws -> Void = {
    _, _ in
  }

  init(_ server: ModelSource<String, Card>, _ mirror: MirrorSource<Batch> = MirrorSource()) {
    (self.server, self.mirror) = (server, mirror)
    batches = server.updates(.every(limit: 1000)).makeAsyncIterator()
  }

  /// A server with some cards, and a follower that shows them.
  static func started(_ ids: Range<Int>, history: Int = 64) async throws -> ProposalLink {
    let server = ModelSource<String, Card>(options: SourceOptions(history: history))
    try await server.apply(
      ids.map { Card(id: $0, text: "\($0)") }, section: { _ in "s" }, sections: ["s", "t"])
    let link = ProposalLink(server)
    try await link.deliver()
    return link
  }

  func will(_ fates: Fate...) { self.fates += fates }

  func answerWhole() { areAnswersWhole = true }

  func decide(
    _ decide:
      @escaping @Sendable (ProposedChange<Batch>, inout ModelDraft<String, Card>) throws ->
      Void
  ) {
    self.decide = decide
  }

  /// Lets the follower have the next revision.
  func deliver() async throws {
    var batches = batches
    guard let batch = await batches.next(isolation: self) else { return }
    self.batches = batches
    try await mirror.apply(DeltaLawTests.sent(batch.delta))
  }

  /// Lets the follower have everything that the server has now.
  func deliverAll() async throws {
    let token = server.token(for: await server.revision)
    while await mirror.resumeToken != token {
      try Task.checkCancellation()
      try await deliver()
    }
  }

  /// Lets the follower have everything until nothing is pending.
  func settle(_ list: EditableMirror<Batch>) async throws {
    while await list.pending?.count != 0 {
      try Task.checkCancellation()
      try await deliverAll()
      await Task.yield()
    }
  }

  /// Lets the proposals go on that wait.
  func release() {
    let released = waiting
    waiting = []
    for waiter in released { waiter.resume() }
  }

  /// Waits until so many proposals were sent.
  nonisolated func sending(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await wait(for: "Proposal \(count)", sourceLocation: sourceLocation) {
      await sent.count >= count
    }
  }

  /// Sends a proposal as an HTTP client would.
  func send(_ proposal: Proposal<Batch>) async throws -> Answer {
    sent.append(proposal.id)
    let fate = fates.isEmpty ? .arrives : fates.removeFirst()
    if fate == .waits || fate == .waitsAndIsLost {
      await withCheckedContinuation { waiting.append($0) }
    }
    if fate == .isLost || fate == .waitsAndIsLost { throw Cut() }
    let answer = try await server.accept(ProposalTests.sent(proposal), decide)
    if case .losesAnswer = fate { throw Cut() }
    return try ProposalTests.sent(areAnswersWhole ? answer : answer.withoutDelta)
  }

  /// The list that the user of the follower edits.
  nonisolated func editable(
    _ mirror: MirrorSource<Batch>? = nil, resuming pending: PendingEdits<Batch>? = nil,
    pausing clock: any Clock<Duration> = ImmediateClock(), from pause: Duration = .seconds(1),
    to longestPause: Duration = .seconds(30)
  ) async throws -> EditableMirror<Batch> {
    try await (mirror ?? self.mirror).editable(
      resuming: pending,
      options: ProposalOptions(
        pause: pause, longestPause: longestPause, source: SourceOptions(clock: clock)),
      dropHandler: { card, section in card.column = section }
    ) { proposal in
      try await self.send(proposal)
    }
  }
}

extension ProposalAnswer {
  /// What an owner answers that leaves the rest to the stream.
  var withoutDelta: ProposalAnswer {
    guard case .accepted(var acceptance) = self else { return self }
    acceptance.delta = nil
    return .accepted(acceptance)
  }
}
