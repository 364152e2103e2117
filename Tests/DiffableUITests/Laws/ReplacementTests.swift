import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing
import UIKit

@Suite("A view that gets another host is that one's", .deadline) @MainActor
struct ReplacementTests {
  @Test(arguments: ListViewKind.columns, [StandInHabits.all, []])
  func `It shows what that one has, whatever the former one is to show`(
    kind: ListViewKind, habits: StandInHabits
  ) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let former = fixture.makeController()
      var batches = BatchSequence<Int, Int>()
      await former.show(try batches.next(state([1, 2, 3])))
      let host = fixture.makeHost()
      let controller = fixture.makeController(of: host)
      var numbers: [Int?] {
        host.visibleItemPaths.map { (host.cell(at: $0) as? any ShowsNumber)?.number }
      }
      var others = BatchSequence<Int, Int>()
      await controller.show(try others.next(state([4, 5])))
      await former.show(try batches.next(state([2, 3, 6, 7])))
      #expect(numbers == [4, 5])
      await controller.show(try others.next(state([5, 8])))
      #expect(numbers == [5, 8])
      fixture.userTaps(ItemPath(section: 0, item: 1))
      #expect(controller.selectedItems == [8])
      #expect(former.selectedItems.isEmpty && former.host == nil)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(habits: habits))
  }

  @Test(arguments: ListViewKind.columns)
  func `It is scrolled by that one alone`(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let former = fixture.makeController()
      former.sticksToEnd = true
      var batches = BatchSequence<Int, Int>()
      await former.show(try batches.next(state([1, 2, 3])))
      former.scroll(to: .end)
      let host = fixture.makeHost()
      let controller = fixture.makeController(of: host)
      var others = BatchSequence<Int, Int>()
      await controller.show(try others.next(state([1, 2, 3])))
      fixture.resizes(toHeight: 40)
      #expect(host.visibleItemPaths.map(\.item) == [0, 1])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 100))
  }

  @Test func `It does not pile up what former hosts have added to it`() {
    let (collection, table) = (CollectionViewFixture(), TableViewFixture())
    var hosts: [AnyObject] = [collection.host, table.host]
    let counts = (collection.view.subviews.count, table.view.subviews.count)
    for _ in 0..<5 { hosts += [collection.makeHost(), table.makeHost()] }
    #expect((collection.view.subviews.count, table.view.subviews.count) == counts)
    withExtendedLifetime(hosts) {}
  }
}
