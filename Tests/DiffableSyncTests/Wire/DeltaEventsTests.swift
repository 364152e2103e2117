import Diffable
import DiffableQueries
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

/// A source as a response of server-sent events.
@Suite(.deadline) struct DeltaEventsTests {
  typealias Events = DeltaEvents<UpdateBatch<String, Int>>

  /// A client that reads what a response sends.
  private struct Client {
    var parser = EventParser()
    let mirror = MirrorSource<UpdateBatch<String, Int>>()
    var names: [String] = []
    var deltas: [UpdateDelta<String, Int>] = []

    mutating func take(_ bytes: [UInt8]) async throws {
      var events: [EventParser.Event] = []
      try parser.parse(bytes) { events.append($0) }
      for event in events {
        names.append(event.name)
        guard event.name == "delta" else { continue }
        let delta = try UpdateDelta<String, Int>.read(event.data.utf8) {
          try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
        }
        try await mirror.apply(delta)
        deltas.append(delta)
        let token = try #require(await mirror.resumeToken)
        #expect(String(decoding: bytes, as: UTF8.self).contains("id: \(token)\n"))
      }
    }
  }

  private func events(
    of source: Source, after token: ResumeToken? = nil, clock: ManualClock = ManualClock()
  ) -> Events {
    source.events(after: token, clock: clock) { try Array(JSONEncoder().encode($0)) }
  }

