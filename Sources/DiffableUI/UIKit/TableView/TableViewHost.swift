#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import DiffableViews
public import UIKit

/// A `UITableView` as the host of a `ListController`.
///
/// ```swift
/// let host = TableViewHost(tableView: tableView)
/// let controller = ListController<Section, Mail.ID, TableViewHost>(host: host) { cells, path, id in
///   try cells.dequeueConfiguredReusableCell(using: mails, for: path, item: store[id])
/// }
/// controller.start(following: source)
/// ```
///
/// The host is the data source of the view, its prefetching data source, and its delegate, unless the
/// view has another delegate. That one tells the host itself of what it needs, see
/// ``tableView(_:didSelectRowAt:)``. Keep the host and the controller as long as the view: the view does
/// not hold them.
///
/// Rows of outlines can be indented by the `indentationLevel` of their cells; a table has no control to
/// fold them, so a program does that where a row is selected, or by an accessory view of its own.
///
/// Headers and footers are supplementary views of the kinds ``headerKind`` and ``footerKind``. Cells are
/// those that the view makes: a registration names their class, which must be a subclass of
/// `UITableViewCell`, and its closure to make one is not called. Where a provider fails, an empty cell
/// is shown.
@MainActor
public final class TableViewHost: NSObject {
  /// What headers of sections are called.
  public static let headerKind = "header"
  /// What footers of sections are called.
  public static let footerKind = "footer"

  /// The view.
  public let tableView: UITableView
  /// Whom the view asks; not held.
  public weak var content: (any ListContent<UITableViewCell, UITableViewHeaderFooterView>)?
  /// Which updates the view accepts; a limit can be set, past which it is shown from scratch.
  public var profile = ListProfile.tableView
  /// How rows and sections come and go.
  public var defaultRowAnimation = UITableView.RowAnimation.automatic
  /// Answers whether a view that is scrolled keeps its first rows in their places while others come or
  /// go above them; initially `true`.
  public var keepsPosition = true

  /// Answers whether the user may drag a row to another place; without it, none may be dragged.
  ///
  /// The drag itself is the view's: it shows a reordering control in each such row while it is editing.
  /// A drop that comes while the view is being changed, or that the source refuses, goes back.
  public var canMoveItem: (@MainActor (ItemPath) -> Bool)?
  /// Answers where a row goes that the user holds over a path; without it, to that path.
  ///
  /// The first path is where the drag began. Asked only while the host is the delegate of the view, or is
  /// told by it.
  public var targetForMove: (@MainActor (_ origin: ItemPath, _ proposed: ItemPath) -> ItemPath)?

  /// Answers whether the view configures the cells of reconfigured items, by asking for them again.
  ///
  /// Otherwise the controller has done so before.
  var reconfiguresByAsking = false
  /// The titles of headers and footers by section, where they are no views.
  var headerTitle: ((Int) -> String?)?
  var footerTitle: ((Int) -> String?)?
  var reuse = ReusedViews()
  let drag = ItemDrag()

  /// Makes a view show what a controller gives.
  ///
  /// - Parameter tableView: The view. It is shown empty until there is a controller.
  public init(tableView: UITableView) {
    self.tableView = tableView
    super.init()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: ReusedViews.placeholder)
    tableView.dataSource = self
    tableView.prefetchDataSource = self
    if tableView.delegate == nil { tableView.delegate = self }
  }
}

extension TableViewHost: ListHost {
  /// Answers whether the view is in a window, and has not been refused a drop.
  public var takesStages: Bool { tableView.window != nil && !drag.isAstray }
  /// The number of sections that the view has asked for last.
  public var numberOfSections: Int { tableView.numberOfSections }

  /// Reloads the view.
  public func reset(keeping anchor: ListAnchor?) {
    drag.reset()
    tableView.reloadData()
    guard takesStages else { return }
    tableView.layoutIfNeeded()
    scroll(to: anchor)
  }

  /// Performs a stage: what changes the structure as one update of the view, and refreshes by themselves.
  public func perform(_ stage: ListStage) {
    // A view that has not been laid out would ask for counts in the middle of the update.
    tableView.layoutIfNeeded()
    guard stage.isAnimated else { return UIView.performWithoutAnimation { update(by: stage) } }
    update(by: stage)
  }

  private func update(by stage: ListStage) {
    guard stage.difference.isStructural else {
      stage.begin()
      call(stage.difference, tableView)
      scroll(to: stage.anchor)
      return stage.end()
    }
    tableView.performBatchUpdates {
      stage.begin()
      self.call(stage.difference, self.tableView)
    } completion: { _ in
      stage.end()
    }
    scroll(to: stage.anchor)
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

// MARK: Views

extension TableViewHost {
  /// A cell of the view, by the class of the registration.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> UITableViewCell? {
    if reuse.register(kind) {
      let cellClass = kind.viewType as? UITableViewCell.Type
      // Of another class there is no cell; the controller says so, since this is not one of it.
      tableView.register(
        cellClass ?? UITableViewCell.self, forCellReuseIdentifier: kind.identifier)
    }
    let cell = tableView.dequeueReusableCell(
      withIdentifier: kind.identifier, for: IndexPath(path))
    reuse.dequeued(cell)
    return cell
  }

  /// A header or footer of the view, by the class of the registration.
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

  /// What a cell was dequeued with; `nil` for a placeholder.
  public func reuseIdentifier(of cell: UITableViewCell) -> String? {
    reuse.isPlaceholder(cell) ? nil : cell.reuseIdentifier
  }

  /// What a header or footer was dequeued with.
  public func reuseIdentifier(ofSupplementaryView view: UITableViewHeaderFooterView) -> String? {
    view.reuseIdentifier
  }

  /// The paths of the rows on the screen.
  public var visibleItemPaths: [ItemPath] {
    (tableView.indexPathsForVisibleRows ?? []).map { ItemPath($0) }.sorted()
  }

  /// The cell at a path; `nil` if it is not on the screen.
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
