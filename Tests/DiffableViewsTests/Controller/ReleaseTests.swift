import Diffable
import Dispatch
import DiffableViews
import ListSupport
import TestScope
import Testing

/// The main actor does not release what a list has shown, however long its host takes.
@Suite(.deadline) @MainActor struct ReleaseTests {
  @Test func `A host that is slower than the task that releases`() async throws {
    let ledger = ReleaseLedger()
    let host = PlainHost()
    host.work = Self.letOthersRun
    let controller = ListController<Int, LedgerID, PlainHost>(host: host) { _, _, _ in nil }
    var first: DataSourceActor<Int, LedgerID>? = try await Self.source(ledger)
    if let first { controller.start(following: first) }
    try await wait { controller.revision != nil }
    first = nil
    controller.start(following: DataSourceActor<Int, LedgerID>())
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `A controller that is the last to hold its list`() async throws {
    let ledger = ReleaseLedger()
    let host = PlainHost()
    host.work = Self.letOthersRun
    do {
      let controller = ListController<Int, LedgerID, PlainHost>(host: host) { _, _, _ in nil }
      var source: DataSourceActor<Int, LedgerID>? = try await Self.source(ledger)
      if let source { controller.start(following: source) }
      try await wait { controller.revision != nil }
      controller.stop()
      source = nil
    }
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  @Test func `An observable list that is the last to hold its list`() async throws {
    let ledger = ReleaseLedger()
    do {
      let list = ObservableList<Int, LedgerID>()
      var source: DataSourceActor<Int, LedgerID>? = try await Self.source(ledger)
      if let source { list.start(following: source) }
      try await wait { list.revision != nil }
      list.stop()
      source = nil
      withExtendedLifetime(list, Self.letOthersRun)
    }
    try await wait { ledger.released == Self.count }
    #expect(ledger.releasedOnMain == 0)
  }

  /// More identifiers than are worth releasing on the spot.
  private nonisolated static let count = 10_000

  /// Lets all tasks run that were started before.
  private static func letOthersRun() {
    for _ in 0..<8 {
      let hasRun = DispatchSemaphore(value: 0)
      Task.detached(priority: .utility) { hasRun.signal() }
      _ = hasRun.wait(timeout: .now() + .seconds(10))
    }
  }

  private nonisolated static func source(
    _ ledger: ReleaseLedger
  ) async throws -> DataSourceActor<Int, LedgerID> {
    var snapshot = Snapshot<Int, LedgerID>()
    snapshot.appendSections([0])
    try snapshot.appendItems((0..<count).map { _ in LedgerID(ledger) })
    return try DataSourceActor(snapshot)
  }
}
