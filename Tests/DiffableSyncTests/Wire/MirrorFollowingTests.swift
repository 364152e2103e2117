import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

/// A mirror that follows a source over connections that are cut.
@Suite("Following over connections that break", .deadline) struct MirrorFollowingTests {
  typealias Mirror = MirrorSource<UpdateBatch<String, Int>>
  typealias Delta = UpdateDelta<String, Int>

  struct Cut: Error {}

  /// A server that may be replaced by another one, and what happens to its connections.
  private final class Server: Sendable {
    typealias Body = AsyncThrowingStream<[UInt8], any Error>

    struct State {
      var source: Source
      var random: SplitMix64
      var open: [Body.Continuation] = []
      var tokens: [ResumeToken?] = []
      var resets = 0
    }

    let state: Lock<State>

    init(_ source: Source, seed: UInt64 = 0) {
      state = Lock(State(source: source, random: SplitMix64(seed: seed)))
    }

    /// The bytes of a response, in pieces of any size.
    ///
    /// - Parameter isCut: Whether it ends in the middle of one of its first elements, or is refused.
    func connect(_ token: ResumeToken?, isCut: Bool) throws -> Body {
      let (stream, continuation) = Body.makeStream()
      let (source, cut, size) = try state.withLock { state in
        state.tokens.append(token)
        if isCut, state.random.chance(oneIn: 8) { throw Cut() }
        state.open.append(continuation)
        let cut = isCut ? state.random.number(below: 6) : .max
        return (state.source, cut, 1 + state.random.number(below: 90))
      }
      let events = source.events(after: token, clock: ManualClock()) { delta in
        if delta.isReset { self.state.withLock { $0.resets += 1 } }
        return try Array(JSONEncoder().encode(delta))
      }
      let task = Task {
        var rest = cut
        for try await bytes in events {
          var bytes = rest == 0 ? bytes.prefix(bytes.count / 2) : bytes[...]
          while !bytes.isEmpty {
            continuation.yield(Array(bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
          }
          if rest == 0 { return continuation.finish(throwing: Cut()) }
          rest -= 1
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
      return stream
    }

    /// Ends all connections, and goes on with another source.
    func restart(with source: Source) {
      let open = state.withLock { state in
        state.source = source
        defer { state.open = [] }
        return state.open
      }
      for connection in open { connection.finish() }
    }
  }

  private static func decode(_ text: String.UTF8View) throws -> Delta {
    try JSONDecoder().decode(Delta.self, from: Data(text))
  }

  private static func follow(_ mirror: Mirror, _ server: Server, isCut: Bool) async throws {
    try await mirror.follow(clock: ImmediateClock(), silence: nil) {
      try server.connect($0, isCut: isCut)
    } decode: {
      try Self.decode($0)
    }
  }

  @Test(arguments: 0..<scoped(usual: 2, wide: 6 as UInt64))
  func `Cut anywhere, it resumes without a reset and misses nothing`(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let source = Source(options: SourceOptions(history: 1_000))
    let server = Server(source, seed: seed)
    let mirror = Mirror()
    let following = Task { try await Self.follow(mirror, server, isCut: true) }
    for _ in 0..<rounds(160, least: 60) {
      let edit = generator.anyEdit(of: await source.snapshot)
      _ = try? await source.update { try edit.apply(to: &$0) }
      if generator.random.chance(oneIn: 3) {
        let (target, live) = (source.token(for: await source.revision), await source.snapshot)
        try await wait { await mirror.resumeToken == target }
        #expect(await mirror.snapshot == live, "seed \(seed)")
      }
    }
    await source.finish()
    try await following.value
    #expect(await mirror.snapshot == source.snapshot, "seed \(seed)")
    // It has finished with its source.
    var batches = mirror.updates().makeAsyncIterator()
    while await batches.next() != nil {}
    let (resets, tokens) = server.state.withLock { ($0.resets, $0.tokens) }
    #expect(tokens.count > 5, "seed \(seed)")
    // Until a reset has come as a whole there is no token; after that there always is one.
    #expect(tokens.drop { $0 == nil }.allSatisfy { $0 != nil }, "seed \(seed)")
    #expect(resets <= tokens.count { $0 == nil }, "seed \(seed)")
  }

  @Test func `A server that starts again gives a reset, and no wrong row`() async throws {
    let first = try Source(.list([1, 2, 3]))
    let server = Server(first)
    let mirror = Mirror()
    let following = Task { try await Self.follow(mirror, server, isCut: false) }
    try await wait { await mirror.snapshot.numberOfItems == 3 }
    var batches = mirror.updates(after: mirror.token(for: await mirror.revision))
      .makeAsyncIterator()
    // The same revision number names another list now.
    let second = try Source(.list([1, 5, 3]))
    server.restart(with: second)
    try await wait { await mirror.snapshot.itemIdentifiers == [1, 5, 3] }
    #expect(await batches.next()?.difference.description == "-0:1 +0:1")
    #expect(server.state.withLock { $0.resets } == 2)
    following.cancel()
    await #expect(throws: CancellationError.self) { try await following.value }
    // It can be followed again.
    try await second.update { try $0.appendItems([9]) }
    await second.finish()
    try await Self.follow(mirror, server, isCut: false)
    #expect(await mirror.snapshot.itemIdentifiers == [1, 5, 3, 9])
    #expect(server.state.withLock { $0.resets } == 2)
  }

  @Test func `What does not fit is followed by a reset`() async throws {
    let source = try Source(.list([1, 2, 3]))
    let server = Server(source)
    let mirror = Mirror()
    let failures = Lock(0)
    let isDamaged = Lock(true)
    let following = Task {
      try await mirror.follow(clock: ImmediateClock(), silence: nil) {
        try server.connect($0, isCut: false)
      } decode: { text in
        let delta = try Self.decode(text)
        // One delta is damaged on its way.
        let isWhole =
          delta.isReset
          || isDamaged.withLock { isDamaged in
            defer { isDamaged = false }
            return !isDamaged
          }
        guard isWhole else { throw Cut() }
        return delta
      } failure: { _ in
        failures.withLock { $0 += 1 }
      }
    }
    try await wait { await mirror.snapshot.numberOfItems == 3 }
    try await source.update { try $0.appendItems([4]) }
    try await wait { await mirror.snapshot.numberOfItems == 4 }
    await source.finish()
    try await following.value
    #expect(failures.withLock { $0 } == 1)
    #expect(server.state.withLock { $0.tokens } == [nil, nil])
  }

  @Test func `What has come whole before a line that is too long is in the list`() async throws {
    let source = try Source(.list([1, 2, 3]))
    var batches = source.updates().makeAsyncIterator()
    let reset = try JSONEncoder().encode(#require(await batches.next()).delta)
    let event = Array("event: delta\ndata: ".utf8) + reset + Array("\n\ndata: ".utf8)
    let mirror = Mirror(limits: DeltaLimits(byteCount: reset.count))
    let connections = Lock(0)
    try await mirror.follow(clock: ImmediateClock(), silence: nil) { _ -> AsyncStream<[UInt8]>? in
      let count = connections.withLock { count in
        count += 1
        return count
      }
      guard count == 1 else { return nil }
      return AsyncStream { body in
        body.yield(event + Array(repeating: UInt8(ascii: "x"), count: 9 * reset.count))
        body.finish()
      }
    } decode: {
      try Self.decode($0)
    }
    #expect(connections.withLock { $0 } == 2)
    #expect(await mirror.snapshot.itemIdentifiers == [1, 2, 3])
  }

  @Test func `A mirror without limits follows`() async throws {
    let source = try Source(.list([1, 2, 3]))
    let server = Server(source)
    let mirror = Mirror(
      limits: DeltaLimits(byteCount: .max, depth: .max, elementCount: .max, listCount: .max))
    let following = Task { try await Self.follow(mirror, server, isCut: false) }
    try await wait { await mirror.snapshot.itemIdentifiers == [1, 2, 3] }
    await source.finish()
    try await following.value
  }

  @Test func `A connection on which nothing arrives is given up`() async throws {
    let source = try Source(.list([1]))
    let (clock, server) = (ManualClock(), Server(source))
    let mirror = Mirror()
    let attempts = Lock(0)
    let faults = Lock<[EventStreamError?]>([])
    let (hanging, hangs) = AsyncStream.makeStream(of: [UInt8].self)
    let following = Task {
      try await mirror.follow(clock: clock, silence: .seconds(40)) { token in
        let attempt = attempts.withLock { count in
          count += 1
          return count
        }
        // One server does not answer at all, the next one never says anything.
        if attempt == 1 { try await ManualClock().sleep(for: .seconds(1)) }
        if attempt == 2 { return Server.Body { await hanging.first { _ in true } } }
        return try server.connect(token, isCut: false)
      } decode: {
        try Self.decode($0)
      } failure: { error in
        faults.withLock { $0.append(error as? EventStreamError) }
      }
    }
    for attempt in 1...2 {
      // Three quarters of the time say nothing yet. The answer of the server may count as the first.
      var quarters = 0
      while true {
        try await wait { clock.sleeping == 1 }
        if faults.withLock({ $0.count }) == attempt { break }
        clock.advance(by: .seconds(10))
        quarters += 1
      }
      #expect(4...5 ~= quarters)
      clock.advance(by: .seconds(30))
    }
    #expect(faults.withLock { $0 } == [.silent(.seconds(40)), .silent(.seconds(40))])
    try await wait { await mirror.snapshot.numberOfItems == 1 }
    // What arrives within the time keeps the connection, however often nothing arrives for half of it.
    for item in 2..<9 {
      for _ in 0..<2 {
        try await wait { clock.sleeping == 1 }
        clock.advance(by: .seconds(10))
      }
      try await source.update { try $0.appendItems([item]) }
      try await wait { await mirror.snapshot.numberOfItems == item }
    }
    #expect(attempts.withLock { $0 } == 3)
    hangs.finish()
    await source.finish()
    try await following.value
  }

  @Test func `A mirror that is finished here follows no longer, without a failure`() async throws {
    let source = try Source(.list([1]))
    let (mirror, server) = (Mirror(), Server(source))
    let failures = Lock(0)
    let following = Task {
      try await mirror.follow(clock: ManualClock(), silence: nil) {
        try server.connect($0, isCut: false)
      } decode: {
        try Self.decode($0)
      } failure: { _ in
        failures.withLock { $0 += 1 }
      }
    }
    try await wait { await mirror.snapshot.numberOfItems == 1 }
    await mirror.finish()
    try await source.update { try $0.appendItems([2]) }
    try await following.value
    #expect(failures.withLock { $0 } == 0)
  }

  @Test func `A connection that is given up when following ends says nothing of the source`()
    async throws
  {
    let mirror = Mirror()
    let (connecting, begins) = AsyncStream.makeStream(of: Void.self)
    let (answers, server) = AsyncStream.makeStream(of: Server.Body.self)
    let following = Task {
      try await mirror.follow(silence: nil) { _ -> Server.Body? in
        begins.yield()
        // Returns `nil` when its task is cancelled, as a client of HTTP easily does.
        return await answers.first { _ in true }
      } decode: {
        try Self.decode($0)
      }
    }
    #expect(await connecting.first { true } != nil)
    following.cancel()
    await #expect(throws: CancellationError.self) { try await following.value }
    withExtendedLifetime(server) {}
    // It can be followed again.
    let source = try Source(.list([1]))
    await source.finish()
    try await Self.follow(mirror, Server(source), isCut: false)
    #expect(await mirror.snapshot.itemIdentifiers == [1])
  }

  @Test func `What the app throws ends following`() async throws {
    let mirror = Mirror()
    await #expect(throws: Cut.self) {
      try await mirror.follow { _ -> AsyncStream<[UInt8]>? in
        throw Cut()
      } decode: {
        try Self.decode($0)
      } failure: {
        throw $0
      }
    }
  }

  @Test func `Writers, a mirror and its renderers at once`() async throws {
    let source = Source()
    let server = Server(source, seed: 7)
    let mirror = Mirror()
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          for step in 0..<30 {
            try await source.update { snapshot in
              let section = "s\(writer)"
              if !snapshot.containsSection(section) { snapshot.appendSections([section]) }
              try snapshot.appendItems([writer * 1_000 + step], toSection: section)
              if step % 5 == 4 { snapshot.deleteItems([writer * 1_000 + step - 3]) }
            }
          }
        }
      }
      let renderers = (0..<3).map { _ in
        Task {
          var shown = List()
          for await batch in mirror.updates() {
            #expect(batch.previousSnapshot.map { $0 == shown } ?? true)
            shown = batch.snapshot
          }
          return shown
        }
      }
      let following = Task { try await Self.follow(mirror, server, isCut: true) }
      try await group.waitForAll()
      await source.finish()
      try await following.value
      let expected = await source.snapshot
      #expect(await mirror.snapshot == expected)
      for renderer in renderers { #expect(await renderer.value == expected) }
    }
  }
}
