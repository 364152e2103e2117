import AppKit
import Diffable
import DiffableUI
import DiffableViews
import StandInSupport

/// A table of AppKit in a window, and what it raises.
@MainActor
final class NSTableViewFixture {
  final class NumberView: NSView, ShowsNumber {
    var number: Int?
    var drawnDisclosure = Disclosure()
    var configurations = 0
  }

  final class Title: NSView, ShowsNumber {
    var number: Int?
    let drawnDisclosure = Disclosure()
    var configurations = 0
  }

  let window = NSWindow()
  let view = NSTableView(frame: NSRect(x: 0, y: 0, width: 100, height: 0))
  let scrollView: NSScrollView
  let hasHeaders: Bool
  private(set) lazy var host: NSTableViewHost = makeHost()
  private(set) var exceptions: [StandInException] = []
  var toggle: ((Int) -> Void)?
  var heldPath = HeldItem.Path.current

  private let cells = CellRegistration<NumberView, Int>(make: { NumberView(frame: .zero) }) {
    view, _, number in
    view.number = number
    view.configurations += 1
  }
  private let titles = SupplementaryRegistration<Title, Int>(
    elementKind: "header", make: { Title(frame: .zero) }
  ) { view, _, section in view.number = section }

  init(
    height: Int = 300, columns: Int = 1, hasHeaders: Bool = false, habits: StandInHabits = .all,
    sizesItself: Bool = false
  ) {
    view.habits = habits
    if sizesItself {
      view.fittingHeight = { [unowned view] in
        ($0 as? NumberView)?.fittingHeight(width: view.frame.width) ?? 20
      }
    }
    self.hasHeaders = hasHeaders
    for column in 0..<columns {
      view.addTableColumn(NSTableColumn(identifier: .init("\(column)")))
    }
    scrollView = NSScrollView.showing(
      view, in: window, size: NSSize(width: 100, height: CGFloat(height)))
    view.exceptionHandler = { [unowned self] in exceptions.append($0) }
  }

  /// What the first column shows, headers included.
  var rowNumbers: [Int?] {
    (Range(view.rows(in: view.visibleRect)) ?? 0..<0).map {
      (view.view(atColumn: 0, row: $0, makeIfNecessary: false) as? any ShowsNumber)?.number
    }
  }

  /// Lets all columns but that of the content show 1,000 times their names.
  func showsNamesInOtherColumns() {
    host.columnProvider = { column, _ in
      let view = NumberView(frame: .zero)
      view.number = Int(column.identifier.rawValue).map { 1000 * $0 }
      return view
    }
  }

  /// What a column shows in all rows below the first header.
  func numbers(inColumn name: Int) -> [Int?] {
    let column = view.tableColumns.firstIndex { $0.identifier.rawValue == "\(name)" }
    return (1..<view.numberOfRows).map { row in
      let cell = column.flatMap { view.view(atColumn: $0, row: row, makeIfNecessary: false) }
      return (cell as? NumberView)?.number
    }
  }

  /// The row that shows an item.
  func row(of path: ItemPath) -> Int? {
    guard let cell = host.cell(at: path) else { return nil }
    return (0..<view.numberOfRows).first {
      view.view(atColumn: 0, row: $0, makeIfNecessary: false) === cell
    }
  }
}

extension NSTableViewFixture: ListViewFixture {
  func makeHost() -> NSTableViewHost {
    NSTableViewHost(tableView: view, headerKind: hasHeaders ? headerKind : nil)
  }
  var headerKind: String { "header" }
  var prefetches: Bool { false }
  var batchUpdateCount: Int { view.batchUpdateCount }
  var selectsSeveral: Bool {
    get { view.allowsMultipleSelection }
    set { view.allowsMultipleSelection = newValue }
  }
  var dropsInFront: Bool { true }
  var canReorderItem: (@MainActor (ItemPath) -> Bool)? {
    get { host.canReorderItem }
    set { host.canReorderItem = newValue }
  }
  var selectedPaths: Set<ItemPath> {
    Set(host.visibleItemPaths.filter { row(of: $0).map(view.selectedRowIndexes.contains) ?? false })
  }
  var itemCounts: [Int] {
    // A table of AppKit knows rows only.
    (0..<host.numberOfSections).map { section in
      host.visibleItemPaths.count { $0.section == section }
    }
  }

  func cell(
    _ dequeuer: CellDequeuer<NSView>, _ path: ItemPath, _ item: Int
  ) throws(ListError) -> NSView {
    let view = try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    view.drawnDisclosure = dequeuer.disclosure ?? Disclosure()
    return view
  }

  func header(
    _ views: SupplementaryDequeuer<NSView>, _ path: ItemPath, _ section: Int
  ) throws(ListError) -> NSView {
    try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
  }

  func userTaps(_ path: ItemPath) {
    if let row = row(of: path) { view.userClicks(row: row) }
  }
  func userTapsDisclosure(of item: Int, at path: ItemPath) { toggle?(item) }
  func userScrolls(to y: Int) { view.userScrolls(to: NSPoint(x: 0, y: CGFloat(y))) }
  func resizes(toHeight height: Int) {
    scrollView.userResizes(to: NSSize(width: scrollView.frame.width, height: CGFloat(height)))
  }
  func resizes(toWidth width: Int) {
    scrollView.userResizes(to: NSSize(width: CGFloat(width), height: scrollView.frame.height))
  }
  var scrollsWithAnimation: Bool { scrollView.scrollsWithAnimation }
  func timePasses(untilScrollingEnds: Bool) {
    scrollView.timePasses(untilScrollingEnds: untilScrollingEnds)
  }
  func userHolds(_ path: ItemPath) -> Bool {
    row(of: path).map { view.userDrags(rows: [$0]) } ?? false
  }
  func userMoves(to path: ItemPath) -> Bool {
    row(of: path).map { view.userMoves(to: $0, .on) } ?? false
  }
  func userLeaves() { view.userLeaves() }
  func userDrops() { _ = view.userDrops() }
}
