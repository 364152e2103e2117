import Diffable
import DiffableTesting
import DiffableViews
import StandInSupport
import Testing
import TestScope

@Suite("A cell that a view has made ahead is right when it comes into sight", .deadline)
@MainActor
struct PreparedCellTests {
  /// A view with three rows on the screen, and the cell of the fourth.
  private static func makeFixture(_ kind: ListViewKind) -> any ListViewFixture {
    kind.makeFixture(height: 60, habits: .all.union(.preparesNextCell))
  }

  private nonisolated static let kinds = [
    ListViewKind.uiCollectionView, .uiTableView, .nsTableView,
  ]
  private let path = ItemPath(section: 0, item: 3)

  @Test(
    "It is configured again with its row, in its place, also after the row was renamed",
    arguments: kinds)
  func reconfigured(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state(Array(0..<10)))
      #expect(fixture.numbers == [0, 1, 2])
      let cell = try #require(fixture.host.cell(at: path) as? any ShowsNumber)
      #expect(cell.number == 3)
      func expectConfigured(_ number: Int) {
        #expect(cell.number == number && cell.configurations > 0)
        #expect(fixture.host.cell(at: path) as? any ShowsNumber === cell)
        cell.configurations = 0
      }
      expectConfigured(3)
      try await list.update { try $0.reconfigureItems([3, 9]) }
      expectConfigured(3)
      try await list.update { try $0.renameItem(3, to: 30) }
      expectConfigured(30)
      try await list.update { try $0.reconfigureItems([30]) }
      expectConfigured(30)
      fixture.userScrolls(to: 20)
      #expect(fixture.numbers == [1, 2, 30])
      #expect(fixture.host.cell(at: path) as? any ShowsNumber === cell)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(Self.makeFixture(kind))
  }

  /// The row for which the app has no cell.
  @MainActor private final class Gap { var item: Int? = 3 }

  @Test("It is made anew if its row needs another one, or a placeholder", arguments: kinds)
  func replaced(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let gap = Gap()
      let controller = ListController<Int, Int, Fixture.Host>(host: fixture.host) {
        cells, path, item in
        item == gap.item ? nil : try fixture.cell(cells, path, item)
      }
      var batches = BatchSequence<Int, Int>()
      await controller.show(try batches.next(state(Array(0..<10))))
      for next in [nil, 3] {
        gap.item = next
        var new = batches.snapshot
        try new.reconfigureItems([3])
        await controller.show(try batches.next(new))
        let cell = try #require(fixture.host.cell(at: path))
        #expect((cell as? any ShowsNumber)?.number == (next == nil ? 3 : nil))
      }
      fixture.userScrolls(to: 20)
      #expect(fixture.numbers == [1, 2, nil])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(Self.makeFixture(kind))
  }
}
