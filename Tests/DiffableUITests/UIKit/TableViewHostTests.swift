import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing
import UIKit

@Suite(.deadline) @MainActor
struct TableViewHostTests {
  typealias NumberCell = TableViewFixture.NumberCell

  @Test("A data source that reads like Apple's: states, reconfigured rows, titles")
  func dataSource() async throws {
    let fixture = TableViewFixture()
    let dataSource = fixture.makeDataSource()
    dataSource.headerTitleProvider = { "Section \($0)" }
    dataSource.footerTitleProvider = { $0 == 100 ? "End of \($0)" : nil }
    dataSource.defaultRowAnimation = .fade
    try await dataSource.apply(state([1, 2], [3]))
    #expect(fixture.numbers == [1, 2, 3])
    #expect(
      fixture.view.dataSource?.tableView(fixture.view, titleForHeaderInSection: 1)
        == "Section 101")
    let footers = (0..<2).map {
      fixture.view.dataSource?.tableView(fixture.view, titleForFooterInSection: $0)
    }
    #expect(footers == ["End of 100", nil])
    #expect(dataSource.indexPath(for: 3) == IndexPath(row: 0, section: 1))
    #expect(dataSource.itemIdentifier(for: IndexPath(row: 1, section: 0)) == 2)
    #expect(dataSource.itemIdentifier(for: IndexPath()) == nil)

    let cell = try #require(
      fixture.view.cellForRow(at: IndexPath(row: 0, section: 1)) as? NumberCell)
    var snapshot = dataSource.snapshot()
    snapshot.deleteItems([1])
    try snapshot.reconfigureItems([3])
    try await dataSource.apply(snapshot)
    #expect(fixture.numbers == [2, 3])
    #expect(fixture.view.cellForRow(at: IndexPath(row: 0, section: 1)) === cell)
    #expect(cell.configurations == 2)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A row that is configured again may need another height, and others do not")
  func measuredAgain() async throws {
    let fixture = TableViewFixture()
    let list = try await ShownSource(in: fixture, state([1, 2], [3]))
    try await list.update { try $0.reconfigureItems([1, 3]) }
    let counts = fixture.host.visibleItemPaths.map { fixture.host.cell(at: $0)?.sizeInvalidations }
    #expect(counts == [1, 0, 1])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  /// A table whose footers lie over the last rows of their sections.
  private final class FootedTable: UITableView {
    override func rectForFooter(inSection section: Int) -> CGRect {
      CGRect(x: 0, y: rect(forSection: section).maxY - 10, width: bounds.width, height: 10)
    }
  }

  @Test(
    "A row is scrolled to above a footer where footers are pinned, and to the end elsewhere",
    arguments: [UITableView.Style.plain, .grouped])
  func pinnedFooter(style: UITableView.Style) async throws {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 1000))
    let view = FootedTable(frame: CGRect(x: 0, y: 0, width: 100, height: 100), style: style)
    view.rowHeight = 20
    view.show(in: window)
    let host = TableViewHost(tableView: view)
    let numbers = CellRegistration<NumberCell, Int> { cell, _, number in cell.number = number }
    let controller = ListController<Int, Int, TableViewHost>(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
    var batches = BatchSequence<Int, Int>()
    await controller.show(try batches.next(state(Array(0..<50))))
    controller.scroll(to: 20, at: .bottom)
    #expect(view.contentOffset.y == (style == .plain ? 330 : 320))
    controller.scroll(to: .end)
    #expect(view.contentOffset.y == 900 && host.viewport.covered.end == 0)
  }

  @Test("Headers and footers are views of two kinds")
  func footers() async throws {
    typealias Title = TableViewFixture.Title
    let fixture = TableViewFixture(headerHeight: 10)
    let controller = fixture.makeController()
    let ends = SupplementaryRegistration<Title, Int>(elementKind: TableViewHost.footerKind) {
      view, _, section in view.number = -section
    }
    controller.supplementaryProviders[TableViewHost.footerKind] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: ends, for: path, model: section)
    }
    let source = try DataSourceActor<Int, Int>(state([1, 2], [3]))
    controller.start(following: source)
    await controller.displayed(source.revision)
    let headers = (0..<2).map { (fixture.view.headerView(forSection: $0) as? Title)?.number }
    let footers = (0..<2).map { (fixture.view.footerView(forSection: $0) as? Title)?.number }
    #expect(headers == [100, 101])
    #expect(footers == [-100, -101])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A prefetch data source of the app stays that of the table, and is told what comes")
  func prefetching() async throws {
    final class Prefetching: NSObject, UITableViewDataSourcePrefetching {
      var paths: Set<IndexPath> = []
      func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
        paths.formUnion(indexPaths)
      }
    }
    let fixture = TableViewFixture(height: 60)
    let own = Prefetching()
    fixture.view.prefetchDataSource = own
    let dataSource = fixture.makeDataSource()
    try await dataSource.apply(state(Array(0..<10)))
    #expect(fixture.view.prefetchDataSource === own)
    #expect(own.paths == Set((3..<6).map { IndexPath(row: $0, section: 0) }))
  }

  @Test("A section that is reconfigured gets its header again, and others keep theirs")
  func reconfiguredSections() async throws {
    typealias Title = TableViewFixture.Title
    final class Headers: NSObject, UITableViewDelegate {
      var number = 1
      func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        let view = Title(reuseIdentifier: nil)
        view.number = number
        return view
      }
    }
    let fixture = TableViewFixture(headerHeight: 10)
    let headers = Headers()
    fixture.view.delegate = headers
    let dataSource = fixture.makeDataSource()
    var snapshot = try state([1], [2, 3])
    try await dataSource.apply(snapshot)
    let first = fixture.view.headerView(forSection: 0)
    headers.number = 2
    try snapshot.reconfigureSections([101])
    try await dataSource.apply(snapshot)
    let numbers = (0..<2).map { (fixture.view.headerView(forSection: $0) as? Title)?.number }
    #expect(numbers == [1, 2])
    #expect(fixture.view.headerView(forSection: 0) === first && fixture.numbers == [1, 2, 3])
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}

