import Diffable
import DiffableUI
import DiffableViews
import SourceSupport
import TestScope
import Testing
import UIKit

/// Every view edits, drags and folds through every kind of source that can be changed.
@Suite(.deadline) @MainActor
struct WriterTests {
  /// Waits until a write that comes after all others is on the screen.
  private func settle<Host: ListHost>(
    _ source: any WritableListSource<Int, Int>, _ controller: ListController<Int, Int, Host>
  ) async throws {
    // The end of a drag begins with a hop, and has its turn before what is written then.
    for _ in 0..<4 { await Task.yield() }
    try await source.updateOrder { order in
      if order.containsSection(-1) {
        order.deleteSections([-1])
      } else {
        order.appendSections([-1])
      }
    }
    let revision = try await source.decided()
    try await wait { (controller.revision ?? .empty) >= revision }
  }

  @Test("The user drags", arguments: ListViewKind.columns, WriterKind.allCases)
  func dragging(kind: ListViewKind, writer: WriterKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let source = try await writer.makeSource(state([1, 2, 3], [4, 5]))
      let controller = fixture.makeController()
      controller.start(following: source)
      try await wait { fixture.numbers == [1, 2, 3, 4, 5] }
      try await source.updateOrder(named: "Sink") { try $0.moveItem(1, afterItem: 3) }
      try await settle(source, controller)
      #expect(fixture.numbers == [2, 3, 1, 4, 5])
      fixture.canReorderItem = { _ in true }
      #expect(fixture.userHolds(ItemPath(section: 0, item: 0)))
      try await wait { fixture.userMoves(to: ItemPath(section: 1, item: 0)) }
      fixture.userDrops()
      try await settle(source, controller)
      #expect(fixture.numbers == [3, 1, 2, 4, 5])
      let list = source.publishedSnapshot
      #expect(list.itemIdentifiers(inSection: 100) == [3, 1])
      #expect(list.itemIdentifiers(inSection: 101) == [2, 4, 5])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture())
  }

  @Test("The user folds rows", arguments: ListViewKind.columns, WriterKind.allCases)
  func folding(kind: ListViewKind, writer: WriterKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      var outline = try Outline([1, 2])
      try outline.append([11, 12], to: 1)
      var tree = Snapshot<Int, Int>()
      tree.appendSections([100])
      try tree.setOutline(outline, forSection: 100)
      let source = try await writer.makeSource(tree)
      let controller = fixture.makeController()
      controller.start(following: source)
      try await wait { fixture.numbers == [1, 2] }
      controller.toggleExpansion(of: 1)
      try await wait { fixture.numbers == [1, 11, 12, 2] }
      controller.toggleExpansion(of: 1)
      try await wait { fixture.numbers == [1, 2] }
      #expect(source.publishedSnapshot.outline(ofSection: 100)?.isExpanded(1) == false)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture())
  }

  @Test("A data source applies, edits and drags", arguments: WriterKind.allCases)
  func dataSource(writer: WriterKind) async throws {
    let fixture = CollectionViewFixture()
    let source = try await writer.makeSource(state([1, 2, 3, 4]))
    let dataSource = fixture.makeDataSource(source: source)
    try await dataSource.apply(state([4, 1, 2, 3]))
    #expect(fixture.numbers == [4, 1, 2, 3])
    // Whether an unknown item needs a model is for the source to say.
    let (longer, shorter) = (try state([4, 1, 2, 3, 9]), try state([4, 1, 2, 3]))
    do throws(DataSourceError) {
      try await dataSource.apply(longer)
      #expect(fixture.numbers == [4, 1, 2, 3, 9])
      try await dataSource.apply(shorter)
    } catch {
      #expect(error == .invalidSnapshot(.missingModel([AnyItemID(9)])))
      #expect(fixture.numbers == [4, 1, 2, 3])
    }
    // A view that is busy refuses a drop.
    _ = try await source.decided()
    try await dataSource.apply(dataSource.snapshot())
    let transaction = await withCheckedContinuation { done in
      dataSource.reorderingHandlers.didReorder = { done.resume(returning: $0) }
      dataSource.reorderingHandlers.canReorderItem = { _ in true }
      #expect(fixture.view.beginInteractiveMovementForItem(at: IndexPath(item: 0, section: 0)))
      fixture.view.updateInteractiveMovementTargetPosition(CGPoint(x: 5, y: 45))
      fixture.view.endInteractiveMovement()
    }
    #expect(transaction.finalSnapshot.itemIdentifiers == [1, 2, 4, 3])
    #expect(source.publishedSnapshot.itemIdentifiers == [1, 2, 4, 3])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
