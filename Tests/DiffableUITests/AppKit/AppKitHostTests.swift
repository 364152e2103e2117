import AppKit
import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import Testing

@Suite @MainActor
struct NSTableViewHostTests {
  final class NumberView: NSView {
    var number: Int?
    var configurations = 0
  }
  typealias Controller = ListController<Int, Int, NSTableViewHost>

  /// A table in a window, and what it raises.
  @MainActor
  final class Fixture {
    let window = NSWindow()
    let view = NSTableView(frame: NSRect(x: 0, y: 0, width: 100, height: 0))
    let scrollView: NSScrollView
    private(set) var exceptions: [StandInException] = []

    init(height: Int = 300, columns: Int = 1) {
      for column in 0..<columns {
        view.addTableColumn(NSTableColumn(identifier: .init("\(column)")))
      }
      scrollView = NSScrollView.showing(view, in: window, height: CGFloat(height))
      view.exceptionHandler = { [unowned self] in exceptions.append($0) }
    }

    /// What the first column shows, `nil` for headers.
    var numbers: [Int?] {
      (Range(view.rows(in: view.visibleRect)) ?? 0..<0).map {
        (view.view(atColumn: 0, row: $0, makeIfNecessary: false) as? NumberView)?.number
      }
    }
  }

  let numbers = CellRegistration<NumberView, Int>(make: { NumberView(frame: .zero) }) {
    view, _, number in
    view.number = number
    view.configurations += 1
  }
  let titles = SupplementaryRegistration<NumberView, Int>(
    elementKind: "header", make: { NumberView(frame: .zero) }
  ) { view, _, section in view.number = section }

