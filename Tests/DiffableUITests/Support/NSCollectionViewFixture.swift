import AppKit
import Diffable
import DiffableUI
import DiffableViews
import StandInSupport

/// A collection view of AppKit in a window, and what it raises.
@MainActor
final class NSCollectionViewFixture {
  final class NumberItem: NSCollectionViewItem, ShowsNumber {
    var number: Int?
    var drawnDisclosure = Disclosure()
    var configurations = 0

    override func loadView() { view = NSView(frame: .zero) }
  }
  final class Title: NSView, NSCollectionViewElement, ShowsNumber {
    var number: Int?
    let drawnDisclosure = Disclosure()
    var configurations = 0
  }

  let window = NSWindow()
  let view = NSCollectionView(frame: NSRect(x: 0, y: 0, width: 100, height: 0))
  let scrollView: NSScrollView
  private(set) lazy var host = NSCollectionViewHost(collectionView: view)
  private(set) var exceptions: [StandInException] = []
  var toggle: ((Int) -> Void)?
  var heldPath = HeldItem.Path.current

  private let cells = CellRegistration<NumberItem, Int> { item, _, number in
    item.number = number
    item.configurations += 1
  }
  private let titles = SupplementaryRegistration<Title, Int>(
    elementKind: NSCollectionView.elementKindSectionHeader
  ) { view, _, section in view.number = section }

  /// - Parameters:
  ///   - height: The height of the view.
  ///   - headerHeight: The height of the pinned header of each section; 0 for none.
  ///   - habits: What the view does that is not documented.
  ///   - sizesItself: Whether rows have different heights.
  init(
    height: Int = 300, headerHeight: CGFloat = 0, habits: StandInHabits = .all,
    sizesItself: Bool = false
  ) {
    view.habits = habits
    if sizesItself {
      view.fittingHeight = { [unowned view] in
        ($0 as? NumberItem)?.fittingHeight(width: view.frame.width) ?? 20
      }
    }
    let layout = NSCollectionViewFlowLayout()
    layout.headerReferenceSize = NSSize(width: 100, height: headerHeight)
    layout.sectionHeadersPinToVisibleBounds = true
    view.collectionViewLayout = layout
    scrollView = NSScrollView.showing(view, in: window, height: CGFloat(height))
    view.exceptionHandler = { [unowned self] in exceptions.append($0) }
  }
}

extension NSCollectionViewFixture: ListViewFixture {
  var headerKind: String { NSCollectionView.elementKindSectionHeader }
  var prefetches: Bool { true }
  var batchUpdateCount: Int { view.batchUpdateCount }
  var dropsInFront: Bool { true }
  var canMoveItem: (@MainActor (ItemPath) -> Bool)? {
    get { host.canMoveItem }
    set { host.canMoveItem = newValue }
  }
  var selectedPaths: Set<ItemPath> {
    Set(view.selectionIndexPaths.map { ItemPath(section: $0.section, item: $0.item) })
  }
  var itemCounts: [Int] { (0..<view.numberOfSections).map(view.numberOfItems(inSection:)) }

  func cell(
    _ dequeuer: CellDequeuer<NSCollectionViewItem>, _ path: ItemPath, _ item: Int
  ) throws(ListError) -> NSCollectionViewItem {
    let cell = try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    cell.drawnDisclosure = dequeuer.disclosure ?? Disclosure()
    return cell
  }

  func header(
    _ views: SupplementaryDequeuer<NSView>, _ path: ItemPath, _ section: Int
  ) throws(ListError) -> NSView {
    try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
  }

  func userTaps(_ path: ItemPath) { view.userClicks(at: path.indexPath) }
  func userTapsDisclosure(of item: Int, at path: ItemPath) { toggle?(item) }
  func userScrolls(to y: Int) { view.userScrolls(to: NSPoint(x: 0, y: CGFloat(y))) }
  func resizes(toHeight height: Int) { scrollView.userResizes(toHeight: CGFloat(height)) }
  func resizes(toWidth width: Int) { scrollView.userResizes(toWidth: CGFloat(width)) }
  var scrollsWithAnimation: Bool { scrollView.scrollsWithAnimation }
  func timePasses(untilScrollingEnds: Bool) {
    scrollView.timePasses(untilScrollingEnds: untilScrollingEnds)
  }
  func userHolds(_ path: ItemPath) -> Bool { view.userDrags([path.indexPath]) }
  func userMoves(to path: ItemPath) -> Bool { view.userMoves(to: path.indexPath, .on) }
  func userLeaves() { view.userLeaves() }
  func userDrops() { _ = view.userDrops() }
}

extension ItemPath {
  fileprivate var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
