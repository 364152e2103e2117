import Diffable
import DiffableViews
import Foundation
import StandInSupport
import Testing

/// A view that shows the number of an item, or of a section.
@MainActor
protocol ShowsNumber: AnyObject {
  var number: Int? { get set }
  /// How the row is drawn; like a leaf without ancestors where it was told nothing.
  var drawnDisclosure: Disclosure { get }
  var configurations: Int { get set }
}

extension ShowsNumber {
  /// The height of a row that sizes itself; from 10,000 on heights are extreme.
  var fittingHeight: CGFloat {
    let number = number ?? 0
    if number >= 10_000 { return [0, .nan, 1e9, 0, -5, .infinity][number % 6] }
    return [20, 1, 7, 35, 150, 400, 61, 20][abs(number) % 8]
  }

  /// The same for a row that is not 100 wide: what it shows is broken into other lines.
  func fittingHeight(width: CGFloat) -> CGFloat {
    width == 100 ? fittingHeight : max(1, (fittingHeight * 100 / max(1, width)).rounded())
  }
}

/// A view of UIKit or AppKit in a window, its host, what it raises, and its user.
///
/// Rows are 20 high, one below the other. Of a view that scrolls sideways, all that is said here holds
/// with the axes exchanged: a row is 20 wide, and the height of the view is its width. If it is read from
/// right to left, the top is on the right.
@MainActor
protocol ListViewFixture: AnyObject {
  associatedtype Host: ListHost

  var host: Host { get }
  /// What the view calls headers.
  var headerKind: String { get }
  /// Whether the view says what it will soon show.
  var prefetches: Bool { get }
  var exceptions: [StandInException] { get }
  /// Is told which disclosure the user taps.
  var toggle: ((Int) -> Void)? { get set }
  /// Which items the user may drag.
  var canReorderItem: (@MainActor (ItemPath) -> Bool)? { get set }
  /// What the user drops is put in front of an item, or else where that item is.
  var dropsInFront: Bool { get }
  /// Which path the view names at the drop, where it does.
  var heldPath: HeldItem.Path { get set }
  /// Whether the user may select several items.
  var selectsSeveral: Bool { get set }
  /// What the view believes to have selected.
  var selectedPaths: Set<ItemPath> { get }
  var itemCounts: [Int] { get }
  /// How many updates of the view have been batched.
  var batchUpdateCount: Int { get }
  /// What the visible cells show, from top to bottom.
  var numbers: [Int?] { get }

  /// Gives the view another host.
  func makeHost() -> Host
  func cell(
    _ cells: CellDequeuer<Host.Cell>, _ path: ItemPath, _ item: Int
  ) throws(ListError) -> Host.Cell
  func header(
    _ views: SupplementaryDequeuer<Host.SupplementaryView>, _ path: ItemPath, _ section: Int
  ) throws(ListError) -> Host.SupplementaryView

  func userTaps(_ path: ItemPath)
  func userTapsDisclosure(of item: Int, at path: ItemPath)
  func userScrolls(to y: Int)
  /// The window gets another height, and the view with it.
  func resizes(toHeight height: Int)
  /// The window gets another width.
  func resizes(toWidth width: Int)
  /// Whether an animated scroll is under way.
  var scrollsWithAnimation: Bool { get }
  /// Time passes while an animated scroll is under way: half of it, or all.
  func timePasses(untilScrollingEnds: Bool)
  /// Takes an item; `false` if it may not be dragged.
  func userHolds(_ path: ItemPath) -> Bool
  /// Moves what is held over an item; answers whether it could be dropped there.
  func userMoves(to path: ItemPath) -> Bool
  /// Moves what is held to where nothing can be dropped.
  func userLeaves()
  func userDrops()
}

extension ListViewFixture {
  typealias Controller = ListController<Int, Int, Host>

  /// - Parameter other: Another host than that of the fixture.
  func makeController(of other: Host? = nil) -> Controller {
    let controller = Controller(host: other ?? host) { [unowned self] cells, path, item in
      try cell(cells, path, item)
    }
    controller.supplementaryProviders[headerKind] = { [unowned self] views, path, section in
      try header(views, path, section)
    }
    toggle = { [weak controller] in controller?.toggleExpansion(of: $0) }
    return controller
  }

  /// The places of the visible rows on the screen.
  var places: [Double] {
    let viewport = host.viewport
    return viewport.rows.map { $0.span.lowerBound - viewport.offset }
  }

  var numbers: [Int?] {
    host.visibleItemPaths.map { (host.cell(at: $0) as? any ShowsNumber)?.number }
  }
}

/// The views that there are hosts for.
enum ListViewKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case uiCollectionView, uiTableView, nsCollectionView, nsTableView
  /// Collection views that scroll sideways.
  case uiCollectionRow, nsCollectionRow
  /// The same where people read from right to left.
  case uiMirroredRow, nsMirroredRow

  /// Those that scroll from top to bottom, for what has nothing to do with the place on the screen.
  static let columns = [uiCollectionView, uiTableView, nsCollectionView, nsTableView]

  var testDescription: String { rawValue }

  /// Its place among all kinds, so that each kind takes other cases in a small scope.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  @MainActor
  func makeFixture(
    height: Int = 300, hasHeaders: Bool = false, habits: StandInHabits = .all,
    sizesItself: Bool = false
  ) -> any ListViewFixture {
    let headerHeight: CGFloat = hasHeaders ? 10 : 0
    return switch self {
    case .uiCollectionView, .uiCollectionRow, .uiMirroredRow:
      CollectionViewFixture(
        height: height, headerHeight: headerHeight, habits: habits, sizesItself: sizesItself,
        isHorizontal: self != .uiCollectionView, isMirrored: self == .uiMirroredRow)
    case .uiTableView:
      TableViewFixture(
        height: height, headerHeight: headerHeight, habits: habits, sizesItself: sizesItself)
    case .nsCollectionView, .nsCollectionRow, .nsMirroredRow:
      NSCollectionViewFixture(
        height: height, headerHeight: headerHeight, habits: habits, sizesItself: sizesItself,
        isHorizontal: self != .nsCollectionView, isMirrored: self == .nsMirroredRow)
    case .nsTableView:
      NSTableViewFixture(
        height: height, hasHeaders: hasHeaders, habits: habits, sizesItself: sizesItself)
    }
  }
}

extension CGSize {
  /// With width and height exchanged if the view scrolls sideways.
  init(breadth: Int = 100, height: CGFloat, isHorizontal: Bool) {
    self.init(
      width: isHorizontal ? height : CGFloat(breadth),
      height: isHorizontal ? CGFloat(breadth) : height)
  }
}

/// A state with these items in each section; sections are numbered from 100.
func state(_ sections: [Int]...) throws -> Snapshot<Int, Int> { try state(of: sections) }

func state(of sections: [[Int]]) throws -> Snapshot<Int, Int> {
  var snapshot = Snapshot<Int, Int>()
  for (index, items) in sections.enumerated() {
    snapshot.appendSections([100 + index])
    try snapshot.appendItems(items, toSection: 100 + index)
  }
  return snapshot
}
