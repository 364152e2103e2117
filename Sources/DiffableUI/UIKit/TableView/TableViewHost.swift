#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import DiffableViews
public import UIKit

/// A `UITableView` as the host of a `ListController`.
///
/// ```swift
/// let host = TableViewHost(tableView: tableView)
/// let controller = ListController(host: host, following: source) { cells, path, mail in
///   try cells.dequeueConfiguredReusableCell(using: mails, for: path, item: mail)
/// }
/// ```
///
/// Keep the host and the controller as long as the view: nothing else holds them.
///
/// The host gives the view a data source, which it holds, and is its delegate, unless the view has
/// another delegate. In that case your delegate forwards the methods that the host has, such as
/// ``tableView(_:didSelectRowAt:)``. A prefetch data source of your own
/// stays, too; then the `prefetchHandler` of the controller is not called.
///
/// Rows of outlines can be indented by the `indentationLevel` of their cells. A table has no
/// control to expand and collapse them, so an app does that when a row is selected, or with its own
/// accessory view.
///
/// Headers and footers are supplementary views of the kinds ``headerKind`` and ``footerKind``. The
/// view makes the cells. A registration names their class, which must be a subclass of
/// `UITableViewCell`; the closure of the registration that makes a cell is not called. If a
/// provider fails, an empty cell is shown. Rows that size themselves are measured again when they are reconfigured,
/// unless the `selfSizingInvalidation` of the view is `disabled`.
@MainActor
public final class TableViewHost: NSObject {
  /// The kind of the headers of sections.
  public static let headerKind = "header"
  /// The kind of the footers of sections.
  public static let footerKind = "footer"

  /// The view.
  public let tableView: UITableView
  /// What the view shows; not held.
  public weak var content: (any ListContent<UITableViewCell, UITableViewHeaderFooterView>)?
  /// The updates that the view accepts; set its limit to show larger changes from scratch.
  public var profile = ListProfile.tableView
  /// The animation of inserted and deleted rows and sections.
  public var defaultRowAnimation = UITableView.RowAnimation.automatic
  /// Whether a scrolled view keeps its first rows in place when rows above them change.
  ///
  /// It is `true` at first.
  public var keepsPosition = true

  /// Whether the user may drag a row to another place; without it, no row may be dragged.
  ///
  /// The view itself handles the drag: it shows a reordering control in each such row while it is
  /// editing. A drop moves back if the view is being changed at that moment, or if the source
  /// rejects it.
  public var canReorderItem: (@MainActor (ItemPath) -> Bool)?
  /// Returns the target of a row that the user holds over a path; without it, that path.
  ///
  /// The first path is where the drag began. It is called only if the host is the delegate of the
  /// view, or the delegate forwards the method.
  public var targetForReorder: (@MainActor (_ origin: ItemPath, _ proposed: ItemPath) -> ItemPath)?

  /// Whether the view configures the cells of reconfigured items, by requesting them again.
  ///
  /// Otherwise the controller has configured them before.
  var reconfiguresByAsking = false
  /// The titles of headers and footers by section, if they are not views.
  var headerTitle: ((Int) -> String?)?
  var footerTitle: ((Int) -> String?)?
  /// The place on the screen, as last observed.
  var place = ScrolledPlace()
  /// Reports when the view has laid out its rows.
  var layoutObserver: LayoutObserver?
  let reuse = ReusedViews()
  let drag = ItemDrag()
  private var dataSource: DataSource?

  /// Creates a host that lets a view show what a controller provides.
  ///
  /// - Parameter tableView: The view. It is shown empty until there is a controller.
  public init(tableView: UITableView) {
    self.tableView = tableView
    super.init()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: ReusedViews.placeholder)
    (tableView.dataSource as? DataSource)?.host?.loseController()
    let dataSource = DataSource(of: self)
    self.dataSource = dataSource
    tableView.dataSource = dataSource
    if tableView.prefetchDataSource == nil || tableView.prefetchDataSource is DataSource {
      tableView.prefetchDataSource = dataSource
    }
    if tableView.delegate == nil || tableView.delegate is Self { tableView.delegate = self }
    layoutObserver = LayoutObserver(of: tableView) { [weak self] in self?.follow() }
  }
}

extension TableViewHost: ListHost {
  /// Whether the view is in a window, asks this host, and is not waiting for a reset after a rejected drop.
  public var takesStages: Bool {
    tableView.window != nil && tableView.dataSource === dataSource && !drag.isAstray
  }
  /// The number of sections that the view has requested last.
  public var numberOfSections: Int { tableView.numberOfSections }

  /// Reloads the view.
  public func reset(keeping anchor: ListAnchor) {
    drag.reset()
    reload(keeping: anchor) {
      tableView.reloadData()
      if takesStages { tableView.layoutIfNeeded() }
    }
  }

