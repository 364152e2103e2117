import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import Testing
import UIKit

@Suite @MainActor
struct TableViewHostTests {
  final class NumberCell: UITableViewCell {
    var number: Int?
    var configurations = 0
  }
  final class Title: UITableViewHeaderFooterView { var text = "" }
  typealias Controller = ListController<Int, Int, TableViewHost>

  /// A table in a window, and what it raises.
  @MainActor
  final class Fixture {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 1000))
    let view: UITableView
    private(set) var exceptions: [StandInException] = []

    init(height: Int = 300, headerHeight: CGFloat = 0) {
      view = UITableView(
        frame: CGRect(x: 0, y: 0, width: 100, height: CGFloat(height)), style: .plain)
      view.rowHeight = 20
      view.sectionHeaderHeight = headerHeight
      view.show(in: window)
      view.exceptionHandler = { [unowned self] in exceptions.append($0) }
    }

    var numbers: [Int?] {
      (view.indexPathsForVisibleRows ?? []).map { (view.cellForRow(at: $0) as? NumberCell)?.number }
    }
  }

  let numbers = CellRegistration<NumberCell, Int> { cell, _, number in
    cell.number = number
    cell.configurations += 1
  }

  private func makeController(_ host: TableViewHost) -> Controller {
    Controller(host: host) { [numbers] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
  }

  @Test("The host keeps the laws, and the view raises nothing", arguments: [300, 80, 60])
  func laws(height: Int) async {
    let fixture = Fixture(height: height, headerHeight: height == 80 ? 10 : 0)
    let host = TableViewHost(tableView: fixture.view)
    let kind = TableViewHost.headerKind
    let titles = SupplementaryRegistration<Title, Int>(elementKind: kind) { _, _, _ in }
    let header: Controller.SupplementaryProvider = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    let violations = await ListHostLaw.violations(
      of: host, seeds: 0..<UInt64(30 * effort), supplementaryProviders: [kind: header]
    ) { [numbers] cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: item)
    }
    #expect(violations.isEmpty, "\(violations)")
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Headers stay with their sections, and nothing is raised", arguments: 0..<20)
  func headers(seed: UInt64) async throws {
    let fixture = Fixture(height: 200, headerHeight: 10)
    let host = TableViewHost(tableView: fixture.view)
    let titles = SupplementaryRegistration<Title, Int>(elementKind: TableViewHost.headerKind) {
      view, _, section in view.text = "section \(section)"
    }
    let controller = makeController(host)
    controller.supplementaryProviders[TableViewHost.headerKind] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
    }
    let source = try DataSourceActor<Int, Int>()
    var updates = source.updates().makeAsyncIterator()
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for _ in 0..<12 {
      let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
      try await source.apply(generator.changing(await source.snapshot, by: change))
      guard await source.revision > (controller.revision ?? .empty),
        let batch = await updates.next()
      else { continue }
      await controller.show(batch)
      for index in 0..<controller.snapshot.numberOfSections {
        let path = ItemPath(section: index, item: 0)
        guard let view = host.supplementaryView(ofKind: TableViewHost.headerKind, at: path)
        else { continue }
        let section = try #require(controller.sectionIdentifier(for: index))
        #expect((view as? Title)?.text == "section \(section)", "seed \(seed)")
      }
    }
    #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
  }

  @Test("A data source that reads like Apple's: states, reconfigured rows, titles")
  func dataSource() async throws {
    let fixture = Fixture()
    fixture.view.register(NumberCell.self, forCellReuseIdentifier: "number")
    let dataSource = TableViewDiffableDataSource<Int, Int>(tableView: fixture.view) {
      view, path, number in
      let cell = view.dequeueReusableCell(withIdentifier: "number", for: path) as? NumberCell
      cell?.number = number
      cell?.configurations += 1
      return cell
    }
    dataSource.headerTitleProvider = { "Section \($0)" }
    dataSource.defaultRowAnimation = .fade
    try await dataSource.apply(state([1, 2], [3]))
    #expect(fixture.numbers == [1, 2, 3])
    #expect(
      fixture.view.dataSource?.tableView(fixture.view, titleForHeaderInSection: 1)
        == "Section 101")
    #expect(dataSource.indexPath(for: 3) == IndexPath(row: 0, section: 1))
    #expect(dataSource.itemIdentifier(for: IndexPath(row: 1, section: 0)) == 2)

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

  @Test("What the user selects is selected in the controller, and the other way round")
  func selection() async throws {
    let fixture = Fixture()
    let host = TableViewHost(tableView: fixture.view)
    let controller = makeController(host)
    let source = try DataSourceActor<Int, Int>(state([1, 2, 3]))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    fixture.view.userTaps(at: IndexPath(row: 1, section: 0))
    fixture.view.userTaps(at: IndexPath(row: 2, section: 0))
    // The table lets one row be selected at a time.
    #expect(controller.selectedItems == [3])
    controller.deselect([3])
    #expect(fixture.view.indexPathsForSelectedRows == nil)
  }

  @Test("A table that is scrolled keeps its first row in its place")
  func anchors() async throws {
    let fixture = Fixture(height: 60)
    let host = TableViewHost(tableView: fixture.view)
    let controller = makeController(host)
    let source = try DataSourceActor<Int, Int>(state(Array(0..<20)))
    var batches = source.updates().makeAsyncIterator()
    await controller.show(try #require(await batches.next()))
    fixture.view.userScrolls(to: CGPoint(x: 0, y: 110))
    try await source.apply(state([50, 51] + Array(0..<20)))
    await controller.show(try #require(await batches.next()))
    #expect(fixture.view.contentOffset.y == 150)
    #expect(fixture.numbers == [5, 6, 7, 8])
  }
}
