import Diffable
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

/// Where drags may go, and what waits for them.
@Suite(.deadline) @MainActor
struct DropTargetTests {
  @Test("A program says where an item goes that is held over another one")
  func targets() async throws {
    // Rows stay in their section.
    let target: @MainActor @Sendable (ItemPath, ItemPath) -> ItemPath = { origin, proposed in
      proposed.section == origin.section ? proposed : origin
    }
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2], [3, 4]))
      fixture.canReorderItem = { _ in true }
      for (path, expected) in [
        (ItemPath(section: 1, item: 0), [1, 2, 3, 4]),
        (ItemPath(section: 0, item: 1), [2, 1, 3, 4]),
      ] {
        #expect(fixture.userHolds(ItemPath(section: 0, item: 0)))
        #expect(fixture.userMoves(to: path))
        fixture.userDrops()
        try await list.settle()
        #expect(fixture.numbers == expected)
      }
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    let collectionView = CollectionViewFixture()
    collectionView.host.targetForReorder = target
    try await check(collectionView)
    let tableView = TableViewFixture()
    tableView.host.targetForReorder = target
    try await check(tableView)
  }

  @Test(
    "While the user holds something in a view of AppKit, nothing moves under the pointer",
    arguments: [ListViewKind.nsCollectionView, .nsTableView])
  func held(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, isDropped: Bool) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2, 3]))
      fixture.canReorderItem = { _ in true }
      #expect(fixture.userHolds(ItemPath(section: 0, item: 2)))
      try await wait { fixture.userMoves(to: ItemPath(section: 0, item: 1)) }
      _ = try await list.source.update { try $0.insertItems([9], beforeItem: 1) }
      for _ in 0..<50 { await Task.yield() }
      #expect(fixture.numbers == [1, 2, 3])
      #expect(list.controller.reorderedItems == [3])
      if !isDropped { fixture.userLeaves() }
      fixture.userDrops()
      try await list.settle()
      #expect(fixture.numbers == (isDropped ? [9, 1, 3, 2] : [9, 1, 2, 3]))
      #expect(list.controller.reorderedItems.isEmpty)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(), isDropped: true)
    try await check(kind.makeFixture(), isDropped: false)
  }

  @Test(
    "A drag is one of the rows that the user took, although they are elsewhere when it begins",
    arguments: [ListViewKind.nsCollectionView, .nsTableView])
  func elsewhere(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2, 3]))
      fixture.canReorderItem = { _ in true }
      #expect(fixture.userHolds(ItemPath(section: 0, item: 0)))
      // The list has changed before the task comes that begins the drag.
      let isMoved = list.controller.didMoveItem(
        from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 2))
      #expect(isMoved)
      let moved = try state([2, 3, 1])
      try await wait { await list.source.snapshot == moved }
      try await wait { !list.controller.reorderedItems.isEmpty }
      #expect(list.controller.reorderedItems == [1])
      fixture.userDrops()
      try await list.settle()
      #expect(list.controller.reorderedItems.isEmpty)
    }
    try await check(kind.makeFixture())
  }

  @Test(
    "A drag that ends before the list has begun it changes nothing",
    arguments: [ListViewKind.nsCollectionView, .nsTableView])
  func hasty(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2, 3]))
      fixture.canReorderItem = { $0.item == 2 }
      #expect(!fixture.userHolds(ItemPath(section: 0, item: 0)))
      for _ in 0..<3 {
        #expect(fixture.userHolds(ItemPath(section: 0, item: 2)))
        #expect(!fixture.userMoves(to: ItemPath(section: 0, item: 0)))
        fixture.userDrops()
      }
      try await list.settle()
      #expect(fixture.numbers == [1, 2, 3])
      try await list.apply(state([1, 2, 3, 4]))
      #expect(fixture.numbers == [1, 2, 3, 4])
      #expect(list.controller.reorderedItems.isEmpty)
      // Nor does it stand in the way of the next one, however soon that comes.
      #expect(fixture.userHolds(ItemPath(section: 0, item: 2)))
      fixture.userDrops()
      #expect(fixture.userHolds(ItemPath(section: 0, item: 2)))
      try await wait { fixture.userMoves(to: ItemPath(section: 0, item: 0)) }
      fixture.userDrops()
      try await list.settle()
      #expect(fixture.numbers == [3, 1, 2, 4])
    }
    try await check(kind.makeFixture())
  }

  @Test(
    "A drag that the list refuses, since the program drags something, leaves that alone",
    arguments: [ListViewKind.nsCollectionView, .nsTableView])
  func refused(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state([1, 2, 3]))
      fixture.canReorderItem = { _ in true }
      #expect(try await list.controller.beginReorder([1]))
      // The user lets go before the list has refused, and after that.
      for yields in [0, 50] {
        #expect(fixture.userHolds(ItemPath(section: 0, item: 2)))
        for _ in 0..<yields { await Task.yield() }
        #expect(!fixture.userMoves(to: ItemPath(section: 0, item: 0)))
        fixture.userDrops()
        for _ in 0..<50 { await Task.yield() }
        #expect(list.controller.reorderedItems == [1])
      }
      try await list.controller.proposeReorder(to: .after(3))
      try await list.controller.commitReorder()
      #expect(fixture.numbers == [2, 3, 1])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture())
  }
}