  /// Performs a stage: structural changes as one update of the view, refreshes separately.
  public func perform(_ stage: ListStage) {
    // A view without layout would ask for counts in the middle of the update.
    tableView.layoutIfNeeded()
    guard stage.isAnimated else { return UIView.performWithoutAnimation { update(by: stage) } }
    update(by: stage)
  }

  private func update(by stage: ListStage) {
    guard stage.difference.isStructural else {
      update(keeping: stage.anchor) {
        stage.begin()
        call(stage.difference, tableView)
        measureAgain(stage.difference.itemReconfigures)
        tableView.layoutIfNeeded()
      }
      return stage.end()
    }
    update(keeping: stage.anchor) {
      tableView.performBatchUpdates {
        stage.begin()
        self.call(stage.difference, self.tableView)
      } completion: { _ in
        stage.end()
      }
    }
  }

  /// Lets the table measure rows again that size themselves and show something else.
  ///
  /// A cell with a content configuration does so by itself, and one with constraints of its own does not.
  private func measureAgain(_ items: ItemPathSet) {
    guard !reconfiguresByAsking, !items.isEmpty else { return }
    for path in pathsOfCells where items.contains(path) {
      cell(at: path)?.invalidateIntrinsicContentSize()
    }
  }

  private func call(_ difference: SnapshotDifference, _ view: UITableView) {
    let animation = defaultRowAnimation
    difference.call(
      deleteSections: { view.deleteSections($0, with: animation) },
      insertSections: { view.insertSections($0, with: animation) },
      moveSection: { view.moveSection($0, toSection: $1) },
      reloadSections: { view.reloadSections($0, with: animation) },
      deleteItems: { view.deleteRows(at: $0, with: animation) },
      insertItems: { view.insertRows(at: $0, with: animation) },
      moveItem: { view.moveRow(at: $0, to: $1) },
      reloadItems: { view.reloadRows(at: $0, with: animation) },
      reconfigureItems: { if reconfiguresByAsking { view.reconfigureRows(at: $0) } })
  }
}

extension TableViewHost: PreparingHost {
  /// The paths of the items for which the view was given cells.
  package var pathsOfCells: [ItemPath] { reuse.givenPaths(in: content) }
}

// MARK: Views

extension TableViewHost {
  /// A cell made by the view, from the class of the registration.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> UITableViewCell? {
    if reuse.register(kind) {
      let cellClass = kind.viewType as? UITableViewCell.Type
      // No cell can be made from another class; the controller reports the error, as this one has
      // another type.
      tableView.register(
        cellClass ?? UITableViewCell.self, forCellReuseIdentifier: kind.identifier)
    }
    let cell = tableView.dequeueReusableCell(
      withIdentifier: kind.identifier, for: IndexPath(path))
    reuse.dequeued(cell)
    return cell
  }

  /// A header or footer made by the view, from the class of the registration.
  public func dequeueSupplementaryView(
    of kind: ReuseKind, for path: ItemPath
  ) -> UITableViewHeaderFooterView? {
    if reuse.register(kind) {
      let viewClass = kind.viewType as? UITableViewHeaderFooterView.Type
      tableView.register(
        viewClass ?? UITableViewHeaderFooterView.self,
        forHeaderFooterViewReuseIdentifier: kind.identifier)
    }
    let view = tableView.dequeueReusableHeaderFooterView(withIdentifier: kind.identifier)
    if let view { reuse.dequeued(view) }
    return view
  }

  /// The identifier with which a cell was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(of cell: UITableViewCell) -> String? {
    reuse.isPlaceholder(cell) ? nil : cell.reuseIdentifier
  }

  /// The identifier with which a header or footer was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: UITableViewHeaderFooterView) -> String? {
    view.reuseIdentifier
  }

  /// The paths of the rows on the screen.
  public var visibleItemPaths: [ItemPath] {
    (tableView.indexPathsForVisibleRows ?? []).map { ItemPath($0) }.sorted()
  }

  /// The cell at a path; `nil` if the view has none.
  public func cell(at path: ItemPath) -> UITableViewCell? {
    tableView.cellForRow(at: IndexPath(path))
  }

  /// The header or footer of a section; `nil` if it is not on the screen.
  public func supplementaryView(
    ofKind kind: String, at path: ItemPath
  ) -> UITableViewHeaderFooterView? {
    guard path.item == 0, (0..<tableView.numberOfSections).contains(path.section) else {
      return nil
    }
    return switch kind {
    case Self.headerKind: tableView.headerView(forSection: path.section)
    case Self.footerKind: tableView.footerView(forSection: path.section)
    default: nil
    }
  }
}
#endif
