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
  let view: NSCollectionView
  private let isHorizontal: Bool
  private let isMirrored: Bool
  let scrollView: NSScrollView
  private(set) lazy var host: NSCollectionViewHost = makeHost()
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
  ///   - isHorizontal: Whether the view scrolls sideways.
  ///   - isMirrored: Whether the view is read from right to left.
  init(
    height: Int = 300, headerHeight: CGFloat = 0, habits: StandInHabits = .all,
    sizesItself: Bool = false, isHorizontal: Bool = false,
    isMirrored: Bool = false
  ) {
    self.isHorizontal = isHorizontal
    self.isMirrored = isMirrored && habits.contains(.mirrorsRows)
    view = NSCollectionView(
      frame: NSRect(origin: .zero, size: NSSize(height: 0, isHorizontal: isHorizontal)))
    view.habits = habits
    if isMirrored { view.userInterfaceLayoutDirection = .rightToLeft }
    if sizesItself {
      view.fittingHeight = { [unowned view] in
        let size = view.frame.size
        return ($0 as? NumberItem)?.fittingHeight(
          width: isHorizontal ? size.height : size.width) ?? 20
      }
    }
    let layout = NSCollectionViewFlowLayout()
    if isHorizontal { layout.scrollDirection = .horizontal }
    layout.headerReferenceSize = NSSize(height: headerHeight, isHorizontal: isHorizontal)
    layout.sectionHeadersPinToVisibleBounds = true
    view.collectionViewLayout = layout
    scrollView = NSScrollView.showing(
      view, in: window, size: NSSize(height: CGFloat(height), isHorizontal: isHorizontal))
    view.exceptionHandler = { [unowned self] in exceptions.append($0) }
  }
}

extension NSCollectionViewFixture: ListViewFixture {
  func makeHost() -> NSCollectionViewHost { NSCollectionViewHost(collectionView: view) }
  var headerKind: String { NSCollectionView.elementKindSectionHeader }
  var prefetches: Bool { true }
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
  func userScrolls(to y: Int) {
    let origin = CGFloat(y)
    guard isMirrored else {
      return view.userScrolls(
        to: isHorizontal ? NSPoint(x: origin, y: 0) : NSPoint(x: 0, y: origin))
    }
    let (length, insets) = (view.visibleRect.width, scrollView.contentInsets)
    let content = max(view.frame.width, length - insets.left - insets.right)
    view.userScrolls(to: NSPoint(x: max(-insets.left, content - origin - length), y: 0))
  }
  func resizes(toHeight height: Int) {
    var size = scrollView.frame.size
    if isHorizontal { size.width = CGFloat(height) } else { size.height = CGFloat(height) }
    scrollView.userResizes(to: size, isHorizontal: isHorizontal)
  }
  func resizes(toWidth width: Int) {
    var size = scrollView.frame.size
    if isHorizontal { size.height = CGFloat(width) } else { size.width = CGFloat(width) }
    scrollView.userResizes(to: size, isHorizontal: isHorizontal)
  }
  /// The left edge of what is visible.
  var left: CGFloat { view.visibleRect.minX }
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
