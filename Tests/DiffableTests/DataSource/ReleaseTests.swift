import Diffable
import Foundation
import Synchronization
import Testing

/// Who releases large states: never the main actor, though it may be the one that lets go.
@Suite(.timeLimit(.minutes(15)), .serialized) struct ReleaseTests {
  typealias Heavy = DataSourceActor<Int, HeavyID>

  /// More identifiers than are worth releasing on the spot.
  private static let count = 10_000

  @Test func `A source that the main actor drops`() async throws {
    let ledger = Ledger()
    var source: Heavy? = try await Self.source(ledger)
    let owned = Handed(source)
    source = nil
    await MainActor.run { owned.drop() }
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `A stream that the main actor forgets is the last to hold a state`() async throws {
    let ledger = Ledger()
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
    let ledger = Ledger()
    let source = try await Self.source(ledger, history: 0)
    let renderer = Task { @MainActor in
      var shown = Snapshot<Int, HeavyID>()
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
    let ledger = Ledger()
    let source = try await Self.source(ledger, history: 2)
    for _ in 0..<5 { try await source.apply(Self.list(ledger)) }
    try await wait { ledger.released == 3 * Self.count }
    await source.finish()
    _ = await source.revision
    #expect(ledger.released == 3 * Self.count)
  }

  private static func source(_ ledger: Ledger, history: Int = 64) async throws -> Heavy {
    let source = Heavy(history: history)
    try await source.apply(list(ledger))
    return source
  }

  private static func list(_ ledger: Ledger) throws -> Snapshot<Int, HeavyID> {
    var snapshot = Snapshot<Int, HeavyID>()
    snapshot.appendSections([0])
    try snapshot.appendItems((0..<count).map { _ in HeavyID(ledger: ledger) })
    return snapshot
  }
}

/// An identifier that tells where it is released.
final class HeavyID: Hashable, Sendable {
  private let ledger: Ledger

  init(ledger: Ledger) {
    self.ledger = ledger
  }

  deinit { ledger.noteRelease() }

  static func == (left: HeavyID, right: HeavyID) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Counts releases, and those on the main queue.
final class Ledger: Sendable {
  private static let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private let counts = Mutex((all: 0, onMain: 0))

  init() { _ = Self.mainQueueKey }

  var released: Int { counts.withLock(\.all) }
  var releasedOnMain: Int { counts.withLock(\.onMain) }

  func noteRelease() {
    let isOnMain = DispatchQueue.getSpecific(key: Self.mainQueueKey) == true
    counts.withLock { counts in
      counts.all += 1
      if isOnMain { counts.onMain += 1 }
    }
  }
}

/// The only reference to a source, to be dropped elsewhere.
private final class Handed: Sendable {
  private let source: Mutex<ReleaseTests.Heavy?>

  init(_ source: ReleaseTests.Heavy?) {
    self.source = Mutex(source)
  }

  func drop() {
    let last = source.withLock { source in
      defer { source = nil }
      return source
    }
    _ = consume last
  }
}
