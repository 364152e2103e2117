import Diffable
import DiffableTesting
import StandInSupport

/// developer.apple.com/documentation/uikit/uitableview
///
/// Here rows are `rowHeight` high until they are measured, and headers `sectionHeaderHeight`.
@MainActor open class UITableView: UIScrollView {
  /// developer.apple.com/documentation/uikit/uitableview/style-swift.enum
  public enum Style: Int, Sendable {
    case plain = 0
    case grouped = 1
    case insetGrouped = 2
  }

  /// developer.apple.com/documentation/uikit/uitableview/rowanimation
  public enum RowAnimation: Int, Sendable {
    case fade = 0
    case right = 1
    case left = 2
    case top = 3
    case bottom = 4
    case none = 5
    case middle = 6
    case automatic = 100
  }

  /// developer.apple.com/documentation/uikit/uitableview/scrollposition
  public enum ScrollPosition: Int, Sendable {
    case none = 0
    case top = 1
    case middle = 2
    case bottom = 3
  }

  /// developer.apple.com/documentation/uikit/uitableview/init(frame:style:)
  public init(frame: CGRect, style: UITableView.Style) {
    self.style = style
    super.init(frame: frame)
  }

  public required init(frame: CGRect) {
    style = .plain
    super.init(frame: frame)
  }

  public required init?(coder: NSCoder) { return nil }

  /// developer.apple.com/documentation/uikit/uitableview/delegate
  open weak var delegate: (any UITableViewDelegate)?
  /// developer.apple.com/documentation/uikit/uitableview/datasource
  open weak var dataSource: (any UITableViewDataSource)? {
    didSet { reloadData() }
  }
  /// developer.apple.com/documentation/uikit/uitableview/prefetchdatasource
  open weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
  /// developer.apple.com/documentation/uikit/uitableview/style-swift.property
  public let style: UITableView.Style
  /// developer.apple.com/documentation/uikit/uitableview/rowheight
  open var rowHeight: CGFloat = 44
  /// developer.apple.com/documentation/uikit/uitableview/sectionheaderheight
  open var sectionHeaderHeight: CGFloat = 0
  /// developer.apple.com/documentation/uikit/uitableview/allowsmultipleselection
  open var allowsMultipleSelection = false
  /// developer.apple.com/documentation/uikit/uitableview/allowsmultipleselectionduringediting
  open var allowsMultipleSelectionDuringEditing = false
  /// developer.apple.com/documentation/uikit/uitableview/isediting
  open var isEditing = false

  lazy var belief = ListBelief(
    profile: .tableView, isInWindow: { [unowned self] in window != nil },
    raise: { [unowned self] in raise($0) },
    ask: { [unowned self] in
      guard let dataSource else { return [] }
      return (0..<dataSource.numberOfSections(in: self)).map {
        dataSource.tableView(self, numberOfRowsInSection: $0)
      }
    })
  var cells: [Int: UITableViewCell] = [:]
  /// The number of the row whose cell is not on the screen yet.
  var prepared: Int?
  var headers: [Int: UIView] = [:]
  var footers: [Int: UIView] = [:]
  var registeredClasses: [String: AnyClass] = [:]
  var freeCells: [String: [UITableViewCell]] = [:]
  var selected: Set<Int> = []
  var prefetched = PrefetchedItems()
  /// The cell that is configured again.
  var reconfigured: UITableViewCell?

  /// developer.apple.com/documentation/uikit/uitableview/numberofsections
  open var numberOfSections: Int { belief.list.sections.count }

  /// developer.apple.com/documentation/uikit/uitableview/numberofrows(insection:)
  open func numberOfRows(inSection section: Int) -> Int {
    belief.itemCount(inSection: section, habits)
  }

  /// developer.apple.com/documentation/uikit/uitableview/reloaddata()
  open func reloadData() {
    selected = belief.forget(selected: selected, habits)
    for cell in cells.values { free(cell) }
    for view in [headers, footers].flatMap(\.values) { view.removeFromSuperview() }
    (cells, headers, footers, prefetched) = ([:], [:], [:], PrefetchedItems())
    setNeedsLayout()
  }

