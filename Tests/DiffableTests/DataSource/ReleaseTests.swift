import Diffable
import ListSupport
import Synchronization
import TestScope
import Testing

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