@Suite(.deadline) @MainActor
struct ReorderingTests {
  private func drag(_ item: Int, to row: Int, in fixture: some ListViewFixture) -> Bool {
    guard fixture.userHolds(ItemPath(section: 0, item: item)) else { return false }
    _ = fixture.userMoves(to: ItemPath(section: 0, item: row))
    fixture.userDrops()
    return true
  }

  private func drop<Fixture: ListViewFixture>(
    in fixture: Fixture, _ dataSource: DiffableDataSource<Int, Int, Fixture.Host>,
    item: (IndexPath) -> Int?
  ) async throws {
    try await dataSource.apply(state([1, 2, 3, 4]))
    #expect(!drag(0, to: 2, in: fixture))
    let transaction = await withCheckedContinuation { done in
      dataSource.reorderingHandlers.didReorder = { done.resume(returning: $0) }
      dataSource.reorderingHandlers.canReorderItem = { $0 != 4 }
      #expect(!drag(3, to: 0, in: fixture))
      #expect(drag(0, to: 2, in: fixture))
      #expect(fixture.numbers == [2, 3, 1, 4])
      #expect(item([0, 2]) == 1)
    }
    #expect(transaction.finalSnapshot.itemIdentifiers == [2, 3, 1, 4])
    #expect(dataSource.snapshot().itemIdentifiers == [2, 3, 1, 4])
    // The list goes on following the source.
    try await dataSource.apply(state([3, 1, 4, 5]))
    #expect(fixture.numbers == [3, 1, 4, 5])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A drop moves the item at once, and in the source after that")
  func drops() async throws {
    let collection = CollectionViewFixture()
    let cards = collection.makeDataSource()
    try await drop(in: collection, cards) { cards.itemIdentifier(for: $0) }
    let table = TableViewFixture()
    let rows = table.makeDataSource()
    try await drop(in: table, rows) { rows.itemIdentifier(for: $0) }
  }

  @Test("Whenever the source refuses a drop, it goes back with the reason", arguments: 1...3)
  func vetoes(question: Int) async throws {
    let fixture = CollectionViewFixture()
    let questions = Lock(0)
    // It is asked whether the item may be dragged, then about its place, and again at the drop.
    let source = DataSourceActor<Int, Int>(
      reordering: ReorderingHandlers(canReorder: { _, _, _ in
        questions.withLock { count in
          count += 1
          return count != question
        }
      }))
    let dataSource = fixture.makeDataSource(source: source)
    try await dataSource.apply(state([1, 2, 3]))
    var refusals: [ReorderRefusal] = []
    dataSource.reorderingHandlers.canReorderItem = { _ in true }
    dataSource.reorderingHandlers.didRefuse = { refusals.append($0) }
    dataSource.reorderingHandlers.didReorder = { _ in Issue.record("It was refused") }
    #expect(drag(0, to: 2, in: fixture))
    #expect(fixture.numbers == [2, 3, 1])
    try await wait { fixture.numbers == [1, 2, 3] && !refusals.isEmpty }
    #expect(refusals == [.vetoed])
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2, 3])
    // The list goes on following the source.
    try await dataSource.apply(state([1, 2, 3, 4]))
    #expect(fixture.numbers == [1, 2, 3, 4])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
