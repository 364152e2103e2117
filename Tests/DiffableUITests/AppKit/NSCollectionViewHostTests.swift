import AppKit
import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing

@Suite(.deadline) @MainActor
struct NSCollectionViewHostTests {
  typealias Controller = ListController<Int, Int, NSCollectionViewHost>

  @Test("A header of a class that AppKit does not take is an error, not an exception")
  func wrongHeader() async throws {
    final class NoElement: NSView {}
    let fixture = NSCollectionViewFixture(headerHeight: 10)
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let controller = Controller(host: host) { try fixture.cell($0, $1, $2) }
    let kind = NSCollectionView.elementKindSectionHeader
    let wrong = SupplementaryRegistration<NoElement, Int>(elementKind: kind) { _, _, _ in }
    controller.supplementaryProviders[kind] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: wrong, for: path, model: section)
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    await controller.show(try UpdateBatch(from: Snapshot(), to: state([1])))
    guard case .wrongView(expected: "NoElement", _)? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    let placeholder = host.supplementaryView(ofKind: kind, at: ItemPath(section: 0, item: 0))
    #expect(placeholder.flatMap(host.reuseIdentifier(ofSupplementaryView:)) == nil)
    #expect(placeholder != nil)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A view of the layout as a whole has a path with one index, and the first section")
  func viewsOfTheLayout() async throws {
    let fixture = NSCollectionViewFixture()
    let list = try await ShownSource(in: fixture, state([1], [2]))
    let banners = SupplementaryRegistration<NSCollectionViewFixture.Title, Int>(
      elementKind: "banner"
    ) { view, _, section in view.number = section }
    var paths: [ItemPath] = []
    list.controller.supplementaryProviders["banner"] = { views, path, section in
      paths.append(path)
      return try views.dequeueConfiguredReusableSupplementary(
        using: banners, for: path, model: section)
    }
    for indexPath in [IndexPath(index: 2), IndexPath(item: 3, section: 1)] {
      let view = fixture.view.dataSource?.collectionView(
        fixture.view, viewForSupplementaryElementOfKind: "banner", at: indexPath)
      let section = indexPath.count == 1 ? 100 : 101
      #expect((view as? NSCollectionViewFixture.Title)?.number == section)
    }
    #expect(paths == [ItemPath(section: 0, item: 2), ItemPath(section: 1, item: 3)])
    // Where no provider has one, there is a placeholder.
    list.controller.supplementaryProviders["banner"] = nil
    let placeholder = fixture.view.dataSource?.collectionView(
      fixture.view, viewForSupplementaryElementOfKind: "banner", at: IndexPath(index: 0))
    #expect(placeholder?.identifier?.rawValue == "DiffableUI.placeholder")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A registration for another class than one of items is an error, not an exception")
  func wrongClass() async throws {
    final class NoItem: NSView {}
    let fixture = NSCollectionViewFixture()
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let wrong = CellRegistration<NoItem, Int> { _, _, _ in }
    let controller = Controller(host: host) { cells, path, item in
      _ = try cells.dequeueConfiguredReusableCell(using: wrong, for: path, item: item)
      return nil
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    await controller.show(try UpdateBatch(from: Snapshot(), to: state([1])))
    guard case .wrongView(expected: "NoItem", _)? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    let path = ItemPath(section: 0, item: 0)
    let placeholder = try #require(host.cell(at: path))
    #expect(host.reuseIdentifier(of: placeholder) == nil)
  }

  @Test("A prefetch data source of the app stays that of the view, and is told what comes")
  func prefetching() async throws {
    final class Prefetching: NSObject, NSCollectionViewPrefetching {
      var paths: Set<IndexPath> = []
      func collectionView(
        _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath]
      ) { paths.formUnion(indexPaths) }
    }
    let fixture = NSCollectionViewFixture(height: 60)
    let own = Prefetching()
    fixture.view.prefetchDataSource = own
    let list = try await ShownSource(in: fixture, state(Array(0..<10)))
    #expect(fixture.view.prefetchDataSource === own)
    #expect(own.paths == Set((3..<6).map { IndexPath(item: $0, section: 0) }))
    withExtendedLifetime(list) {}
  }

  @Test("An item that is configured again is measured again")
  func measuredAgain() async throws {
    let fixture = NSCollectionViewFixture(sizesItself: true)
    let list = try await ShownSource(in: fixture, state([1, 2]))
    func heights() -> [CGFloat?] {
      (0..<2).map { item in
        let path = IndexPath(item: item, section: 0)
        return fixture.view.layoutAttributesForItem(at: path)?.frame.height
      }
    }
    #expect(heights() == [1, 7])
    let cell = list.controller.cell(for: 1)
    try await list.update { try $0.renameItem(1, to: 3) }
    #expect(heights() == [35, 7])
    #expect(cell != nil && list.controller.cell(for: 3) === cell)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A column that is for a moment wider than its window stays a column")
  func narrowedColumn() async throws {
    let fixture = NSCollectionViewFixture(height: 100)
    let list = try await ShownSource(in: fixture)
    list.controller.sticksToEnd = true
    try await list.apply(state([0, 1, 2]))
    // The window is narrower at once, and its content afterwards.
    fixture.scrollView.frame.size.width = 50
    fixture.scrollView.tile()
    fixture.resizes(toWidth: 50)
    #expect(fixture.numbers == [0, 1, 2])
    try await list.apply(state(Array(0..<10)))
    #expect(fixture.numbers == [5, 6, 7, 8, 9])
    #expect(fixture.scrollView.contentView.bounds.origin == NSPoint(x: 0, y: 100))
  }
}

@Suite("A view of AppKit that may not be without a selected item", .deadline) @MainActor
struct RequiredSelectionTests {
  @Test("The controller knows what the view selects by itself", arguments: [StandInHabits.all, []])
  func known(habits: StandInHabits) async throws {
    let table = NSTableViewFixture(hasHeaders: habits == .all, habits: habits)
    table.view.allowsEmptySelection = false
    try await check(table)
    let collection = NSCollectionViewFixture(
      headerHeight: habits == .all ? 10 : 0, habits: habits)
    collection.view.allowsEmptySelection = false
    try await check(collection)
  }

  private func check(_ fixture: some ListViewFixture) async throws {
    let list = try await ShownSource(in: fixture)
    let controller = list.controller
    var told: Set<Int> = []
    controller.selectionHandler = { change in
      told.subtract(change.deselected)
      told.formUnion(change.selected)
    }
    func expectKnown(_ step: String) {
      let shown = Set(fixture.selectedPaths.compactMap(controller.itemIdentifier(for:)))
      #expect(controller.selectedItems == shown, "\(step)")
      #expect(told == shown, "\(step)")
      #expect(shown.isEmpty == (controller.snapshot.numberOfItems == 0), "\(step)")
    }
    expectKnown("nothing")
    // Every list of three rows after every other one, with each of its rows selected.
    let subsets = (0..<8).map { bits in (0..<3).filter { bits >> $0 & 1 == 1 } }
    let lists = try [Snapshot()] + subsets.map { try state($0) }
    for (old, new) in lists.flatMap({ old in lists.map { (old, $0) } }) {
      for selected in old.itemIdentifiers {
        try await list.apply(old)
        let step = "\(selected) of \(old.itemIdentifiers), then \(new.itemIdentifiers)"
        expectKnown(step)
        controller.deselect(controller.selectedItems)
        controller.select([selected])
        #expect(controller.selectedItems == [selected], "\(step)")
        expectKnown(step)
        try await list.apply(new)
        expectKnown(step)
        if new.containsItem(selected) {
          #expect(controller.selectedItems == [selected], "\(step)")
        }
      }
    }
    try await list.apply(state([1, 2, 3]))
    expectKnown("other rows")
    fixture.userTaps(ItemPath(section: 0, item: 2))
    #expect(controller.selectedItems == [3])
    expectKnown("the user selects another")
    // A collection view leaves the item selected, and a table selects one in the next update.
    controller.deselect([3])
    #expect(controller.selectedItems.isEmpty && told.isEmpty)
    try await list.apply(state([2, 3]))
    expectKnown("the program deselects all")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}

/// What bars and pinned headers cover of a scroll view.
@Suite(.deadline) @MainActor
struct InsetTests {
  @Test(
    "Bars over a view of AppKit count as not visible",
    arguments: [ListViewKind.nsCollectionView, .nsCollectionRow, .nsMirroredRow, .nsTableView])
  func insets(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(
      _ fixture: Fixture, _ scrollView: NSScrollView
    ) async throws {
      scrollView.contentInsets =
        switch kind {
        case .nsCollectionRow: NSEdgeInsets(top: 0, left: 30, bottom: 0, right: 20)
        case .nsMirroredRow: NSEdgeInsets(top: 0, left: 20, bottom: 0, right: 30)
        default: NSEdgeInsets(top: 30, left: 0, bottom: 20, right: 0)
        }
      var origin: Double {
        let bounds = scrollView.contentView.bounds
        return switch kind {
        case .nsCollectionRow: Double(bounds.minX)
        case .nsMirroredRow: Double((scrollView.documentView?.frame.width ?? 0) - bounds.maxX)
        default: Double(bounds.minY)
        }
      }
      let list = try await ShownSource(in: fixture, state(Array(0..<50)))
      #expect(fixture.host.viewport.isAtStart)
      list.controller.scroll(to: 20, at: .top)
      #expect(origin == 400 - 30)
      #expect(fixture.host.viewport.length == 150)
      list.controller.scroll(to: 30, at: .bottom)
      #expect(origin == 620 + 20 - 200)
      // The first row that no bar covers stays.
      let row = try #require(
        fixture.host.viewport.rows.first { $0.span.lowerBound >= fixture.host.viewport.offset })
      let distance = row.span.lowerBound - fixture.host.viewport.offset
      try await list.apply(state(Array(-10..<50)))
      let item = row.path.item + 10
      let moved = fixture.host.viewport.rows.first { $0.path.item == item }
      #expect(moved.map { $0.span.lowerBound - fixture.host.viewport.offset } == distance)
      list.controller.scroll(to: .start)
      #expect(fixture.host.viewport.isAtStart && origin == -30)
      try await list.apply(state(Array(-20..<50)))
      #expect(origin == -30)
      list.controller.sticksToEnd = true
      list.controller.scroll(to: .end)
      try await list.apply(state(Array(-20..<60)))
      #expect(fixture.host.viewport.isAtEnd)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    let fixture = kind.makeFixture(height: 200)
    if let fixture = fixture as? NSTableViewFixture {
      try await check(fixture, fixture.scrollView)
    } else if let fixture = fixture as? NSCollectionViewFixture {
      try await check(fixture, fixture.scrollView)
    }
  }

  @Test(
    "A row is scrolled to below the header of a table if that floats", arguments: [true, false])
  func floatingHeader(floats: Bool) async throws {
    let fixture = NSTableViewFixture(height: 100, hasHeaders: true)
    fixture.view.floatsGroupRows = floats
    let list = try await ShownSource(in: fixture, state(Array(0..<50)))
    list.controller.scroll(to: 20, at: .top)
    let viewport = fixture.host.viewport
    let row = try #require(viewport.rows.first { $0.path.item == 20 })
    #expect(row.span.lowerBound - viewport.offset == (floats ? 20 : 0))
  }

  @Test(
    "A row is scrolled to below a pinned header of AppKit, whether or not the view raises that",
    arguments: [StandInHabits.all, []])
  func pinnedHeader(habits: StandInHabits) async throws {
    let fixture = NSCollectionViewFixture(height: 100, headerHeight: 30, habits: habits)
    let list = try await ShownSource(in: fixture, state(Array(0..<50)))
    func place(of item: Int) -> Double? {
      let (path, viewport) = (list.controller.itemPath(for: item), fixture.host.viewport)
      let row = viewport.rows.first { $0.path == path }
      return row.map { $0.span.lowerBound - viewport.offset }
    }
    list.controller.scroll(to: 20, at: .top)
    #expect(place(of: 20) == 30)
    // Also a row that is in the view already, but under the header.
    for position in [ListScrollPosition.top, .nearest] {
      fixture.userScrolls(to: 430)
      #expect(place(of: 20) == 0)
      list.controller.scroll(to: 20, at: position)
      #expect(place(of: 20) == 30)
    }
    // The header covers the whole row, so the one below it stays.
    fixture.userScrolls(to: 425)
    #expect(place(of: 20) == 5 && place(of: 21) == 25)
    try await list.apply(state(Array(0..<21) + [99] + Array(21..<50)))
    #expect(place(of: 21) == 25)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