/// Delegates of the app's own, in front of hosts.
@Suite(.deadline) @MainActor
struct OwnDelegateTests {
  /// Forwards what the host has, and asks the controller which row the user means.
  private final class Rows: NSObject, UITableViewDelegate {
    let host: TableViewHost
    let controller: ListController<Int, Int, TableViewHost>
    private(set) var asked: [Int?] = []

    init(host: TableViewHost, controller: ListController<Int, Int, TableViewHost>) {
      (self.host, self.controller) = (host, controller)
      super.init()
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      host.tableView(tableView, didSelectRowAt: indexPath)
    }

    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      host.tableView(tableView, viewForHeaderInSection: section)
    }

    func tableView(
      _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath,
      point: CGPoint
    ) -> UIContextMenuConfiguration? {
      asked.append(controller.itemIdentifier(for: indexPath))
      return nil
    }
  }

  @Test func `A delegate asks which row the user means, and forwards the rest`() async throws {
    let fixture = TableViewFixture(headerHeight: 10)
    let controller = fixture.makeController()
    let rows = Rows(host: fixture.host, controller: controller)
    fixture.view.delegate = rows
    let source = try DataSourceActor<Int, Int>(state([1, 2], [3]))
    controller.start(following: source)
    await controller.displayed(source.revision)
    #expect(fixture.view.headerView(forSection: 1) is TableViewFixture.Title)

    fixture.view.userTaps(at: IndexPath(row: 0, section: 1))
    #expect(controller.selectedItems == [3])
    let paths = [
      IndexPath(row: 1, section: 0), IndexPath(row: 2, section: 0), IndexPath(),
      IndexPath(index: 0),
    ]
    for path in paths {
      _ = fixture.view.delegate?.tableView(
        fixture.view, contextMenuConfigurationForRowAt: path, point: .zero)
    }
    #expect(rows.asked == [2, nil, nil, nil])
    #expect(controller.indexPath(for: 3) == IndexPath(row: 0, section: 1))
    #expect(controller.indexPath(for: 4) == nil)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}

/// Menus of delegates that ask a data source which item a row shows.
@Suite(.deadline) @MainActor
struct ContextMenuTests {
  /// Deletes the item for which a menu is shown.
  private final class Menus: NSObject, UICollectionViewDelegate, UITableViewDelegate {
    let item: (IndexPath) -> Int?
    let source: any WritableListSource<Int, Int>
    private(set) var deletion: Task<Void, any Error>?

    init(source: any WritableListSource<Int, Int>, item: @escaping (IndexPath) -> Int?) {
      (self.source, self.item) = (source, item)
      super.init()
    }

    private func menu(for path: IndexPath) -> UIContextMenuConfiguration? {
      guard let item = item(path) else { return nil }
      let delete = UIAction(title: "Delete", attributes: .destructive) { [self] _ in
        deletion = Task { _ = try await source.updateOrder { $0.deleteItems([item]) } }
      }
      return UIContextMenuConfiguration(actionProvider: { _ in UIMenu(children: [delete]) })
    }

    func collectionView(
      _ collectionView: UICollectionView,
      contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration? {
      indexPaths.first.flatMap(menu)
    }

    func tableView(
      _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath,
      point: CGPoint
    ) -> UIContextMenuConfiguration? {
      menu(for: indexPath)
    }
  }

  /// Lets another writer move the row while the menu is open, and chooses its only action.
  private func choose(
    _ configuration: UIContextMenuConfiguration?, of menus: Menus
  ) async throws {
    let delete = try #require(configuration?.menu?.children.first as? UIAction)
    _ = try await menus.source.updateOrder { try $0.moveItem(2, beforeItem: 1) }
    delete.handler(delete)
    try await menus.deletion?.value
  }

  @Test func `A menu of a collection view is about its item, wherever that is by now`() async throws
  {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: UICollectionViewFlowLayout())
    window.addSubview(view)
    let cells = UICollectionView.CellRegistration<UICollectionViewCell, Int> { _, _, _ in }
    let data = CollectionViewDiffableDataSource<Int, Int>(collectionView: view) {
      $0.dequeueConfiguredReusableCell(using: cells, for: $1, item: $2)
    }
    try await data.apply(state([1, 2, 3]))
    let menus = Menus(source: data.source) { [data] in data.itemIdentifier(for: $0) }
    view.delegate = menus
    let menu = view.delegate?.collectionView(
      view, contextMenuConfigurationForItemsAt: [IndexPath(item: 1, section: 0)], point: .zero)
    try await choose(menu, of: menus)
    #expect(data.snapshot().itemIdentifiers == [1, 3])
  }

  @Test func `A menu of a table is about its row, whose cell needs no registration`() async throws {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let view = UITableView(frame: window.bounds)
    window.addSubview(view)
    let data = TableViewDiffableDataSource<Int, Int>(tableView: view) { _, _, number in
      let cell = UITableViewCell()
      cell.indentationLevel = number
      return cell
    }
    try await data.apply(state([1, 2, 3]))
    #expect(view.cellForRow(at: IndexPath(row: 2, section: 0))?.indentationLevel == 3)
    let menus = Menus(source: data.source) { [data] in data.itemIdentifier(for: $0) }
    view.delegate = menus
    let menu = view.delegate?.tableView(
      view, contextMenuConfigurationForRowAt: IndexPath(row: 1, section: 0), point: .zero)
    try await choose(menu, of: menus)
    #expect(data.snapshot().itemIdentifiers == [1, 3])
  }
}
