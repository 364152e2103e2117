import AppKit
import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import Testing
import TestScope

@Suite(.deadline) @MainActor
struct NSTableViewHostTests {
  typealias NumberView = NSTableViewFixture.NumberView
  typealias Controller = ListController<Int, Int, NSTableViewHost>

  @Test("Headers stay with their sections, and rows are what the source says", arguments: 0..<20)
  func headers(seed: UInt64) async throws {
    let fixture = NSTableViewFixture(height: 10_000, hasHeaders: true)
    let controller = fixture.makeController()
    let source = DataSourceActor<Int, Int>()
    var updates = source.updates().makeAsyncIterator()
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for step in 0..<12 {
      let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
      try await source.apply(generator.changing(await source.snapshot, by: change))
      guard await source.revision > (controller.revision ?? .empty),
        let batch = await updates.next()
      else { continue }
      await controller.show(batch)
      let rows = controller.snapshot.sectionIdentifiers.flatMap { section in
        [section] + controller.snapshot.itemIdentifiers(inSection: section)
      }
      #expect(fixture.rowNumbers == rows, "seed \(seed), step \(step)")
    }
    #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
  }

  @Test("A row of the table is that of a header or of an item", arguments: [false, true])
  func paths(hasHeaders: Bool) async throws {
    let fixture = NSTableViewFixture(height: 100, hasHeaders: hasHeaders)
    let controller = fixture.makeController()
    let source = try DataSourceActor<Int, Int>(state([1, 2], [], [3]))
    controller.start(following: source)
    await controller.displayed(source.revision)
    let items = (-1...6).map {
      fixture.host.itemPath(forRow: $0).flatMap(controller.itemIdentifier)
    }
    #expect(
      items
        == (hasHeaders ? [nil, nil, 1, 2, nil, nil, 3, nil] : [nil, 1, 2, 3, nil, nil, nil, nil]))
    for item in 1...3 {
      let path = try #require(controller.itemPath(for: item))
      let row = try #require(fixture.host.row(for: path))
      #expect(fixture.host.itemPath(forRow: row) == path)
    }
    for path in [
      ItemPath(section: 0, item: 2), ItemPath(section: 3, item: 0), ItemPath(section: -1, item: -1),
    ] {
      #expect(fixture.host.row(for: path) == nil)
    }
  }

  @Test("Further columns, selection, anchors, and changes without animation")
  func rows() async throws {
    let fixture = NSTableViewFixture(height: 60, columns: 2, hasHeaders: true)
    fixture.host.columnProvider = { column, path in
      let view = NumberView(frame: .zero)
      view.number = path.item
      return view
    }
    let controller = fixture.makeController()
    let source = try DataSourceActor<Int, Int>(state(Array(10..<30)))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    #expect(fixture.rowNumbers == [100, 10, 11])
    let other = fixture.view.view(atColumn: 1, row: 2, makeIfNecessary: false) as? NumberView
    #expect(other?.number == 1)

    fixture.view.userClicks(row: 0)
    #expect(controller.selectedItems.isEmpty)
    fixture.view.userClicks(row: 2)
    #expect(controller.selectedItems == [11])
    fixture.view.userClicks(row: 1)
    #expect(controller.selectedItems == [10])

    fixture.view.userScrolls(to: NSPoint(x: 0, y: 110))
    #expect(fixture.rowNumbers == [14, 15, 16, 17])
    try await source.apply(state([50, 51] + Array(10..<30)), presentation: .immediate)
    await controller.show(try #require(await batches.next()))
    #expect(fixture.rowNumbers == [14, 15, 16, 17])
    #expect(NSAnimationContext.lastDuration == 0)
    #expect(fixture.view.selectedRowIndexes == [3])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Whatever rows are selected in a table, they are the items in them", arguments: 0..<20)
  func selectedRows(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let hasHeaders = random.chance(oneIn: 2)
    let fixture = NSTableViewFixture(height: 10_000, hasHeaders: hasHeaders)
    fixture.view.allowsMultipleSelection = true
    let sections = (0..<1 + random.number(below: 5)).map { section in
      (0..<random.number(below: 4)).map { 10 * section + $0 }
    }
    let list = try await ShownSource(in: fixture, state(of: sections))
    // A header is no item, also if something has selected it.
    let items: [Int?] = sections.flatMap { (hasHeaders ? [nil] : []) + $0 }
    for step in 0..<10 {
      let rows = IndexSet(items.indices.filter { _ in random.chance(oneIn: 2) })
      fixture.view.selectRowIndexes(rows, byExtendingSelection: false)
      let expected = Set(rows.compactMap { items[$0] })
      let comment: Comment = "seed \(seed), step \(step): \(Array(rows)) of \(sections)"
      #expect(list.controller.selectedItems == expected, comment)
      // The program selects others, and the user's are shown no longer.
      let others = items.compactMap(\.self).filter { _ in random.chance(oneIn: 3) }
      list.controller.deselect(list.controller.selectedItems)
      list.controller.select(others)
      let shown = fixture.view.selectedRowIndexes.compactMap { items[$0] }
      #expect(shown == items.compactMap(\.self).filter(others.contains), comment)
    }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("The user moves columns: each keeps its views, and changes of the list reach them")
  func movedColumns() async throws {
    for (origin, target) in [(0, 1), (0, 2), (1, 0), (2, 0), (1, 2)] {
      let fixture = NSTableViewFixture(height: 100, columns: 3, hasHeaders: true)
      fixture.showsNamesInOtherColumns()
      let list = try await ShownSource(in: fixture, state([1, 2, 3]))
      let cell = try #require(list.controller.cell(for: 2) as? NumberView)
      cell.configurations = 0
      fixture.view.userMovesColumn(from: origin, to: target)
      try await list.update { try $0.reconfigureItems([2]) }
      #expect(cell.configurations == 1 && list.controller.cell(for: 2) === cell)
      try await list.update { snapshot in
        try snapshot.insertItems([4], beforeItem: 1)
        try snapshot.reloadItems([3])
      }
      #expect(fixture.numbers(inColumn: 0) == [4, 1, 2, 3], "\(origin) to \(target)")
      #expect(fixture.numbers(inColumn: 1) == [1000, 1000, 1000, 1000], "\(origin) to \(target)")
      #expect(fixture.numbers(inColumn: 2) == [2000, 2000, 2000, 2000], "\(origin) to \(target)")
      #expect(fixture.rowNumbers.first == 100)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
  }

  @Test(
    "If the user has moved columns before, the program says which one is that of the content",
    arguments: 0..<3)
  func restoredColumns(content: Int) async throws {
    let fixture = NSTableViewFixture(height: 100, columns: 3, hasHeaders: true)
    fixture.view.userMovesColumn(from: 0, to: 2)
    fixture.showsNamesInOtherColumns()
    #expect(fixture.host.contentColumn?.identifier.rawValue == "1")
    func column(_ name: Int) -> NSTableColumn? {
      fixture.view.tableColumns.first { $0.identifier.rawValue == "\(name)" }
    }
    fixture.host.contentColumn = column(content)
    let list = try await ShownSource(in: fixture, state([1, 2, 3]))
    // It can be another one later.
    for content in [content, 2, 0] {
      fixture.host.contentColumn = column(content)
      for name in 0..<3 {
        let expected: [Int?] =
          name == content ? [1, 2, 3] : Array(repeating: 1000 * name, count: 3)
        #expect(fixture.numbers(inColumn: name) == expected, "column \(name), not \(content)")
      }
      let cell = try #require(list.controller.cell(for: 2) as? NumberView)
      cell.configurations = 0
      try await list.update { try $0.reconfigureItems([2]) }
      #expect(cell.configurations == 1 && list.controller.cell(for: 2) === cell)
      #expect(fixture.rowNumbers.first == 100)
    }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("In a table of AppKit a drop above a header is one at the end of the section before")
  func headers() async throws {
    let fixture = NSTableViewFixture(hasHeaders: true)
    let list = try await ShownSource(in: fixture, state([1, 2], [], [3]))
    fixture.canReorderItem = { _ in true }
    #expect(fixture.rowNumbers == [100, 1, 2, 101, 102, 3])
    // Headers stay where they are, and what is dropped above the first one goes behind it.
    #expect(!fixture.view.userDrags(rows: [0]))
    for (origin, row, expected) in [
      (1, 3, [100, 2, 1, 101, 102, 3]), (1, 4, [100, 1, 101, 2, 102, 3]),
      (5, 0, [100, 3, 1, 101, 2, 102]), (1, 6, [100, 1, 101, 2, 102, 3]),
    ] {
      #expect(fixture.view.userDrags(rows: [origin]))
      try await wait { fixture.view.userMoves(to: row, .above) }
      #expect(fixture.view.userDrops())
      try await wait { list.controller.reorderedItems.isEmpty && fixture.rowNumbers == expected }
    }
    // Several rows at once.
    #expect(fixture.view.userDrags(rows: [1, 3, 4]))
    try await wait { fixture.view.userMoves(to: 6, .on) }
    #expect(fixture.view.userDrops())
    try await list.settle()
    #expect(fixture.rowNumbers.prefix(6) == [100, 101, 102, 3, 1, 2])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Rows and headers that are configured again or reloaded are measured again")
  func measuredAgain() async throws {
    for hasHeaders in [false, true] {
      let fixture = NSTableViewFixture(hasHeaders: hasHeaders)
      let list = try await ShownSource(in: fixture, state([1, 2], [3]))
      try await list.update { try $0.reconfigureSections([101]) }
      #expect(fixture.view.resizedRows == (hasHeaders ? [3] : []))
      fixture.view.resizedRows = []
      try await list.update { try $0.reconfigureItems([2, 3]) }
      #expect(fixture.view.resizedRows == (hasHeaders ? [2, 4] : [1, 2]))
      fixture.view.resizedRows = []
      try await list.update { try $0.reloadItems([1]) }
      #expect(fixture.view.resizedRows == (hasHeaders ? [1] : [0]))
      fixture.view.resizedRows = []
      try await list.update { try $0.reloadSections([101]) }
      #expect(fixture.view.resizedRows == (hasHeaders ? [3, 4] : [2]))
      #expect(fixture.view.resizeDuration > 0)
      var snapshot = await list.source.snapshot
      try snapshot.reconfigureItems([3])
      try await list.apply(snapshot, presentation: .immediate)
      #expect(fixture.view.resizeDuration == 0)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
  }

  @Test("A table without columns, and rows that are not there, raise nothing")
  func noColumns() async throws {
    let fixture = NSTableViewFixture(columns: 0, hasHeaders: true)
    let list = try await ShownSource(in: fixture, state([1, 2], [3]))
    try await list.apply(state([3, 1]))
    #expect(fixture.host.cell(at: ItemPath(section: 0, item: 0)) == nil)
    #expect(fixture.host.cell(at: ItemPath(section: 0, item: 9)) == nil)
    for section in [-1, 0, 5] {
      let path = ItemPath(section: section, item: 0)
      #expect(fixture.host.supplementaryView(ofKind: fixture.headerKind, at: path) == nil)
    }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test(
    "A section moves row by row, and every row that is asked for meanwhile is the right one",
    arguments: 0..<10)
  func sectionMoves(seed: UInt64) async throws {
    // So low that rows come into sight with every step.
    let fixture = NSTableViewFixture(height: 60, hasHeaders: true)
    let list = try await ShownSource(in: fixture)
    var random = SplitMix64(seed: seed)
    var sections = (0..<4).map { $0 }
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections(sections)
    for section in sections {
      let count = random.number(below: 5)
      try snapshot.appendItems((0..<count).map { section * 10 + $0 + 100 }, toSection: section)
    }
    try await list.apply(snapshot)
    for step in 0..<rounds(20) {
      let section = sections.remove(at: random.number(below: sections.count))
      let place = random.number(below: sections.count + 1)
      if place < sections.count {
        try snapshot.moveSection(section, beforeSection: sections[place])
      } else if let last = sections.last {
        try snapshot.moveSection(section, afterSection: last)
      }
      sections.insert(section, at: place)
      fixture.userScrolls(to: random.number(below: 6) * 20)
      try await list.apply(snapshot)
      let rows = snapshot.sectionIdentifiers.flatMap {
        [$0] + snapshot.itemIdentifiers(inSection: $0)
      }
      let visible = Range(fixture.view.rows(in: fixture.view.visibleRect)) ?? 0..<0
      #expect(fixture.rowNumbers == rows[visible].map { $0 }, "seed \(seed), step \(step)")
    }
    #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
  }

  @Test("A registration that does not say how to make a view is an error, not an exception")
  func noClosure() async throws {
    let fixture = NSTableViewFixture()
    let host = NSTableViewHost(tableView: fixture.view)
    let registration = CellRegistration<NumberView, Int> { _, _, _ in }
    let controller = Controller(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    await controller.show(try UpdateBatch(from: Snapshot(), to: state([1])))
    #expect(errors == [.cannotMakeView(kind: registration.kind.identifier)])
    #expect(host.cell(at: ItemPath(section: 0, item: 0)) != nil)
  }

  @Test("While a table has another data source it is not updated; afterwards it shows the list")
  func otherDataSource() async throws {
    final class Skeleton: NSObject, NSTableViewDataSource {
      func numberOfRows(in tableView: NSTableView) -> Int { 7 }
    }
    let fixture = NSTableViewFixture()
    let list = try await ShownSource(in: fixture, state([1, 2, 3]))
    let own = fixture.view.dataSource
    let skeleton = Skeleton()
    fixture.view.dataSource = skeleton
    fixture.view.layoutSubtreeIfNeeded()
    try await list.apply(state([1, 4]))
    try await list.apply(state([1, 4], [5]))
    #expect(fixture.view.numberOfRows == 7)
    fixture.view.dataSource = own
    fixture.view.layoutSubtreeIfNeeded()
    #expect(fixture.rowNumbers == [1, 4, 5])
    try await list.apply(state([4], [5]))
    #expect(fixture.rowNumbers == [4, 5])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A table scrolls from top to bottom, however wide its columns are")
  func wideTable() async throws {
    let fixture = NSTableViewFixture(height: 100)
    fixture.view.frame.size.width = 400
    let list = try await ShownSource(in: fixture, state([0, 1, 2]))
    #expect(fixture.host.viewport.contentLength == 60)
    list.controller.sticksToEnd = true
    list.controller.scroll(to: .end)
    try await list.apply(state(Array(0..<10)))
    #expect(fixture.numbers == [5, 6, 7, 8, 9])
    #expect(fixture.scrollView.contentView.bounds.origin == NSPoint(x: 0, y: 100))
  }

  @Test("A table whose rows do not add up raises it")
  func standIn() {
    final class Rows: NSObject, NSTableViewDataSource {
      var count = 2
      func numberOfRows(in tableView: NSTableView) -> Int { count }
    }
    let fixture = NSTableViewFixture()
    let rows = Rows()
    fixture.view.dataSource = rows
    fixture.view.layoutSubtreeIfNeeded()
    rows.count = 3
    fixture.view.insertRows(at: [0])
    #expect(fixture.exceptions.isEmpty)
    fixture.view.removeRows(at: [0])
    #expect(fixture.exceptions.count == 1)
    fixture.view.moveRow(at: 0, to: 9)
    #expect(fixture.exceptions.count == 2)
  }
}