  private func makeController(_ host: NSTableViewHost) -> Controller {
    let controller = Controller(host: host) { [numbers] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
    controller.supplementaryProviders["header"] = { [titles] views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    return controller
  }

  @Test("The host keeps the laws, with and without headers", arguments: [300, 80, 60])
  func laws(height: Int) async {
    for headerKind in [nil, "header"] {
      let fixture = Fixture(height: height)
      let host = NSTableViewHost(tableView: fixture.view, headerKind: headerKind)
      let header: Controller.SupplementaryProvider = { [titles] views, path, section in
        try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
      }
      let violations = await ListHostLaw.violations(
        of: host, seeds: 0..<UInt64(15 * effort), supplementaryProviders: ["header": header]
      ) { [numbers] cells, path, item in
        try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
      }
      #expect(violations.isEmpty, "\(violations)")
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
  }

  @Test("Headers stay with their sections, and rows are what the source says", arguments: 0..<20)
  func headers(seed: UInt64) async throws {
    let fixture = Fixture(height: 10_000)
    let host = NSTableViewHost(tableView: fixture.view, headerKind: "header")
    let controller = makeController(host)
    let source = try DataSourceActor<Int, Int>()
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
      #expect(fixture.numbers == rows, "seed \(seed), step \(step)")
    }
    #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
  }

  @Test("Further columns, selection, anchors, and changes without animation")
  func rows() async throws {
    let fixture = Fixture(height: 60, columns: 2)
    let host = NSTableViewHost(tableView: fixture.view, headerKind: "header")
    host.columnProvider = { column, path in
      let view = NumberView(frame: .zero)
      view.number = path.item
      return view
    }
    let controller = makeController(host)
    let source = try DataSourceActor<Int, Int>(state(Array(10..<30)))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    #expect(fixture.numbers == [100, 10, 11])
    let other = fixture.view.view(atColumn: 1, row: 2, makeIfNecessary: false) as? NumberView
    #expect(other?.number == 1)

    fixture.view.userClicks(row: 0)
    #expect(controller.selectedItems.isEmpty)
    fixture.view.userClicks(row: 2)
    #expect(controller.selectedItems == [11])
    fixture.view.userClicks(row: 1)
    #expect(controller.selectedItems == [10])

    fixture.view.userScrolls(to: NSPoint(x: 0, y: 110))
    #expect(fixture.numbers == [14, 15, 16, 17])
    try await source.apply(state([50, 51] + Array(10..<30)), presentation: .immediate)
    await controller.show(try #require(await batches.next()))
    #expect(fixture.numbers == [14, 15, 16, 17])
    #expect(NSAnimationContext.lastDuration == 0)
    #expect(fixture.view.selectedRowIndexes == [3])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A registration that does not say how to make a view is an error, not an exception")
  func noClosure() async throws {
    let fixture = Fixture()
    let host = NSTableViewHost(tableView: fixture.view)
    let registration = CellRegistration<NumberView, Int> { _, _, _ in }
    let controller = Controller(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    let source = try DataSourceActor<Int, Int>(state([1]))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    #expect(errors == [.cannotMakeView(kind: registration.kind.identifier)])
    #expect(host.cell(at: ItemPath(section: 0, item: 0)) != nil)
  }

  @Test("A table whose rows do not add up raises it")
  func standIn() {
    final class Rows: NSObject, NSTableViewDataSource {
      var count = 2
      func numberOfRows(in tableView: NSTableView) -> Int { count }
    }
    let fixture = Fixture()
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

@Suite @MainActor
struct NSCollectionViewHostTests {
  final class NumberItem: NSCollectionViewItem {
    var number: Int?

    override func loadView() { view = NSView(frame: .zero) }
  }
  final class Title: NSView, NSCollectionViewElement { var text = "" }
  typealias Controller = ListController<Int, Int, NSCollectionViewHost>

  /// A view in a window, and what it raises.
  @MainActor
  final class Fixture {
    let window = NSWindow()
    let view = NSCollectionView(frame: NSRect(x: 0, y: 0, width: 100, height: 0))
    let scrollView: NSScrollView
    private(set) var exceptions: [StandInException] = []

    init(height: Int = 300) {
      let layout = NSCollectionViewFlowLayout()
      layout.headerReferenceSize = NSSize(width: 100, height: 10)
      view.collectionViewLayout = layout
      scrollView = NSScrollView.showing(view, in: window, height: CGFloat(height))
      view.exceptionHandler = { [unowned self] in exceptions.append($0) }
    }

    var numbers: [Int?] {
      view.indexPathsForVisibleItems().sorted().map { (view.item(at: $0) as? NumberItem)?.number }
    }
  }

  let numbers = CellRegistration<NumberItem, Int> { item, _, number in item.number = number }

  private func makeController(_ host: NSCollectionViewHost) -> Controller {
    Controller(host: host) { [numbers] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
  }

  @Test("The host keeps the laws, and the view raises nothing", arguments: [300, 80, 60])
  func laws(height: Int) async {
    let fixture = Fixture(height: height)
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let violations = await ListHostLaw.violations(of: host, seeds: 0..<UInt64(30 * effort)) {
      [numbers] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
    #expect(violations.isEmpty, "\(violations)")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Headers, selection and anchors")
  func list() async throws {
    let fixture = Fixture(height: 60)
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let controller = makeController(host)
    let kind = NSCollectionView.elementKindSectionHeader
    let titles = SupplementaryRegistration<Title, Int>(elementKind: kind) { view, _, section in
      view.text = "section \(section)"
    }
    controller.supplementaryProviders[kind] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    let source = try DataSourceActor<Int, Int>(state(Array(0..<20)))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    let header = host.supplementaryView(ofKind: kind, at: ItemPath(section: 0, item: 0))
    #expect((header as? Title)?.text == "section 100")

    fixture.view.userClicks(at: IndexPath(item: 1, section: 0))
    fixture.view.userClicks(at: IndexPath(item: 2, section: 0))
    #expect(controller.selectedItems == [2])
    fixture.view.userScrolls(to: NSPoint(x: 0, y: 110))
    try await source.apply(state([50, 51] + Array(0..<20)))
    await controller.show(try #require(await batches.next()))
    #expect(fixture.numbers == [5, 6, 7, 8])
    #expect(fixture.view.selectionIndexPaths == [IndexPath(item: 4, section: 0)])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A header of a class that AppKit does not take is an error, not an exception")
  func wrongHeader() async throws {
    final class NoElement: NSView {}
    let fixture = Fixture()
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let controller = makeController(host)
    let kind = NSCollectionView.elementKindSectionHeader
    let wrong = SupplementaryRegistration<NoElement, Int>(elementKind: kind) { _, _, _ in }
    controller.supplementaryProviders[kind] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: wrong, for: path, model: section)
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    let source = try DataSourceActor<Int, Int>(state([1]))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    guard case .wrongView(expected: "NoElement", _)? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    let placeholder = host.supplementaryView(ofKind: kind, at: ItemPath(section: 0, item: 0))
    #expect(placeholder.flatMap(host.reuseIdentifier(ofSupplementaryView:)) == nil)
    #expect(placeholder != nil)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A registration for another class than one of items is an error, not an exception")
  func wrongClass() async throws {
    final class NoItem: NSView {}
    let fixture = Fixture()
    let host = NSCollectionViewHost(collectionView: fixture.view)
    let wrong = CellRegistration<NoItem, Int> { _, _, _ in }
    let controller = Controller(host: host) { cells, path, item in
      _ = try cells.dequeueConfiguredReusableCell(using: wrong, for: path, item: item)
      return nil
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    let source = try DataSourceActor<Int, Int>(state([1]))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    guard case .wrongView(expected: "NoItem", _)? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    let path = ItemPath(section: 0, item: 0)
    let placeholder = try #require(host.cell(at: path))
    #expect(host.reuseIdentifier(of: placeholder) == nil)
  }
}
