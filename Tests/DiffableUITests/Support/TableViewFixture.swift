import Diffable
import DiffableUI
import DiffableViews
import StandInSupport
import UIKit

/// A table in a window, and what it raises.
@MainActor
final class TableViewFixture {
  final class NumberCell: UITableViewCell, ShowsNumber {
    var number: Int?
    var drawnDisclosure = Disclosure()
    var configurations = 0
  }
  final class Title: UITableViewHeaderFooterView, ShowsNumber {
    var number: Int?
    let drawnDisclosure = Disclosure()
    var configurations = 0
  }

  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 1000))
  let view: UITableView
  private(set) lazy var host: TableViewHost = makeHost()
  private(set) var exceptions: [StandInException] = []
  var toggle: ((Int) -> Void)?

  private let cells = CellRegistration<NumberCell, Int> { cell, _, number in
    cell.number = number
    cell.configurations += 1
  }
  private let titles = SupplementaryRegistration<Title, Int>(
    elementKind: TableViewHost.headerKind
  ) { view, _, section in view.number = section }

  init(
    height: Int = 300, headerHeight: CGFloat = 0, habits: StandInHabits = .all,
    sizesItself: Bool = false
  ) {
    view = UITableView(
      frame: CGRect(x: 0, y: 0, width: 100, height: CGFloat(height)), style: .plain)
    view.rowHeight = 20
    view.sectionHeaderHeight = headerHeight
    view.habits = habits
    if sizesItself {
      view.fittingHeight = { [unowned view] in
        ($0 as? NumberCell)?.fittingHeight(width: view.frame.width) ?? 20
      }
    }
    view.show(in: window)
    view.exceptionHandler = { [unowned self] in exceptions.append($0) }
  }
}

extension TableViewFixture {
  /// A data source of the view, whose cells show their items.
  func makeDataSource() -> TableViewDiffableDataSource<Int, Int> {
    view.register(NumberCell.self, forCellReuseIdentifier: "number")
    return TableViewDiffableDataSource(tableView: view) { view, path, number in
      let cell = view.dequeueReusableCell(withIdentifier: "number", for: path) as? NumberCell
      cell?.number = number
      cell?.configurations += 1
      return cell
    }
  }
}

extension TableViewFixture: ListViewFixture {
  func makeHost() -> TableViewHost { TableViewHost(tableView: view) }
  var headerKind: String { TableViewHost.headerKind }
  var prefetches: Bool { true }
  var batchUpdateCount: Int { view.batchUpdateCount }
  var selectsSeveral: Bool {
    get { view.allowsMultipleSelection }
    set {
      view.isEditing = newValue
      view.allowsMultipleSelection = newValue
      view.allowsMultipleSelectionDuringEditing = newValue
    }
  }
  var dropsInFront: Bool { false }
  var canReorderItem: (@MainActor (ItemPath) -> Bool)? {
    get { host.canReorderItem }
    set { host.canReorderItem = newValue }
  }
  var heldPath: HeldItem.Path {
    get { view.held.path }
    set { view.held.path = newValue }
  }
  var selectedPaths: Set<ItemPath> {
    Set((view.indexPathsForSelectedRows ?? []).map { ItemPath(section: $0.section, item: $0.row) })
  }
  /// Without the host: another one may be that of the view.
  var numbers: [Int?] {
    (view.indexPathsForVisibleRows ?? []).map { (view.cellForRow(at: $0) as? NumberCell)?.number }
  }
  var itemCounts: [Int] { (0..<view.numberOfSections).map(view.numberOfRows(inSection:)) }

  func cell(
    _ dequeuer: CellDequeuer<UITableViewCell>, _ path: ItemPath, _ item: Int
  ) throws(ListError) -> UITableViewCell {
    let cell = try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    cell.drawnDisclosure = dequeuer.disclosure ?? Disclosure()
    cell.indentationLevel = cell.drawnDisclosure.level
    return cell
  }

  func header(
    _ views: SupplementaryDequeuer<UITableViewHeaderFooterView>, _ path: ItemPath, _ section: Int
  ) throws(ListError) -> UITableViewHeaderFooterView {
    try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
  }

  func userTaps(_ path: ItemPath) { view.userTaps(at: path.indexPath) }
  func userTapsDisclosure(of item: Int, at path: ItemPath) { toggle?(item) }
  func userScrolls(to y: Int) { view.userScrolls(to: CGPoint(x: 0, y: CGFloat(y))) }
  func resizes(toHeight height: Int) {
    view.systemResizes(to: CGSize(width: view.frame.width, height: CGFloat(height)))
  }
  func resizes(toWidth width: Int) {
    view.systemResizes(to: CGSize(width: CGFloat(width), height: view.frame.height))
  }
  var scrollsWithAnimation: Bool { view.scrollsWithAnimation }
  func timePasses(untilScrollingEnds: Bool) {
    view.timePasses(untilScrollingEnds: untilScrollingEnds)
  }
  func userHolds(_ path: ItemPath) -> Bool { view.userHolds(rowAt: path.indexPath) }

  func userMoves(to path: ItemPath) -> Bool {
    view.userMovesRow(to: path.indexPath)
    return true
  }

  func userLeaves() { view.held.target = nil }
  func userDrops() { view.userDropsRow() }
}

extension ItemPath {
  fileprivate var indexPath: IndexPath { IndexPath(row: item, section: section) }
}
