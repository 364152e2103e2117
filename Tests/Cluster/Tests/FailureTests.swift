import Diffable
import DiffableNATS
import DiffableSync
import Servers
import SharedNumbers
import Testing

/// What a log says when servers end, refuse and come back.
@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
  private func log(_ cluster: Cluster, name: String = "list") throws -> NATSRevisionLog {
    var options = NATSRevisionLog.Options()
    options.timeout = .seconds(1)
    return try NATSRevisionLog(urls: cluster.urls, name: name, options: options)
  }

  @Test(
    arguments: [
      "", "a.b", "a b", "a*", "ä", String(repeating: "a", count: 101),
      // Another list may have streams of these names.
      "list-state", "list-pieces", "-state",
    ])
  func `Names that streams do not have are refused`(name: String) {
    #expect(throws: RevisionLogError.self) {
      try NATSRevisionLog(urls: ["nats://127.0.0.1:4222"], name: name)
    }
  }

  @Test(arguments: [Duration.zero, .seconds(86_401), .seconds(Int64.max)])
  func `Times that no request can take are refused`(timeout: Duration) async {
    var options = NATSRevisionLog.Options()
    options.timeout = timeout
    let urls = ["nats://127.0.0.1:4222"]
    let refusal = RevisionLogError.rejected(
      reason: "a timeout is a millisecond to a day, not \(timeout)")
    #expect(throws: refusal) { try NATSRevisionLog(urls: urls, name: "list", options: options) }
    await #expect(throws: refusal) {
      try await NATSRevisionLog.names(urls: urls, options: options)
    }
  }

  @Test func `Without a server a log is unavailable, and works again with one`() async throws {
    try await Cluster.with { cluster in
      let log = try log(cluster)
      let entry = LogContract.entry("first")
      try await LogContract.append(entry, after: 0, to: log)
      let waiting = Task { try await log.entries(after: Revision(1)) }
      await cluster.servers[0].kill()

      for _ in 0..<2 {
        let refused = await failure {
          _ = try await log.append(LogContract.entry("lost"), after: Revision(1))
        }
        // It may have been sent before the connection was known to be lost.
        #expect(refused == .unavailable || refused == .notDone)
        #expect(await failure { _ = try await log.newestState() } == .unavailable)
        #expect(await failure { _ = try await log.entries(after: .empty) } == .unavailable)
      }
      #expect(await failure { _ = try await waiting.value } == .unavailable)
      let new = try self.log(cluster)
      #expect(await failure { _ = try await new.epoch() } == .unavailable)

      try cluster.servers[0].start()
      try await cluster.waitUntilReady()
      // What was sent meanwhile may have been appended now, or not.
      let next = LogContract.entry("second")
      let count = try await LogContract.appendAtTheEnd(next, to: log, from: 1)
      let entries = try await LogContract.read(log, count: count)
      #expect(entries.first == entry)
      #expect(entries.count { $0 == next } == 1)
      #expect(Set(entries).count == entries.count)
      #expect(try await new.epoch() == log.epoch())
    }
  }

  @Test func `A write that was never sent has changed nothing, and says so`() async throws {
    try await Cluster.with { cluster in
      let log = try log(cluster)
      var options = ReplicationOptions()
      options.timeLimit = .seconds(3)
      let list = try await SharedNumbers.open(log, options)
      try await list.add(1)
      let waiting = Task { try await log.entries(after: Revision(1)) }
      await cluster.servers[0].kill()
      // The connection is known to be lost then.
      #expect(await failure { _ = try await waiting.value } == .unavailable)
      for number in 2...3 {
        do {
          try await list.add(number)
          Issue.record("\(number) was acknowledged")
        } catch ReplicationError.timedOut {
        }
      }
      let cancelled = Task { try await list.add(4) }
      cancelled.cancel()
      await #expect(throws: DataSourceError.cancelled) { try await cancelled.value }
      try cluster.servers[0].start()
      try await cluster.waitUntilReady()
      try await list.add(5)
      #expect(await list.snapshot.itemIdentifiers == [1, 5])
    }
  }

  @Test func `A server that does not answer makes a log unavailable`() async throws {
    try await Cluster.with { cluster in
      let log = try log(cluster)
      try await LogContract.append(LogContract.entry("first"), after: 0, to: log)
      try await cluster.servers[0].freeze()
      let entry = LogContract.entry("second")
      let refused = await failure { _ = try await log.append(entry, after: Revision(1)) }
      // On a busy machine, its time may be over before it is sent.
      #expect(refused == .unavailable || refused == .notDone)
      cluster.servers[0].thaw()
      #expect(try await LogContract.settle(entry, after: 1, in: log))
      #expect(try await LogContract.read(log, count: 2).last == entry)
    }
  }

  /// So does a server that has lost the end of the stream: nobody else will make the next revision.
  @Test func `An append is not made where a server's stream ends before the revision`()
    async throws
  {
    try await Cluster.with { cluster in
      let log = try log(cluster)
      let (first, second) = (LogContract.entry("first"), LogContract.entry("second"))
      let ahead = Revision(2)
      #expect(await failure { _ = try await log.append(second, after: ahead) } == .notDone)
      try await LogContract.append(first, after: 0, to: log)
      #expect(await failure { _ = try await log.append(second, after: ahead) } == .notDone)
      // The same entry is appended where the stream does end.
      try await LogContract.append(second, after: 1, to: log)
      #expect(try await log.append(LogContract.entry("third"), after: Revision(1)) == false)
      #expect(try await LogContract.read(log, count: 2) == [first, second])
    }
  }

  @Test func `An entry that is larger than a message is refused`() async throws {
    try await Cluster.with(settings: "max_payload: 4KB") { cluster in
      let log = try log(cluster)
      for size in [3841, 4096, 5000] {
        let entry = LogEntry(id: WriteID(), delta: Array(repeating: 1, count: size))
        #expect(await failure { _ = try await log.append(entry, after: .empty) } == .rejected)
      }
      let entry = LogEntry(id: WriteID(), delta: Array(repeating: 1, count: 3700))
      try await LogContract.append(entry, after: 0, to: log)
    }
  }

  @Test func `Who may not write is refused`() async throws {
    let settings = """
      authorization { users: [
        { user: writer, password: secret }
        { user: reader, password: secret, permissions: { publish: { deny: "list.log.>" } } }
      ] }
      """
    try await Cluster.with(settings: settings) { cluster in
      func log(_ name: String, _ password: String) throws -> NATSRevisionLog {
        var options = NATSRevisionLog.Options()
        options.credentials = .user(name: name, password: password)
        return try NATSRevisionLog(urls: cluster.urls, name: "list", options: options)
      }
      try await LogContract.append(LogContract.entry("1"), after: 0, to: log("writer", "secret"))
      let reader = try log("reader", "secret")
      #expect(try await LogContract.read(reader, count: 1).count == 1)
      let refused = await failure {
        _ = try await reader.append(LogContract.entry("2"), after: Revision(1))
      }
      #expect(refused == .rejected)
      #expect(await failure { _ = try await log("writer", "wrong").epoch() } == .rejected)
    }
  }

  @Test func `What is not a log is refused`() async throws {
    try await Cluster.with { cluster in
      let settings = #"{"name":"orders","subjects":["orders.*"],"storage":"file"}"#
      let answer = try RawClient.request(
        "$JS.API.STREAM.CREATE.orders", settings, to: cluster.servers[0])
      #expect(!answer.contains("\"error\""), "\(answer)")
      let orders = try log(cluster, name: "orders")
      #expect(await failure { _ = try await orders.epoch() } == .rejected)
    }
  }

  @Test
  func
    `Who only follows notices that somebody has put back an older copy of what a server has stored`()
    async throws
  {
    try await Cluster.with { cluster in
      let server = cluster.servers[0]
      let (told, reports) = AsyncStream.makeStream(of: (any Error).self)
      func open(_ failure: @escaping @Sendable (any Error) -> Void) async throws -> SharedNumbers {
        let log = try NATSRevisionLog(urls: cluster.urls, name: "list", options: .patient)
        return try await SharedNumbers.open(log, ReplicationOptions(), failure: failure)
      }
      let writer = try await open { _ in }
      let follower = try await open { reports.yield($0) }
      for number in 0..<3 { try await writer.add(number) }
      await server.stop()
      try server.save()
      try server.start()
      try await writer.add(3)
      let revision = await writer.revision
      try await follower.reached(revision)
      await server.stop()
      try server.restore()
      try server.start()
      for await error in told {
        if case ReplicationError.log(.rejected(let reason)) = error {
          #expect(reason.contains("older"))
          break
        }
      }
      guard case .log(.rejected)? = await follower.failure else {
        Issue.record("The source does not say so.")
        return
      }
      #expect(await follower.revision == revision)
      // Opened again, it goes on from the copy.
      let again = try await open { _ in }
      #expect(await again.revision == Revision(3))
    }
  }
}

private enum Failure {
  case rejected
  case notDone
  case unavailable
}

/// How a log has failed; `nil` if it has not.
private func failure(_ body: () async throws -> Void) async -> Failure? {
  do {
    try await body()
    return nil
  } catch let error as RevisionLogError {
    return switch error {
    case .rejected: .rejected
    case .notDone: .notDone
    case .unavailable: .unavailable
    }
  } catch {
    Issue.record(error)
    return nil
  }
}
