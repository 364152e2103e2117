import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@Suite("A proposal is made once, whichever server receives it", .deadline)
struct ReplicatedProposalTests {
  typealias Replica = ReplicatedSource<ModelBatch<String, Card>>
  typealias CardProposal = Proposal<ModelBatch<String, Card>>

  private func servers(
    _ log: MemoryLog, _ count: Int = 2, options: ReplicationOptions = .quick
  ) async throws
    -> [(server: Replica, way: MemoryLog.Participant)]
  {
    var servers: [(Replica, MemoryLog.Participant)] = []
    for _ in 0..<count {
      let way = log.participant()
      servers.append((try await Replica(cards: way, options: options), way))
    }
    return servers
  }

  /// What a follower proposes that adds an item to the live state of a server, or names another one.
  private func proposal(
    adding id: Int, to server: Replica, named base: Revision? = nil
  ) async throws -> CardProposal {
    let revision = await server.revision
    let token = server.token(for: base ?? revision)
    let shown = await server.snapshot
    var next = shown
    try next.appendItems([id], toSection: "s")
    let source = ModelSource<String, Card>()
    try await source.apply(shown, models: shown.itemIdentifiers.map { Card(id: $0) })
    var batches = source.updates(.every(limit: 10)).makeAsyncIterator()
    _ = await batches.next()
    try await source.apply(next, models: [Card(id: id)])
    return try ProposalTests.sent(
      CardProposal(try #require(await batches.next()), basedOn: token))
  }

  @Test("Two servers that receive it answer the same")
  func both() async throws {
    let servers = try await servers(MemoryLog())
    let (first, second) = (servers[0].server, servers[1].server)
    try await first.apply([Card(id: 1)], section: { _ in "s" })
    try await second.reached(Revision(1))
    let proposal = try await proposal(adding: 2, to: first)
    async let one = first.accept(proposal) { _, _ in }
    async let other = second.accept(proposal) { _, _ in }
    let tokens = try await [one.acceptance?.token, other.acceptance?.token]
    #expect(tokens[0] != nil && tokens[0] == tokens[1])
    let later = try await self.proposal(adding: 3, to: first)
    #expect(try await first.accept(later, { _, _ in }).acceptance != nil)
    for server in [first, second] {
      try await server.reached(Revision(3))
      #expect(await server.snapshot.itemIdentifiers == [1, 2, 3])
      #expect(await server.revision == Revision(3))
    }
  }

  @Test("One that comes twice while the log is busy is made once, and answered twice")
  func twiceAtOnce() async throws {
    let log = GatedLog(MemoryLog())
    let server = try await Replica(cards: log)
    try await server.apply([Card(id: 1)], section: { _ in "s" })
    let proposal = try await proposal(adding: 2, to: server)
    log.close()
    let write = Task { try await server.setModel(Card(id: 1, text: "x")) }
    try await wait { log.held == 1 }
    let answers = (0..<2).map { _ in Task { try await server.accept(proposal) { _, _ in } } }
    try await wait { await server.numberOfWaitingWrites == 2 }
    log.open()
    _ = try await write.value
    for answer in answers {
      #expect(try await answer.value.acceptance?.token == server.token(for: Revision(3)))
    }
    #expect(log.appends == [1, 1, 1])
    #expect(await server.snapshot.itemIdentifiers == [1, 2])
  }

  @Test("One whose fate was unknown is made once", arguments: 0..<2)
  func lostAnswer(server: Int) async throws {
    let servers = try await servers(MemoryLog(), options: .impatient)
    let first = servers[0]
    try await first.server.apply([Card(id: 1)], section: { _ in "s" })
    try await servers[1].server.reached(Revision(1))
    let proposal = try await proposal(adding: 2, to: first.server)
    // The entry is appended, and nobody hears of it.
    first.way.disturb { $0 == .append ? .loseAnswer : .loseRequest }
    await #expect(throws: ReplicationError.self) {
      try await first.server.accept(proposal) { _, _ in }
    }
    first.way.heal()
    let answer = try await servers[server].server.accept(proposal) { _, _ in }
    let known = try #require(answer.acceptance?.token)
    #expect(known == servers[server].server.token(for: Revision(2)))
    for (server, _) in servers {
      try await server.reached(Revision(2))
      #expect(await server.snapshot.itemIdentifiers == [1, 2])
    }
  }

  @Test(
    "A server that another one is ahead of answers once it has read the base, also if its log lacks that",
    arguments: [false, true])
  func baseToCome(isLate: Bool) async throws {
    let log = MemoryLog()
    let first = try await servers(log, 1)[0].server
    try await first.apply([Card(id: 1)], section: { _ in "s" })
    let late = LateLog(log)
    let ownLog: any RevisionLog = isLate ? late : late.log
    let second = try await Replica(cards: ownLog, options: .quick)
    try await second.reached(Revision(1))
    late.log.cut()
    try await first.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    let proposal = try await proposal(adding: 3, to: first)
    let answer = Task { try await second.accept(proposal) { _, _ in } }
    try await wait { await second.isWaitedFor }
    late.log.heal()
    #expect(try await answer.value.acceptance?.token == second.token(for: Revision(3)))
    #expect(await second.snapshot.itemIdentifiers == [1, 2, 3])
  }

  @Test("The log is asked for all that wait, and not on behalf of one of them")
  func question() async throws {
    let memory = MemoryLog()
    let (first, log) = (try await servers(memory, 1)[0].server, AskedLog(memory))
    try await first.apply([Card(id: 1)], section: { _ in "s" })
    var options = ReplicationOptions.quick
    options.timeLimit = .zero
    let server = try await Replica(cards: log, options: options)
    let proposal = try await proposal(adding: 2, to: first, named: Revision(9))
    try await AskedLog.$asker.withValue("one of them") {
      guard case .unknownBase = try await server.accept(proposal, { _, _ in }) else {
        Issue.record("the base is known")
        return
      }
    }
    #expect(log.askers.last == .some(nil))
    // Those that come later ask again.
    let asked = log.askers.count
    try await server.accept(proposal) { _, _ in }
    #expect(log.askers.count == asked + 1)
  }

  @Test("If its base is not read in time, only its own wait ends")
  func ownWait() async throws {
    let (log, clock) = (MemoryLog(), ManualClock())
    let (first, way) = (try await servers(log, 1)[0].server, log.participant())
    try await first.apply([Card(id: 1)], section: { _ in "s" })
    var options = ReplicationOptions.quick
    (options.source.clock, options.timeLimit) = (clock, .seconds(10))
    // The task that follows the log sleeps for longer, and so does the one that looks whether others could start.
    (options.pause, options.longestPause) = (.seconds(100), .seconds(100))
    options.checkInterval = .seconds(3_600)
    let second = try await Replica(cards: way, options: options)
    way.cut()
    try await first.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    let proposal = try await proposal(adding: 3, to: first)
    try await wait { clock.nextDeadline.map { $0.offset <= options.longestPause } ?? false }
    let other = Task { await second.waitToBeWoken() }
    try await wait { await second.isWaitedFor }
    let answer = Task { try await second.accept(proposal) { _, _ in } }
    try await wait { clock.nextDeadline?.offset == options.timeLimit }
    clock.advance(by: .seconds(10))
    await #expect(throws: ReplicationError.self) { try await ended { try await answer.value } }
    #expect(await second.isWaitedFor)
    other.cancel()
    await other.value
  }

  @Test("Its time counts from the call, also if it has waited for its base")
  func timeLimit() async throws {
    let (memory, clock) = (MemoryLog(), ManualClock())
    let (first, log) = (try await servers(memory, 1)[0].server, GatedLog(memory))
    try await first.apply([Card(id: 1)], section: { _ in "s" })
    var options = ReplicationOptions.quick
    (options.source.clock, options.timeLimit) = (clock, .seconds(10))
    (options.pause, options.longestPause) = (.seconds(5), .seconds(5))
    options.checkInterval = .seconds(3_600)
    let second = try await Replica(cards: log, options: options)
    try await second.reached(Revision(1))
    log.log.cut()
    log.close()
    try await first.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    let proposal = try await proposal(adding: 3, to: first)
    // The task that follows the log.
    try await wait { clock.nextDeadline.map { $0.offset <= options.longestPause } ?? false }
    let answer = Task { try await second.accept(proposal) { _, _ in } }
    try await wait { await second.isWaitedFor }
    log.log.heal()
    clock.advance(by: .seconds(6))
    // The log has been asked, and its answer is waited for until the time is over.
    try await wait { log.held == 1 && clock.nextDeadline?.offset == options.timeLimit }
    clock.advance(by: .seconds(4))
    await #expect(throws: ReplicationError.self) { try await ended { try await answer.value } }
    #expect(await second.snapshot.itemIdentifiers == [1, 2])
  }

  @Test("The limits with which it was read hold, and those of the list", arguments: [false, true])
  func limits(areOfList: Bool) async throws {
    let limits = DeltaLimits(listCount: 2)
    var options = ReplicationOptions.quick
    if areOfList { options.limits = limits }
    let server = try await servers(MemoryLog(), 1, options: options)[0].server
    try await server.apply([Card(id: 1), Card(id: 2)], section: { _ in "s" })
    let text = try JSONEncoder().encode(try await proposal(adding: 3, to: server))
    let proposal = try CardProposal.read(text, limits: areOfList ? DeltaLimits() : limits) {
      try JSONDecoder().decode(CardProposal.self, from: $0)
    }
    let answer = try await server.accept(proposal) { _, _ in }
    #expect(answer.refusal?.code == "tooManyElements")
    #expect(await server.snapshot.itemIdentifiers == [1, 2])
  }

  @Test(
    "A change that has become too large for the list is refused, so that its follower goes on",
    arguments: [false, true])
  func becomesTooLarge(isList: Bool) async throws {
    var options = ReplicationOptions.quick
    options.limits = isList ? DeltaLimits(listCount: 2) : DeltaLimits(byteCount: 2_000)
    let server = try await servers(MemoryLog(), 1, options: options)[0].server
    try await server.apply([Card(id: 1)], section: { _ in "s" })
    let proposal = try await proposal(adding: 3, to: server)
    try await server.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    for _ in 0..<2 {
      let answer = try await server.accept(proposal) { _, draft in
        if !isList { draft.setModel(Card(id: 3, text: String(repeating: "x", count: 3_000))) }
      }
      #expect(answer.refusal?.code == (isList ? "tooManyElements" : "tooLong"))
    }
    try await server.setModel(Card(id: 1, text: "y"))
    #expect(await server.revision == Revision(3))
    #expect(await server.snapshot.itemIdentifiers == [1, 2])
  }

  @Test("What the server decides is decided again on a newer state, and is in its entry")
  func decision() async throws {
    let servers = try await servers(MemoryLog())
    let (first, second) = (servers[0].server, servers[1].server)
    try await first.apply([Card(id: 1)], section: { _ in "s" })
    let proposal = try await proposal(adding: -1, to: first)
    try await second.reached(Revision(1))
    // The first server has not heard of it.
    try await second.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    let answer = try await first.accept(proposal) { change, draft in
      for case .insertItem(let id, _) in change.changes {
        let number = (change.batch.snapshot.itemIdentifiers.max() ?? 0) + 1
        try draft.renameItem(id, to: Card(id: number, text: "given"))
      }
    }
    #expect(answer.acceptance?.token == first.token(for: Revision(3)))
    for server in [first, second] {
      try await server.reached(Revision(3))
      #expect(await server.snapshot.itemIdentifiers == [1, 3, 2])
      #expect(await server.element(for: 3)?.text == "given")
    }
    let refused = try await self.proposal(adding: 9, to: first)
    for isAllowed in [false, true] {
      let answer = try await first.accept(refused) { _, _ in
        if !isAllowed { throw Refusal(code: "no", reason: "No.") }
      }
      let refusal = try #require(answer.refusal)
      #expect(refusal.code == "no")
    }
    #expect(await first.revision == Revision(3))
  }

  /// A change of the cards 1, 2 and 3, in a list in which they are in this order.
  enum Deed: CaseIterable {
    case text, otherText, deletion, move, renaming, nothing

    func make(by writer: String, _ draft: inout ModelDraft<String, Card>) throws {
      switch self {
      case .text: try draft.update(1) { $0.text = writer }
      case .otherText: try draft.update(2) { $0.text = writer }
      case .deletion: draft.deleteItems([1])
      case .move: try draft.moveItem(1, afterItem: writer == "mine" ? 3 : 2)
      case .renaming: try draft.renameItem(1, to: Card(id: writer == "mine" ? 11 : 12))
      case .nothing: break
      }
    }
  }

  /// What an answer says that the proposal contradicted.
  private func contradicted(
    by answer: ProposalAnswer<ModelBatch<String, Card>>
  ) throws -> (conflicts: [MergeConflict<String, Int>], theirs: [Card]) {
    let acceptance = try #require(answer.acceptance)
    return (acceptance.conflicts, acceptance.theirs)
  }

  @Test("A server that did not make it says what it contradicted, also one that began since")
  func contradictions() async throws {
    for mine in Deed.allCases {
      for theirs in Deed.allCases {
        let log = MemoryLog()
        let servers = try await servers(log)
        let (first, second) = (servers[0].server, servers[1].server)
        let cards = (1...3).map { Card(id: $0) }
        try await first.apply(cards, section: { _ in "s" })
        let base = first.token(for: await first.revision)
        let source = ModelSource<String, Card>()
        try await source.apply(cards, section: { _ in "s" })
        var batches = source.updates(.every(limit: 10)).makeAsyncIterator()
        _ = await batches.next()
        guard try await source.update({ try mine.make(by: "mine", &$0) }).change != nil else {
          continue
        }
        let proposal = try ProposalTests.sent(
          CardProposal(try #require(await batches.next()), basedOn: base))
        try await first.update { try theirs.make(by: "theirs", &$0) }
        try await first.update { try $0.appendItems([Card(id: 4)], toSection: "s") }
        let made = try await contradicted(by: first.accept(proposal) { _, _ in })
        try await first.update { try $0.appendItems([Card(id: 5)], toSection: "s") }
        try await second.reached(first.revision)
        let third = try await Replica(cards: log.participant(), options: .quick)
        try await third.reached(first.revision)
        for server in [first, second, third] {
          let told = try await contradicted(by: server.accept(proposal) { _, _ in })
          #expect(told == made, "\(mine) and \(theirs)")
        }
        if mine == .text, theirs == .text { #expect(made.conflicts == [.item(1, .changedTwice)]) }
      }
    }
  }
}

/// A log that knows for whom it was asked for its end.
private final class AskedLog: ForwardingLog {
  @TaskLocal static var asker: String?

  let log: MemoryLog.Participant
  private let state = Lock<[String?]>([])

  init(_ log: MemoryLog) { self.log = log.participant() }

  var askers: [String?] { state.withLock { $0 } }

  func lastRevision() async throws(RevisionLogError) -> Revision? {
    state.withLock { $0.append(Self.asker) }
    return try await log.lastRevision()
  }
}

/// A log whose server has just started: it says that the log ends after its first entry.
private final class LateLog: ForwardingLog {
  let log: MemoryLog.Participant

  init(_ log: MemoryLog) { self.log = log.participant() }

  func lastRevision() async throws(RevisionLogError) -> Revision? { Revision(1) }
}