  @Test func `A client follows, goes away and comes back`() async throws {
    let source = Source()
    try await source.apply(List.list([1, 2, 3]))
    var client = Client()
    var response = events(of: source).makeAsyncIterator()
    let first = try #require(await response.next())
    #expect(String(decoding: first, as: UTF8.self) == "retry: 2000\n\n")
    try await client.take(first)
    #expect(client.parser.reconnectionTime == 2_000)
    try await client.take(#require(await response.next()))
    #expect(client.deltas.map(\.isReset) == [true])
    for step in 4..<7 {
      try await source.update { try $0.appendItems([step]) }
      try await client.take(#require(await response.next()))
      #expect(await client.mirror.snapshot == source.snapshot)
    }
    #expect(client.deltas.map(\.isReset) == [true, false, false, false])

    // Meanwhile two changes are made, and the second response begins with both of them.
    try await source.update { $0.deleteItems([2]) }
    try await source.update { try $0.appendItems([9]) }
    let token = try #require(await client.mirror.resumeToken)
    client.parser = EventParser()
    response = events(of: source, after: token).makeAsyncIterator()
    let beginning = try #require(await response.next())
    #expect(String(decoding: beginning, as: UTF8.self) == "retry: 2000\nid: \(token)\n\n")
    try await client.take(beginning)
    try await client.take(#require(await response.next()))
    #expect(client.deltas.count == 5 && client.deltas.last?.isReset == false)
    #expect(await client.mirror.snapshot == source.snapshot)

    await source.finish()
    try await client.take(#require(await response.next()))
    #expect(client.names.last == "end")
    #expect(try await response.next() == nil)
    #expect(try await response.next() == nil)
  }

  @Test func `A list in a log goes on when one of its servers ends`() async throws {
    func names<List: ListSource>(
      of list: List, until finish: () async -> Void
    ) async throws -> [String] where List.Batch == UpdateBatch<String, Int> {
      var client = Client()
      var response = list.events(clock: ManualClock()) { try Array(JSONEncoder().encode($0)) }
        .makeAsyncIterator()
      while client.names.isEmpty { try await client.take(#require(await response.next())) }
      await finish()
      while let bytes = try await response.next() { try await client.take(bytes) }
      return client.names
    }
    let log = MemoryLog()
    for isDerived in [false, true] {
      let server = try await ReplicatedSourceTests.replica(log.participant())
      let (first, second) = (server.derived { $0 }, server.derived { $0 })
      // This one has ended although its server has not.
      #expect(try await names(of: first) { await first.finish() } == ["delta", "end"])
      let names =
        isDerived
        ? try await names(of: second) { await server.finish() }
        : try await names(of: server) { await server.finish() }
      #expect(names == ["delta"])
    }
    let shown = try await ReplicatedSourceTests.replica(log.participant()).optimistic()
    #expect(try await names(of: shown) { await shown.confirmed.finish() } == ["delta"])
  }

  /// - Parameter lifetime: That of the response, in seconds, if the list has lost what the client has.
  @Test(arguments: [nil, 60, 10])
  func `A server that lags behind its client waits for what that has`(
    lifetime: Int?
  ) async throws {
    let (near, mine, other) = try await ReplicatedSourceTests.two {
      $0 = Snapshot(sections: ["A"], items: [[1, 2, 3]])
    }
    let encode: @Sendable (UpdateDelta<String, Int>) throws -> [UInt8] = {
      try Array(JSONEncoder().encode($0))
    }
    var client = Client()
    var response = other.events(clock: ManualClock(), encode: encode).makeAsyncIterator()
    while client.deltas.isEmpty { try await client.take(#require(await response.next())) }
    near.cut()
    try await other.update { try $0.appendItems([4], toSection: "A") }
    try await client.take(#require(await response.next()))
    let clock = ManualClock()
    let token = try #require(await client.mirror.resumeToken)
    client.parser = EventParser()
    let options = DeltaEventOptions(lifetime: .seconds(lifetime ?? 60))
    response = mine.events(after: token, options: options, clock: clock, encode: encode)
      .makeAsyncIterator()
    try await client.take(#require(await response.next()))
    let isLost = lifetime != nil
    if let lifetime {
      try await wait { clock.sleeping == 1 }
      clock.advance(by: .seconds(min(lifetime, 15)))
      if lifetime > 15 { #expect(try await response.next() == ServerSentEvent.heartbeat) }
    } else {
      try await other.update { try $0.appendItems([5], toSection: "A") }
      near.heal()
    }
    try await client.take(#require(await response.next()))
    #expect(client.deltas.map(\.isReset) == [true, false, isLost])
    let expected = isLost ? await mine.snapshot : await other.snapshot
    #expect(await client.mirror.snapshot == expected)
    #expect(mine.metrics.subscribers <= 1, "it no longer waits")
    _ = response
  }

  @Test(arguments: ["", "no token", "a\nid: 7", "AAAAAAAAAAHWetIayNNEB8KVnbp9-s0q"])
  func `Any token is taken, and one that means nothing gives a reset`(token: String) async throws {
    let source = Source()
    try await source.apply(List.list([1]))
    var client = Client()
    var response = events(of: source, after: ResumeToken(token)).makeAsyncIterator()
    let first = try #require(await response.next())
    #expect(String(decoding: first, as: UTF8.self).split(separator: "\n").count <= 2)
    try await client.take(first)
    try await client.take(#require(await response.next()))
    #expect(client.deltas.map(\.isReset) == [true])
  }

  @Test func `A heartbeat can be seen, and says nothing else`() throws {
    var parser = EventParser()
    var events: [EventParser.Event] = []
    try parser.parse(ServerSentEvent.heartbeat) { events.append($0) }
    #expect(events == [.init(name: "heartbeat", data: "")])
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `Whenever heartbeats are due, nothing is lost`(seed: UInt64) async throws {
    let (source, clock) = (Source(), ManualClock())
    // The clock may go on for minutes before the reader has a turn.
    let options = DeltaEventOptions(lifetime: nil, stall: nil)
    let events = source.events(options: options, clock: clock) {
      try Array(JSONEncoder().encode($0))
    }
    let reader = Task {
      var (client, heartbeats) = (Client(), 0)
      for try await bytes in events {
        if bytes == ServerSentEvent.heartbeat {
          heartbeats += 1
        } else {
          try await client.take(bytes)
        }
      }
      return (client, heartbeats)
    }
    try await withThrowingTaskGroup { group in
      for writer in 0..<3 {
        group.addTask {
          for step in 0..<rounds(40) {
            try await source.update { snapshot in
              if !snapshot.containsSection("list") { snapshot.appendSections(["list"]) }
              try snapshot.appendItems([writer * 10_000 + step])
            }
            await Task.yield()
          }
        }
      }
      group.addTask {
        var random = SplitMix64(seed: seed)
        for _ in 0..<rounds(200) {
          clock.advance(by: .seconds(random.number(below: 20)))
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    // It waits now, and a heartbeat is due once more.
    try await wait { source.metrics.waitingSubscribers == 1 && clock.sleeping == 1 }
    clock.advance(by: .seconds(15))
    try await wait { source.metrics.waitingSubscribers == 1 && clock.sleeping == 1 }
    await source.finish()
    let (client, heartbeats) = try await reader.value
    #expect(heartbeats > 0, "seed \(seed)")
    #expect(client.names.last == "end", "seed \(seed)")
    #expect(await client.mirror.snapshot == source.snapshot, "seed \(seed)")
    #expect(client.deltas.dropFirst().allSatisfy { !$0.isReset }, "seed \(seed)")
  }

  @Test func `Whoever stops reading ends the subscription`() async throws {
    let source = Source()
    let events = events(of: source)
    let task = Task {
      var count = 0
      for try await _ in events { count += 1 }
      return count
    }
    try await wait { source.metrics.subscribers == 1 && source.metrics.waitingSubscribers == 1 }
    task.cancel()
    #expect(try await task.value == 2)
    try await wait { source.metrics.subscribers == 0 }

    var response: Events.Iterator? = events.makeAsyncIterator()
    for _ in 0..<2 { _ = try await response?.next() }
    response = nil
    let other = Source()
    var iterator: Events.Iterator? = self.events(of: other).makeAsyncIterator()
    for _ in 0..<2 { _ = try await iterator?.next() }
    #expect(other.metrics.subscribers == 1)
    iterator = nil
    try await wait { other.metrics.subscribers == 0 }
  }

  @Test func `What the encoder throws ends the response`() async throws {
    struct Failure: Error {}
    let source = Source()
    var response = source.events(clock: ManualClock()) { _ in throw Failure() }.makeAsyncIterator()
    _ = try await response.next()
    await #expect(throws: Failure.self) { try await response.next() }
    #expect(try await response.next() == nil)
    var other = source.events(clock: ManualClock()) { _ in Array("a\r\nb".utf8) }
      .makeAsyncIterator()
    _ = try await other.next()
    await #expect(throws: EventStreamError.unwritable("data")) { try await other.next() }
  }

  @Test("A negative wait before the next connection is none, also if it is set later")
  func negativeRetry() async throws {
    let source = Source()
    var options = DeltaEventOptions(retry: -1)
    for _ in 0..<2 {
      let events = source.events(options: options, clock: ManualClock()) {
        try Array(JSONEncoder().encode($0))
      }
      var response = events.makeAsyncIterator()
      let first = try #require(await response.next())
      #expect(String(decoding: first, as: UTF8.self) == "retry: 0\n\n")
      options.retry = .min
    }
  }
}