  /// developer.apple.com/documentation/uikit/uitableview/indexpathsforvisiblerows
  open var indexPathsForVisibleRows: [IndexPath]? {
    cells.keys.filter { $0 != prepared }.compactMap { belief.shown?.path(of: $0) }.sorted()
      .map { IndexPath(row: $0.item, section: $0.section) }
  }

  /// developer.apple.com/documentation/uikit/uitableview/cellforrow(at:)
  open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
    id(at: indexPath).flatMap { cells[$0] }
  }

  /// developer.apple.com/documentation/uikit/uitableview/headerview(forsection:)
  open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    view(in: headers, forSection: section)
  }

  /// developer.apple.com/documentation/uikit/uitableview/footerview(forsection:)
  open func footerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    view(in: footers, forSection: section)
  }

  private func view(
    in views: [Int: UIView], forSection section: Int
  ) -> UITableViewHeaderFooterView? {
    // It raises where the section does not exist.
    _ = belief.itemCount(inSection: section, habits)
    guard let shown = belief.shown, shown.sections.indices.contains(section) else { return nil }
    return views[shown.sections[section].id] as? UITableViewHeaderFooterView
  }

  /// developer.apple.com/documentation/uikit/uitableview/rectforrow(at:)
  open func rectForRow(at indexPath: IndexPath) -> CGRect {
    guard id(at: indexPath) != nil else { return .zero }
    let y = belief.list.sections[indexPath.section].items.prefix(indexPath.row)
      .reduce(start(ofSection: indexPath.section) + sectionHeaderHeight) { $0 + height(of: $1) }
    return CGRect(x: 0, y: y, width: bounds.width, height: id(at: indexPath).map(height(of:)) ?? 0)
  }

  /// developer.apple.com/documentation/uikit/uitableview/rect(forsection:)
  open func rect(forSection section: Int) -> CGRect {
    let y = start(ofSection: section)
    return CGRect(x: 0, y: y, width: bounds.width, height: start(ofSection: section + 1) - y)
  }

  /// developer.apple.com/documentation/uikit/uitableview/rectforheader(insection:)
  open func rectForHeader(inSection section: Int) -> CGRect {
    CGRect(x: 0, y: start(ofSection: section), width: bounds.width, height: sectionHeaderHeight)
  }

  /// developer.apple.com/documentation/uikit/uitableview/rectforfooter(insection:)
  open func rectForFooter(inSection section: Int) -> CGRect {
    CGRect(x: 0, y: start(ofSection: section + 1), width: bounds.width, height: 0)
  }

  /// developer.apple.com/documentation/uikit/uitableview/indexpathsforrows(in:)
  open func indexPathsForRows(in rect: CGRect) -> [IndexPath]? {
    belief.list.sections.enumerated().flatMap { section, content in
      content.items.indices.map { IndexPath(row: $0, section: section) }
    }
    .filter { rectForRow(at: $0).overlaps(rect) }
  }

  /// What Auto Layout finds to be the height of a cell, if rows size themselves.
  package var fittingHeight: ((UITableViewCell) -> CGFloat)?
  /// The heights of rows that were measured.
  var heights: [Int: CGFloat] = [:]

  private func height(of id: Int) -> CGFloat { heights[id] ?? rowHeight }

  func start(ofSection section: Int) -> CGFloat {
    belief.list.sections.prefix(section).reduce(0) { y, content in
      content.items.reduce(y + sectionHeaderHeight) { $0 + height(of: $1) }
    }
  }

  open override var bounds: CGRect {
    get { super.bounds }
    set {
      let former = storedBounds
      super.bounds = newValue
      setNeedsLayout()
      if former.origin != newValue.origin { delegate?.scrollViewDidScroll(self) }
    }
  }

  override var scrollDelegate: (any UIScrollViewDelegate)? { delegate }

  open override func layoutSubviews() { layOutRows() }

  func id(at indexPath: IndexPath) -> Int? { belief.shown?.id(at: indexPath.itemPath) }
}
