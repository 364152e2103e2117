import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("Selection and prefetching belong to identifiers", .deadline)
@MainActor
struct SelectionTests {
  @Test("Selection goes with its items, and ends with those that go")
  func selection() async throws {
    var (host, controller, batches) = try await shownList([1, 2, 3], [4])
    var changes: [SelectionChange<Int>] = []
    controller.selectionHandler = { changes.append($0) }
    host.tapItem(at: ItemPath(section: 0, item: 1))
    controller.select([4, 9])
    #expect(changes.map(\.cause) == [.user, .program])
    #expect(changes.map(\.selected) == [[2], [4]])
    // Moves within and across sections, and a reload.
    var new = batches.snapshot
    try new.moveItem(2, afterItem: 4)
    try new.moveSection(1, beforeSection: 0)
    try new.reloadItems([4])
    await controller.show(try batches.next(new))
    #expect(
      host.selectedItemPaths == [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1)])
    #expect(changes.count == 2)
    await controller.show(try batches.reset())
    #expect(host.selectedItemPaths.count == 2)
    new.deleteItems([2])
    await controller.show(try batches.next(new))
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 0)])
    #expect(changes.last == SelectionChange(selected: [], deselected: [2], cause: .deletion))
    host.tapItem(at: ItemPath(section: 0, item: 0))
    #expect(changes.last == SelectionChange(selected: [], deselected: [4], cause: .user))
    controller.select([1, 3])
    controller.deselect([3, 9])
    #expect(controller.selectedItems == [1])
    #expect(host.selectedItemPaths == [ItemPath(section: 1, item: 0)])
    let count = changes.count
    controller.select([1])
    controller.didSelectItems(at: [ItemPath(section: 9, item: 0)])
    #expect(changes.count == count)
  }

  @Test("When a batch is said to be on the screen, nothing that is gone is selected or prefetched")
  func displayed() async throws {
    var (host, controller, batches) = try await shownList([1, 2, 3], [4])
    var seen: [Set<Int>] = []
    var cancelled: [Int] = []
    controller.select([2, 3])
    controller.content.prefetchItems(at: [ItemPath(section: 1, item: 0)])
    controller.prefetchCancellationHandler = { cancelled += $0 }
    controller.displayHandler = { [weak controller] _ in
      if let controller { seen.append(controller.selectedItems) }
      #expect(cancelled == [4])
    }
    await controller.show(try batches.next(list([1, 3], [])))
    #expect(seen == [[3]])
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 1)])
  }

  @Test("An item that is away only between the stages of a batch stays selected")
  func acrossStages() async throws {
    var (host, controller, batches) = try await shownList([1], [2], [3])
    controller.select([1])
    // Its section goes and it enters a new one, while others move.
    var new = List()
    new.appendSections([7, 2, 1])
    try new.appendItems([3], toSection: 2)
    try new.appendItems([2], toSection: 1)
    try new.appendItems([1], toSection: 7)
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [1])
    #expect(host.selectedItemPaths == [ItemPath(section: 0, item: 0)])
  }

  @Test("What a collapsed row hides is deselected with its section")
  func hidden() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    var batches = Batches()
    var new = try list([], [9])
    var outline = try Outline([1])
    try outline.append([2], to: 1)
    outline.expand([1])
    try new.setOutline(outline, forSection: 0)
    await controller.show(try batches.next(new))
    controller.select([2, 9])
    new.collapseItems([1])
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [2, 9])
    new.deleteSections([0])
    await controller.show(try batches.next(new))
    #expect(controller.selectedItems == [9] && host.violations.isEmpty)
  }

  @Test("Prefetching is told by identifier, once, and cancelled for what is deleted")
  func prefetching() async throws {
    var (host, controller, batches) = try await shownList(Array(0..<10), rows: 2)
    var wanted: [[Int]] = []
    var cancelled: [[Int]] = []
    controller.prefetchHandler = { wanted.append($0) }
    controller.prefetchCancellationHandler = { cancelled.append($0.sorted()) }
    let paths = (2..<6).map { ItemPath(section: 0, item: $0) }
    controller.content.prefetchItems(at: paths)
    controller.content.prefetchItems(at: paths + [ItemPath(section: 3, item: 0)])
    #expect(wanted == [[2, 3, 4, 5]])
    controller.content.cancelPrefetchingItems(at: [paths[1]])
    #expect(cancelled == [[3]])
    // 2 comes on the screen and needs no cancelling.
    host.scroll(toRow: 1)
    await controller.show(try batches.next(list([0, 1, 3, 5])))
    #expect(cancelled == [[3], [4]])
    controller.content.cancelPrefetchingItems(at: [ItemPath(section: 0, item: 3)])
    #expect(cancelled == [[3], [4], [5]])
  }
}
