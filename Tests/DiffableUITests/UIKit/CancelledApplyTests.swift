import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

/// A write that was not made is in no snapshot that is edited and applied next.
@Suite("A write that fails leaves nothing in the newest state", .deadline)
@MainActor
struct CancelledApplyTests {
  /// The calls that wait for the screen.
  enum Call: CaseIterable {
    case apply, applyAtOnce, reload, outline
  }

  private func make<Host>(
    _ call: Call, of items: [Int], in dataSource: DiffableDataSource<Int, Int, Host>
  ) async throws {
    switch call {
    case .apply: try await dataSource.apply(state(items))
    case .applyAtOnce: try await dataSource.apply(state(items), animatingDifferences: false)
    case .reload: try await dataSource.applySnapshotUsingReloadData(state(items))
    case .outline: try await dataSource.apply(Outline(items), to: 100)
    }
  }

  private func check<Host>(
    _ call: Call, in dataSource: DiffableDataSource<Int, Int, Host>, _ shown: () -> [Int?]
  ) async throws {
    try await dataSource.apply(state([1, 2]))
    let cancelled = Task { try await make(call, of: [99], in: dataSource) }
    cancelled.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await cancelled.value }
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2])
    var next = dataSource.snapshot()
    try next.appendItems([3], toSection: 100)
    try await dataSource.apply(next)
    #expect(shown() == [1, 2, 3])

    // Cancelled while another write is queued, which is not lost.
    var isShown = false
    dataSource.apply(try state([1, 2, 3, 4])) { isShown = true }
    let late = Task { try await make(call, of: [99], in: dataSource) }
    late.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await late.value }
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2, 3, 4])
    try await wait { isShown }
    #expect(shown() == [1, 2, 3, 4])
  }

  @Test("A cancelled call of a collection view", arguments: Call.allCases)
  func collection(_ call: Call) async throws {
    let fixture = CollectionViewFixture()
    try await check(call, in: fixture.makeDataSource()) { fixture.numbers }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A cancelled call of a table", arguments: Call.allCases)
  func table(_ call: Call) async throws {
    let fixture = TableViewFixture()
    try await check(call, in: fixture.makeDataSource()) { fixture.numbers }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Edits that wait begin without a state that was rejected")
  func rejected() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = CollectionViewDiffableDataSource<Int, Int>(collectionView: fixture.view) {
      _, _, _ in nil
    }
    try await dataSource.apply(state([1, 2]))
    var errors = 0
    var snapshots: [[Int]] = []
    dataSource.errorHandler = { error in
      guard error is DataSourceError else { return }
      errors += 1
      // The edit that comes next has not been made.
      snapshots.append(dataSource.snapshot().itemIdentifiers)
    }
    dataSource.apply(try state([99, 99])) { Issue.record("It was refused") }
    try await dataSource.apply(Outline([3]), to: 200)
    #expect(errors == 1)
    #expect(snapshots == [[1, 2, 3]])
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2, 3])
  }
}
