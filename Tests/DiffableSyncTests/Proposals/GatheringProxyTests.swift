import Diffable
import DiffableSync
import Foundation
import ListSupport
import TestScope
import Testing

/// A proxy that keeps the events of a stream until it is told to send them on, all at once.
private actor GatheringProxy {
  typealias Body = AsyncThrowingStream<[UInt8], any Error>

  struct Cut: Error {}

  private let server: ModelSource<String, Card>
  private var connection: (body: Body.Continuation, gathered: [[UInt8]], number: Int)?
  private(set) var connections = 0

  init(_ server: ModelSource<String, Card>) { self.server = server }

  func connect(_ token: ResumeToken?) -> Body {
    let (body, continuation) = Body.makeStream()
    connections += 1
    let number = connections
    connection = (continuation, [], number)
    let options = DeltaEventOptions(lifetime: nil)
    let events = server.events(
      after: token, .every(limit: 1_000), options: options, clock: ManualClock()
    ) {
      try Array(JSONEncoder().encode($0))
    }
    let task = Task {
      for try await bytes in events { self.gather(bytes, number) }
    }
    continuation.onTermination = { _ in task.cancel() }
    return body
  }

  private func gather(_ bytes: [UInt8], _ number: Int) {
    if connection?.number == number { connection?.gathered.append(bytes) }
  }

  /// The number of pieces that wait.
  var gatheredCount: Int { connection?.gathered.count ?? 0 }

  /// Sends on what was gathered, or the first of it.
  func sendOn(_ count: Int = .max) {
    guard let connection else { return }
    self.connection?.gathered = Array(connection.gathered.dropFirst(count))
    connection.body.yield(Array(connection.gathered.prefix(count).joined()))
  }

  func cut() {
    connection?.body.finish(throwing: Cut())
    connection = nil
  }
}

/// Ten changes that were made offline, behind a proxy that gathers events.
@Suite("Changes behind a proxy that gathers events", .deadline) struct GatheringProxyTests {
  typealias Batch = ModelBatch<String, Card>
  typealias Fate = ProposalLink.Fate

  /// Makes ten changes whose messages have fates, and lets the proxy send on nothing before all are accepted.
  ///
  /// - Parameter isCut: Whether the stream is cut before and after each message, too.
  /// - Returns: The number of proposals that were sent.
  private func proposals(
    _ fates: [Fate], isCut: Bool, _ location: SourceLocation = #_sourceLocation
  ) async throws -> Int {
    let link = try await ProposalLink.started(0..<2)
    await link.answerWhole()
    for fate in fates { await link.will(fate) }
    let (server, mirror, proxy) = (link.server, link.mirror, GatheringProxy(link.server))
    let following = Task {
      try await mirror.follow(clock: ImmediateClock(), silence: nil) {
        await proxy.connect($0)
      } decode: {
        try JSONDecoder().decode(Batch.Delta.self, from: Data($0))
      }
    }
    try await wait { await proxy.connections > 0 }
    let list = try await mirror.editable(
      options: ProposalOptions(source: SourceOptions(clock: ImmediateClock()))
    ) {
      proposal in
      if isCut { await proxy.cut() }
      do {
        let answer = try await link.send(proposal)
        if isCut { await proxy.cut() }
        return answer
      } catch {
        if isCut { await proxy.cut() }
        throw error
      }
    }
    var writes: [ProposedWrite<Batch>] = []
    for id in 2..<12 {
      writes.append(try await list.update { try $0.appendItems([Card(id: id)], toSection: "s") })
    }
    for write in writes {
      try #require(await write.outcome.acceptance != nil, sourceLocation: location)
    }
    #expect(await server.revision == Revision(11), sourceLocation: location)
    #expect(await server.snapshot.itemIdentifiers == Array(0..<12), sourceLocation: location)
    #expect(await list.snapshot == server.snapshot, sourceLocation: location)
    // What the proxy has gathered says nothing new, in one piece or in pieces that are cut off.
    let shown = await list.revision
    var sent = 0
    let token = server.token(for: Revision(11))
    #expect(await mirror.resumeToken == token, sourceLocation: location)
    while await proxy.gatheredCount > 0, sent < 40 {
      await proxy.sendOn(isCut ? 1 : .max)
      if isCut { await proxy.cut() }
      sent += 1
    }
    try await server.setModel(Card(id: 0, text: "theirs"))
    try await wait(sourceLocation: location) {
      await proxy.sendOn()
      return await list.element(for: 0)?.text == "theirs"
    }
    #expect(await list.revision == shown.next, sourceLocation: location)
    #expect(await list.snapshot == server.snapshot, sourceLocation: location)
    following.cancel()
    await #expect(throws: CancellationError.self, sourceLocation: location) {
      try await following.value
    }
    return await link.sent.count
  }

  @Test func `They go out in a row, and none waits for the proxy`() async throws {
    #expect(try await proposals([], isCut: false) == 10)
  }

  @Test(arguments: [false, true])
  func `Each is made once, whichever message is lost`(isCut: Bool) async throws {
    for lost in 0..<20 where isInScope(lost + (isCut ? 1 : 0), usual: 3) {
      let before = [Fate](repeating: .arrives, count: lost / 2)
      let fate = lost.isMultiple(of: 2) ? Fate.isLost : .losesAnswer
      #expect(try await proposals(before + [fate], isCut: isCut) == 11, "message \(lost)")
    }
  }

  @Test(arguments: [false, true])
  func `Each is made once, although every message is lost at first`(isCut: Bool) async throws {
    let fates = (0..<10).flatMap { _ in [Fate.isLost, .losesAnswer, .arrives] }
    #expect(try await proposals(fates, isCut: isCut) == 30)
  }
}
