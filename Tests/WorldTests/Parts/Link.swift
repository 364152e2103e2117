import Diffable
import DiffableSync
import Foundation

extension MirrorSource: CardSource where Batch == CardBatch {}

/// A mirror in another process, and the connection to its owner.
final class Link: Part {
  private let owner: any Part
  private let mirror = MirrorSource<CardBatch>()
  /// The process that serves the mirror: the owner, or a relay in its place.
  private var server: any CardSource
  private var relay: Relay?
  private var stream: AsyncStream<CardBatch>.Iterator
  private var last: [UInt8]?
  private(set) var truth = PlainList()
  private(set) var marks = Marks()
  /// What was marked since the last delta.
  private var missed = Marks()
  /// Whether the server of the mirror has begun again with everything since then.
  private var isServerNew = false
  /// What the mirror has received by the last event.
  private var received: (truth: PlainList, marks: Marks)?

  var source: any CardSource { mirror }
  var roots: Set<ObjectIdentifier> { owner.roots }
  var followsTwo: Bool { owner.followsTwo }
  var isTwofold: Bool { owner.isTwofold }

  init(_ owner: any Part) {
    (self.owner, server) = (owner, owner.source)
    stream = owner.source.updates().makeAsyncIterator()
  }

  func hint(_ souls: Set<Int>) { marks.hinted.formUnion(souls) }

  func follow() {
    missed.formUnion(owner.marks)
    missed.demand(in: owner.truth)
    marks = Marks()
    guard let received else { return }
    (truth, marks) = received
    self.received = nil
  }

  func perform(_ event: LinkEvent) async throws {
    switch event {
    case .deliver: try await deliver()
    case .lose:
      try await advance()
      if await isBehind { _ = await next() }
      let token = await mirror.resumeToken
      stream = server.updates(after: token).makeAsyncIterator()
    case .restart:
      let relay = Relay(owner)
      _ = try await relay.advance()
      (self.relay, server) = (relay, relay.mirror)
      let token = await mirror.resumeToken
      stream = server.updates(after: token).makeAsyncIterator()
    case .repeatLast:
      guard let last else { return }
      let revision = await mirror.revision
      try await apply(last)
      let now = await mirror.revision
      try promise(now == revision, "a delta that comes again makes \(now) of \(revision)")
    case .reset:
      stream = server.updates().makeAsyncIterator()
      try await deliver(fromScratch: true)
    }
  }

  private var isBehind: Bool {
    get async { await server.token(for: server.revision) != mirror.resumeToken }
  }

  private func next() async -> CardBatch? {
    var iterator = stream
    defer { stream = iterator }
    return await iterator.next(isolation: #isolation)
  }

  /// The server takes what the owner has.
  private func advance() async throws {
    if try await relay?.advance() == true { isServerNew = true }
  }

  private func deliver(fromScratch: Bool = false) async throws {
    try await advance()
    var (isOpen, isWhole) = (fromScratch, isServerNew)
    isServerNew = false
    while await isBehind || isOpen {
      guard let batch = await next() else { throw Failure("the stream has ended") }
      if batch.base == nil { isWhole = true }
      isOpen = false
      let text = try JSONEncoder().encode(batch.delta)
      last = Array(text)
      try await apply(Array(text))
    }
    // A delta with everything has no marks.
    if isWhole { missed = Marks(isReset: true, isUnknown: true) }
    var marks = Marks()
    marks.follow([(missed, owner.truth)], from: truth, to: owner.truth)
    received = (owner.truth, marks)
    missed = Marks()
  }

  private func apply(_ text: [UInt8]) async throws {
    try await mirror.apply(text) { try JSONDecoder().decode(CardBatch.Delta.self, from: Data($0)) }
  }
}

/// A server that begins its life with what the owner of a list has, and shows it to others.
@MainActor
private final class Relay {
  let mirror = MirrorSource<CardBatch>()
  private let owner: any Part
  private var stream: AsyncStream<CardBatch>.Iterator

  init(_ owner: any Part) {
    self.owner = owner
    stream = owner.source.updates().makeAsyncIterator()
  }

  /// Takes all that the owner has.
  ///
  /// - Returns: Whether some of it was a delta with everything.
  func advance() async throws -> Bool {
    var isWhole = false
    while await owner.source.token(for: owner.source.revision) != mirror.resumeToken {
      var iterator = stream
      let batch = await iterator.next(isolation: #isolation)
      stream = iterator
      guard let batch else { throw Failure("the stream has ended") }
      if batch.base == nil { isWhole = true }
      _ = try await mirror.apply(batch.delta)
    }
    return isWhole
  }
}
