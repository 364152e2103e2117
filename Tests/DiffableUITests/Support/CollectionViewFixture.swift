import Diffable
import DiffableLayout
import DiffableUI
import DiffableViews
import StandInSupport
import UIKit

/// A view of one column in a window, and what it raises.
@MainActor
final class CollectionViewFixture {
  final class NumberCell: OutlineListCell, ShowsNumber {
    var number: Int?
    var configurations = 0
    var sizesItself = false
    var isHorizontal = false

    override func preferredLayoutAttributesFitting(
      _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes {
      let size = layoutAttributes.frame.size
      if sizesItself, isHorizontal {
        layoutAttributes.frame.size.width = fittingHeight(width: size.height)
      } else if sizesItself {
        layoutAttributes.frame.size.height = fittingHeight(width: size.width)
      }
      return layoutAttributes
    }

    /// What can be seen of the cell; what is loading is drawn like what is expanded.
    var drawnDisclosure: Disclosure {
      let open = disclosure?.sign == .loading ? Disclosure.Sign.loading : .expanded
      return Disclosure(
        level: indentationLevel,
        sign: !hasOutlineDisclosure ? .leaf : shownState.isExpanded ? open : .collapsed)
    }
  }
  final class Title: UICollectionReusableView, ShowsNumber {
    var number: Int?
    let drawnDisclosure = Disclosure()
    var configurations = 0
  }

  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 1000))
  let view: UICollectionView
  private let isHorizontal: Bool
  private let isMirrored: Bool
  private(set) lazy var host: CollectionViewHost = makeHost()
  private(set) var exceptions: [StandInException] = []
  var toggle: ((Int) -> Void)?

  private let cells: CellRegistration<NumberCell, Int>
  private let titles = SupplementaryRegistration<Title, Int>(
    elementKind: UICollectionView.elementKindSectionHeader
  ) { view, _, section in view.number = section }

  /// - Parameters:
  ///   - height: The height of the view; a row is 20 high.
  ///   - headerHeight: The height of the header above each section; 0 for none.
  ///   - habits: What the view does that is not documented.
  ///   - sizesItself: Whether rows have different heights, and headers are pinned.
  ///   - isHorizontal: Whether the view scrolls sideways.
  ///   - isMirrored: Whether the view is read from right to left, and its row laid out so.
  init(
    height: Int = 300, headerHeight: CGFloat = 0, habits: StandInHabits = .all,
    sizesItself: Bool = false, isHorizontal: Bool = false,
    isMirrored: Bool = false
  ) {
    self.isHorizontal = isHorizontal
    self.isMirrored = isMirrored
    cells = CellRegistration<NumberCell, Int> { cell, _, number in
      cell.number = number
      cell.configurations += 1
      cell.sizesItself = sizesItself
      cell.isHorizontal = isHorizontal
    }
    let layout =
      sizesItself || isMirrored
      ? DiffableCollectionViewLayout(
        isHorizontal
          ? Self.columns(
            width: sizesItself ? .estimated(20) : .absolute(20),
            headerWidth: Double(headerHeight))
          : Self.estimatedRows(headerHeight: Double(headerHeight)))
      : Self.flowLayout(headerHeight: headerHeight, isHorizontal: isHorizontal)
    view = UICollectionView(
      frame: CGRect(
        origin: .zero, size: CGSize(height: CGFloat(height), isHorizontal: isHorizontal)),
      collectionViewLayout: layout)
    view.habits = habits
    if isMirrored { view.ownLayoutDirection = .rightToLeft }
    view.show(in: window)
    view.exceptionHandler = { [unowned self] in exceptions.append($0) }
  }

  private static func flowLayout(
    headerHeight: CGFloat, isHorizontal: Bool
  ) -> UICollectionViewLayout {
    let layout = UICollectionViewFlowLayout()
    if isHorizontal { layout.scrollDirection = .horizontal }
    layout.itemSize = CGSize(height: 20, isHorizontal: isHorizontal)
    layout.minimumLineSpacing = 0
    layout.headerReferenceSize = CGSize(height: headerHeight, isHorizontal: isHorizontal)
    return layout
  }

  private static func estimatedRows(headerHeight: Double) -> CompositionalLayout {
    let size = LayoutSize(width: .fractionalWidth(1), height: .estimated(20))
    var section = LayoutSection(
      group: .vertical(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
    if headerHeight > 0 {
      var header = LayoutBoundarySupplementaryItem(
        layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(headerHeight)),
        elementKind: UICollectionView.elementKindSectionHeader, alignment: .top)
      header.pinToVisibleBounds = true
      section.boundarySupplementaryItems = [header]
    }
    return CompositionalLayout(section: section)
  }

  private static func columns(
    width: LayoutDimension, headerWidth: Double
  ) -> CompositionalLayout {
    let size = LayoutSize(width: width, height: .fractionalHeight(1))
    var section = LayoutSection(
      group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
    if headerWidth > 0 {
      var header = LayoutBoundarySupplementaryItem(
        layoutSize: LayoutSize(width: .absolute(headerWidth), height: .fractionalHeight(1)),
        elementKind: UICollectionView.elementKindSectionHeader, alignment: .leading)
      header.pinToVisibleBounds = true
      section.boundarySupplementaryItems = [header]
    }
    return CompositionalLayout(
      section: section, configuration: LayoutConfiguration(scrollDirection: .horizontal))
  }
}

extension CollectionViewFixture {
  /// A data source of the view, whose cells show their items, and which has none for negative ones.
  func makeDataSource(
    source: (any WritableListSource<Int, Int>)? = nil
  ) -> CollectionViewDiffableDataSource<Int, Int> {
    let cells = UICollectionView.CellRegistration<NumberCell, Int> { cell, _, number in
      cell.number = number
      cell.configurations += 1
    }
    return CollectionViewDiffableDataSource(collectionView: view, source: source) {
      view, path, item in
      item < 0 ? nil : view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    }
  }
}

extension CollectionViewFixture: ListViewFixture {
  func makeHost() -> CollectionViewHost { CollectionViewHost(collectionView: view) }
  var headerKind: String { UICollectionView.elementKindSectionHeader }
  var prefetches: Bool { true }
  var batchUpdateCount: Int { view.batchUpdateCount }
  var selectsSeveral: Bool {
    get { view.allowsMultipleSelection }
    set { view.allowsMultipleSelection = newValue }
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
    Set((view.indexPathsForSelectedItems ?? []).map(\.itemPath))
  }
  /// Without the host: another one may be that of the view.
  var numbers: [Int?] {
    view.indexPathsForVisibleItems.sorted().map {
      (view.cellForItem(at: $0) as? NumberCell)?.number
    }
  }
  var itemCounts: [Int] { (0..<view.numberOfSections).map(view.numberOfItems(inSection:)) }

  func cell(
    _ dequeuer: CellDequeuer<UICollectionViewCell>, _ path: ItemPath, _ item: Int
  ) throws(ListError) -> UICollectionViewCell {
    let cell = try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    cell.showDisclosure(dequeuer.disclosure) { [unowned self] in toggle?(item) }
    return cell
  }

  func header(
    _ views: SupplementaryDequeuer<UICollectionReusableView>, _ path: ItemPath, _ section: Int
  ) throws(ListError) -> UICollectionReusableView {
    try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: section)
  }

  func userTaps(_ path: ItemPath) { view.userTaps(at: path.indexPath) }

  func userTapsDisclosure(of item: Int, at path: ItemPath) {
    (view.cellForItem(at: path.indexPath) as? NumberCell)?.userTapsOutlineDisclosure()
  }

  func userScrolls(to y: Int) {
    let offset = CGFloat(y)
    guard isMirrored else {
      return view.userScrolls(
        to: isHorizontal ? CGPoint(x: offset, y: 0) : CGPoint(x: 0, y: offset))
    }
    let (length, inset) = (view.bounds.width, view.contentInset)
    let content = max(view.contentSize.width, length - inset.left - inset.right)
    view.userScrolls(to: CGPoint(x: max(-inset.left, content - offset - length), y: 0))
  }
  func resizes(toHeight height: Int) {
    var size = view.frame.size
    if isHorizontal { size.width = CGFloat(height) } else { size.height = CGFloat(height) }
    view.systemResizes(to: size)
  }
  func resizes(toWidth width: Int) {
    var size = view.frame.size
    if isHorizontal { size.height = CGFloat(width) } else { size.width = CGFloat(width) }
    view.systemResizes(to: size)
  }
  var scrollsWithAnimation: Bool { view.scrollsWithAnimation }
  func timePasses(untilScrollingEnds: Bool) {
    view.timePasses(untilScrollingEnds: untilScrollingEnds)
  }

  func userHolds(_ path: ItemPath) -> Bool {
    view.beginInteractiveMovementForItem(at: path.indexPath)
  }

  func userMoves(to path: ItemPath) -> Bool {
    guard let frame = view.layoutAttributesForItem(at: path.indexPath)?.frame else { return false }
    view.updateInteractiveMovementTargetPosition(CGPoint(x: frame.midX, y: frame.midY))
    return true
  }

  func userLeaves() { view.held.target = nil }
  func userDrops() { view.endInteractiveMovement() }
}

extension IndexPath {
  fileprivate var itemPath: ItemPath { ItemPath(section: section, item: item) }
}

extension ItemPath {
  fileprivate var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
