import Diffable
import ListSupport
import Synchronization
import TestScope
import Testing

/// Every way in which a subscriber can end, and that nothing of it is left.
@Suite(.deadline) struct StreamExitTests {
  private struct Enough: Error {}

  private let source: Source

  init() throws {
    source = try Source(.list([1]))
  }

  @Test func `A stream that is never iterated`() {
    var stream: AsyncStream<UpdateBatch<String, Int>>? = source.updates()
    #expect(source.population == Population(subscribers: 1))
    _ = stream
    stream = nil
    #expect(source.population == Population())
  }

  @Test @MainActor func `A loop on the main actor that is left by break`() async {
    func run() async {
      for await _ in source.updates() { break }
    }
    await run()
    #expect(source.population == Population())
  }

  @Test(arguments: [false, true])
  func `A loop that is left by break or throw`(isThrown: Bool) async throws {
    func run() async throws {
      for await _ in source.updates() {
        if isThrown { throw Enough() }
        break
      }
    }
    if isThrown {
      await #expect(throws: Enough.self) { try await run() }
    } else {
      try await run()
    }
    #expect(source.population == Population())
  }

  @Test(arguments: [0, 1])
  func `A task that cancels itself before it asks, or inside its loop`(place: Int) async {
    let count = await Task { [source] in
      if place == 0 { withUnsafeCurrentTask { $0?.cancel() } }
      var count = 0
      for await _ in source.updates() {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }.value
    #expect(count == place)
    #expect(source.population == Population())
  }

  @Test func `A task that is cancelled while it waits`() async throws {
    let task = Task { [source] in
      var count = 0
      for await _ in source.updates() { count += 1 }
      return count
    }
    try await wait { source.population.waiting == 1 }
    task.cancel()
    #expect(await task.value == 1)
    #expect(source.population == Population())
  }

  @Test func `A subscriber that stops reading is forgotten with its stream`() async throws {
    func run() async throws {
      var batches = source.updates().makeAsyncIterator()
      _ = await batches.next()
      for items in 2..<200 { try await source.apply(.list(0..<items)) }
      #expect(source.population == Population(subscribers: 1))
    }
    try await run()
    #expect(source.population == Population())
  }

  @Test func `A source that finishes`() async throws {
    let task = Task { [source] in
      var targets: [Revision] = []
      for await batch in source.updates() { targets.append(batch.target) }
      return targets
    }
    try await wait { source.population.waiting == 1 }
    await source.finish()
    #expect(await task.value == [Revision(1)])
    #expect(source.population == Population())
  }

  @Test func `A source that finishes hands over what is left`() async throws {
    var batches = source.updates(.every(limit: 9)).makeAsyncIterator()
    var fresh = source.updates().makeAsyncIterator()
    _ = await batches.next()
    try await source.apply(.list([2]))
    try await source.apply(.list([3]))
    await source.finish()
    #expect(await batches.next()?.target == Revision(2))
    #expect(await batches.next()?.target == Revision(3))
    #expect(await batches.next() == nil)
    #expect(await fresh.next()?.target == Revision(3))
    #expect(await fresh.next() == nil)
    var late = source.updates().makeAsyncIterator()
    #expect(await late.next()?.target == Revision(3))
    #expect(await late.next() == nil)
    #expect(source.population == Population())
  }

  @Test func `A source that its owner drops while a subscriber waits`() async throws {
    var owned: Source? = try Source(.list([1]))
    let stream = try #require(owned).updates()
    let task = Task {
      var targets: [Revision] = []
      for await batch in stream { targets.append(batch.target) }
      return targets
    }
    let source = { [weak owned] in owned }
    try await wait { owned?.population.waiting == 1 }
    owned = nil
    #expect(await task.value == [Revision(1)])
    #expect(source() == nil)
  }

  @Test func `A source that its owner drops while a subscriber is behind`() async throws {
    var owned: Source? = try Source(.list([1]))
    var batches = try #require(owned).updates().makeAsyncIterator()
    var late = try #require(owned).updates().makeAsyncIterator()
    _ = await batches.next()
    try await owned?.apply(.list([1, 2], reload: [1]))
    try await owned?.apply(.list([1, 2, 3]))
    owned = nil
    let batch = try #require(await batches.next())
    #expect(batch.base == Revision(1))
    #expect(try batch.snapshot == .list([1, 2, 3]) && batch.difference.itemReloads.count == 1)
    #expect(await batches.next() == nil)
    #expect(await late.next()?.target == Revision(3))
    #expect(await late.next() == nil)
  }

  @Test func `A stream that two tasks share leads on from batch to batch`() async throws {
    let stream = source.updates()
    let tasks = (0..<2).map { _ in
      Task {
        var batches: [UpdateBatch<String, Int>] = []
        for await batch in stream { batches.append(batch) }
        return batches
      }
    }
    for items in 2..<50 { try await source.apply(.list(0..<items)) }
    await source.finish()
    var batches: [UpdateBatch<String, Int>] = []
    for task in tasks { batches += await task.value }
    batches.sort { $0.target < $1.target }
    for (batch, next) in zip(batches, batches.dropFirst()) { #expect(next.base == batch.target) }
    #expect(batches.last?.target == Revision(49))
    #expect(source.population == Population())
  }

  @Test func `A subscriber that is cancelled while writers write`() async throws {
    for round in 0..<300 {
      // As many writes as a subscriber may see before it is cancelled, and some more.
      let writer = Task { [source] in
        for items in 0..<7 { try await source.apply(.list(0..<(items + round) % 7)) }
      }
      let task = Task { [source] in
        var shown: Revision?
        for await batch in source.updates() {
          #expect(batch.base == shown)
          shown = batch.target
        }
      }
      for _ in 0..<round % 5 { await Task.yield() }
      task.cancel()
      await task.value
      try await writer.value
    }
    #expect(source.population == Population())
  }
}

/// Who releases large states: never the main actor, though it may be the one that lets go.
@Suite(.deadline, .serialized) struct ReleaseTests {
  typealias Heavy = DataSourceActor<Int, LedgerID>

  /// More identifiers than are worth releasing on the spot.
  private static let count = 10_000

  @Test(arguments: [false, true])
  func `A source that the main actor drops`(areRowsHidden: Bool) async throws {
    let ledger = ReleaseLedger()
    var source: Heavy? = Heavy()
    try await source?.apply(areRowsHidden ? Self.hidden(ledger) : Self.list(ledger))
    let owned = Handed(source)
    source = nil
    await MainActor.run { owned.drop() }
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `A stream that the main actor forgets is the last to hold a state`() async throws {
    let ledger = ReleaseLedger()
    let source = try await Self.source(ledger, history: 0)
    await Task { @MainActor in
      for await _ in source.updates() {
        // Now the cursor alone holds the state.
        _ = try? await source.apply(Snapshot())
        break
      }
    }.value
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `A renderer on the main actor that goes on to the next state`() async throws {
    let ledger = ReleaseLedger()
    let source = try await Self.source(ledger, history: 0)
    let renderer = Task { @MainActor in
      var shown = Snapshot<Int, LedgerID>()
      for await batch in source.updates() { shown = batch.snapshot }
      return shown.numberOfItems
    }
    try await wait { source.population.waiting == 1 }
    for _ in 0..<3 {
      try await source.apply(Self.list(ledger))
      try await wait { source.population.waiting == 1 }
    }
    try await source.apply(Snapshot())
    try await wait { source.population.waiting == 1 }
    await source.finish()
    #expect(await renderer.value == 0)
    try await wait { ledger.released == 4 * Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `A state that leaves the history is released`() async throws {
    let ledger = ReleaseLedger()
    let source = try await Self.source(ledger, history: 2)
    for _ in 0..<5 { try await source.apply(Self.list(ledger)) }
    try await wait { ledger.released == 3 * Self.count }
    await source.finish()
    _ = await source.revision
    #expect(ledger.released == 3 * Self.count)
  }

  @Test func `An identifier whose release asks the source`() async throws {
    await #expect(processExitsWith: .success) {
      let source = DataSourceActor<Int, AskingID>(
        options: SourceOptions(duplicates: .keepFirst, history: 0))
      var batches = source.updates(.every(limit: 1)).makeAsyncIterator()
      for round in 0..<40 {
        var snapshot = Snapshot<Int, AskingID>()
        snapshot.appendSections([0])
        // The second one of a name is noted as dropped, and its note is the last to hold it.
        try snapshot.appendItems([1, 2, 1, round + 3].map { AskingID($0, source) })
        try snapshot.reloadItems([AskingID(round + 3, source)])
        try await source.apply(snapshot)
        if round % 7 == 3 { _ = await batches.next() }
      }
      await source.finish()
    }
  }

  /// A list of rows that are all below a collapsed one.
  private static func hidden(_ ledger: ReleaseLedger) throws -> Snapshot<Int, LedgerID> {
    let root = LedgerID(ReleaseLedger())
    var outline = try Outline([root])
    try outline.append((0..<count).map { _ in LedgerID(ledger) }, to: root)
    return try Snapshot<Int, LedgerID>(outline, in: 0)
  }

  private static func source(_ ledger: ReleaseLedger, history: Int = 64) async throws -> Heavy {
    let source = Heavy(options: SourceOptions(history: history))
    try await source.apply(list(ledger))
    return source
  }

  private static func list(_ ledger: ReleaseLedger) throws -> Snapshot<Int, LedgerID> {
    var snapshot = Snapshot<Int, LedgerID>()
    snapshot.appendSections([0])
    try snapshot.appendItems((0..<count).map { _ in LedgerID(ledger) })
    return snapshot
  }
}

/// An identifier that asks a source when it is released.
private final class AskingID: Hashable, Sendable {
  private let number: Int
  private let source: DataSourceActor<Int, AskingID>

  init(_ number: Int, _ source: DataSourceActor<Int, AskingID>) {
    (self.number, self.source) = (number, source)
  }

  deinit { _ = source.metrics }

  static func == (left: AskingID, right: AskingID) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The only reference to a source, to be dropped elsewhere.
private final class Handed: Sendable {
  private let source: Lock<ReleaseTests.Heavy?>

  init(_ source: ReleaseTests.Heavy?) {
    self.source = Lock(source)
  }

  func drop() {
    let last = source.withLock { source in
      defer { source = nil }
      return source
    }
    _ = consume last
  }
}
