import Diffable
import DiffableSync
import Foundation
import ListSupport
import TestScope
import Testing

/// When a response of server-sent events says that it is alive, and when it ends.
@Suite(.deadline) struct DeltaEventTimeTests {
  private func events(
    of source: Source, _ clock: ManualClock, _ options: DeltaEventOptions = DeltaEventOptions(),
    _ policy: UpdatePolicy = .coalesced
  ) -> DeltaEvents<UpdateBatch<String, Int>> {
    source.events(policy, options: options, clock: clock) { try Array(JSONEncoder().encode($0)) }
  }

  @Test func `A quiet response sends heartbeats, and ends after its lifetime`() async throws {
    let source = Source()
    let clock = ManualClock()
    var response = events(of: source, clock).makeAsyncIterator()
    _ = try await response.next()
    _ = try await response.next()
    for _ in 0..<3 {
      try await wait { clock.sleeping == 1 }
      clock.advance(by: .seconds(15))
      #expect(try await response.next() == ServerSentEvent.heartbeat)
    }
    // Nothing that came before a heartbeat is lost.
    try await source.apply(List.list([1]))
    let bytes = try #require(await response.next())
    #expect(String(decoding: bytes, as: UTF8.self).contains("event: delta"))
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(14))
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(1))
    var last = try await response.next()
    // The heartbeat and the end fall on the same moment.
    if last == ServerSentEvent.heartbeat { last = try await response.next() }
    #expect(last == nil)
    try await wait { clock.sleeping == 0 && source.metrics.subscribers == 0 }
  }

  @Test("A response ends at its time, whenever its heartbeats are", arguments: [1, 14, 16, 31])
  func lifetime(seconds: Int) async throws {
    let (source, clock) = (Source(), ManualClock())
    let events = self.events(
      of: source, clock, DeltaEventOptions(lifetime: .seconds(seconds), stall: nil))
    // The subscription begins with the first request.
    var response = events.makeAsyncIterator()
    _ = try await response.next()
    for second in 1...seconds {
      try await wait { clock.sleeping == 1 }
      #expect(source.metrics.subscribers == 1, "it has ended before second \(second)")
      clock.advance(by: .seconds(1))
    }
    try await wait { clock.sleeping == 0 && source.metrics.subscribers == 0 }
    _ = response
  }

  @Test("A response may end earlier by a part of its lifetime", arguments: [-1, 0.25, 1, 9, .nan])
  func variation(part: Double) async throws {
    var options = DeltaEventOptions(lifetime: .seconds(40), lifetimeVariation: part)
    let earliest = 40 * (1 - max(0, min(part, 1)))
    let drawn = try (0..<200).map { _ in try #require(options.drawnLifetime()) }
    #expect(drawn.allSatisfy { .seconds(part.isNaN ? 40 : earliest) <= $0 && $0 <= .seconds(40) })
    #expect((Set(drawn).count > 100) == (part > 0))
    for lifetime in [nil, .zero, .seconds(-5), .seconds(Int64.min)] as [Duration?] {
      options.lifetime = lifetime
      #expect(options.drawnLifetime() == lifetime)
    }
    // The longest time is no error.
    options.lifetime = .seconds(Int64.max)
    _ = options.drawnLifetime()

    options = DeltaEventOptions(
      heartbeat: .seconds(60), lifetime: .seconds(40), lifetimeVariation: part, stall: nil)
    let (source, clock) = (Source(), ManualClock())
    let events = self.events(of: source, clock, options)
    var response = events.makeAsyncIterator()
    _ = try await response.next()
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(40))
    try await wait { clock.sleeping == 0 && source.metrics.subscribers == 0 }
    _ = response
  }

  @Test func `A response whose client does not read ends its subscription`() async throws {
    let (source, clock) = (Source(), ManualClock())
    try await source.apply(List.list([0]))
    for (lifetime, heartbeats) in [(nil, 4), (Duration.seconds(30), 2)] {
      let events = self.events(of: source, clock, DeltaEventOptions(lifetime: lifetime))
      var response = events.makeAsyncIterator()
      for _ in 0..<2 { _ = try await response.next() }
      for beat in 1...heartbeats {
        #expect(source.metrics.subscribers == 1, "before beat \(beat)")
        try await wait { clock.sleeping == 1 }
        clock.advance(by: .seconds(15))
      }
      try await wait { source.metrics.subscribers == 0 && clock.sleeping == 0 }
      #expect(try await response.next() == nil)
    }
  }

  @Test func `A client that is late again and again keeps its response`() async throws {
    let (source, clock) = (Source(), ManualClock())
    try await source.apply(List.list([0]))
    let options = DeltaEventOptions(lifetime: nil, stall: .seconds(45))
    let events = self.events(of: source, clock, options)
    var response = events.makeAsyncIterator()
    for _ in 0..<2 { _ = try await response.next() }
    for _ in 0..<4 {
      for _ in 0..<3 {
        try await wait { clock.sleeping == 1 }
        clock.advance(by: .seconds(15))
      }
      try await wait { clock.sleeping == 1 }
      #expect(try await response.next() == ServerSentEvent.heartbeat)
    }
  }

  @Test func `A throttled response is not deaf during its interval`() async throws {
    let (clock, beats) = (ManualClock(), ManualClock())
    let source = Source(options: SourceOptions(clock: clock))
    try await source.apply(List.list([0]))
    let options = DeltaEventOptions(lifetime: .seconds(75), stall: .seconds(30))
    let events = self.events(
      of: source, beats, options, .coalesced(throttle: .seconds(3_600)))
    let (read, reading) = AsyncStream.makeStream(of: [UInt8].self)
    let reader = Task {
      for try await bytes in events { reading.yield(bytes) }
      reading.finish()
    }
    var lines = read.makeAsyncIterator()
    for _ in 0..<2 { _ = await lines.next() }
    // Its client reads all the time, so it lasts as long as it may, and its heart beats.
    for number in 1...4 {
      try await wait { clock.sleeping == 1 && beats.sleeping == 1 }
      try await source.update { try $0.appendItems([number]) }
      beats.advance(by: .seconds(15))
      #expect(await lines.next() == ServerSentEvent.heartbeat)
    }
    // What has come meanwhile comes after the interval, as one delta.
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(3_600))
    let delta = try #require(await lines.next())
    #expect(String(decoding: delta, as: UTF8.self).contains("event: delta"))
    try await wait { clock.sleeping == 1 && beats.sleeping == 1 }
    beats.advance(by: .seconds(15))
    #expect(await lines.next() == nil)
    try await reader.value
    #expect(clock.sleeping == 0 && source.metrics.subscribers == 0)
  }
}
