#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import Diffable
public import DiffableViews

/// An `NSTableView` as the host of a `ListController`.
///
/// ```swift
/// let host = NSTableViewHost(tableView: tableView, headerKind: "header")
/// let controller = ListController(host: host, following: source) { cells, path, mail in
///   try cells.dequeueConfiguredReusableCell(using: mails, for: path, item: mail)
/// }
/// ```
///
/// Keep the host and the controller as long as the view: nothing else holds them.
///
/// A table of AppKit has rows but no sections. Headers are group rows, and changes are made one
/// after another, each with the rows of that moment. ``itemPath(forRow:)`` and ``row(for:)`` lead from a row to
/// its item and back.
///
/// The host gives the view a data source, which it holds, and is its delegate. If you give the view another
/// delegate afterwards, it forwards the methods that the host has.
///
/// It is not an `NSOutlineView` and draws no disclosure triangles. For a row of an outline, a
/// provider reads its level from `CellDequeuer.disclosure`, indents its view, and adds a button
/// whose action calls `ListController.toggleExpansion(of:)`.
///
/// The content provides the views of ``contentColumn``, which is the first one if you choose no other, and
/// ``columnProvider`` those of other columns. If the user moves columns, each keeps its views.
/// AppKit makes no views by class: give registrations a closure that makes one. If a provider fails, an empty
/// view is shown.
@MainActor
public final class NSTableViewHost: NSObject {
  /// The view.
  public let tableView: NSTableView
  /// What the view shows; not held.
  public weak var content: (any ListContent<NSView, NSView>)?
  /// The updates that the view accepts; set its limit to show larger changes from scratch.
  public var profile = ListProfile.sequential
  /// The kind of the row above each section; `nil` for no such row.
  public let headerKind: String?
  /// The animation of inserted and deleted rows.
  public var rowAnimation: NSTableView.AnimationOptions = .effectFade
  /// The column whose views the content provides, wherever the user moves it.
  ///
  /// At first it is the first column of the table. In a table with `autosaveTableColumns` that is the one that the
  /// user has moved to the front. So choose the column by its identifier, before there is a controller. If it is
  /// removed from the table, the first remaining column takes its place.
  public var contentColumn: NSTableColumn? {
    get {
      let columns = tableView.tableColumns
      if !columns.contains(where: { $0 === knownColumn }) { knownColumn = columns.first }
      return knownColumn
    }
    set {
      knownColumn = newValue
      guard tableView.dataSource === dataSource else { return }
      reload(0..<tableView.numberOfRows, columns: allColumns)
    }
  }
  /// Makes the views of all columns but ``contentColumn``.
  public var columnProvider: (@MainActor (_ column: NSTableColumn, _ path: ItemPath) -> NSView?)?
  /// Whether a scrolled view keeps its first rows in place when rows above them change.
  ///
  /// It is `true` at first.
  public var keepsPosition = true
  /// Whether the user may drag an item to another place; without it, no item may be dragged.
  ///
  /// The controller knows of the drag from its beginning, see `ListController.beginReorder(_:)`: no
  /// batch is shown until the drop. Then the source moves the items, and the rows follow.
  public var canReorderItem: (@MainActor (ItemPath) -> Bool)? {
    didSet { if canReorderItem != nil { ItemDrags.register(in: tableView) } }
  }

  /// The rows of the view.
  var rows: FlatRows
  /// The column of the content, if it is still there.
  private weak var knownColumn: NSTableColumn?
  /// The place on the screen, as last observed.
  var place = ScrolledPlace()
  private var observer: ClipViewObserver?
  private(set) var dataSource: DataSource?
  let animation = ClipViewAnimation()
  var selection = ItemPathSet()
  let drags = ItemDrags()
  /// Whether the selection changes because the rows change.
  var isChangingRows = false

  /// Creates a host that lets a view show what a controller provides.
  ///
  /// - Parameters:
  ///   - tableView: The view, with its columns. It is shown empty until there is a controller.
  ///   - headerKind: The kind of the row above each section; `nil` for no such row.
  public init(tableView: NSTableView, headerKind: String? = nil) {
    self.tableView = tableView
    self.headerKind = headerKind
    rows = FlatRows(hasHeaders: headerKind != nil)
    super.init()
    knownColumn = tableView.tableColumns.first
    tableView.delegate = self
    (tableView.dataSource as? DataSource)?.host?.leaveView()
    let dataSource = DataSource(of: self)
    self.dataSource = dataSource
    tableView.dataSource = dataSource
  }

  /// Leaves the view to another host: neither a change nor a scroll leads here any more.
  private func leaveView() {
    loseController()
    observer = nil
  }
}

extension NSTableViewHost: ListHost {
  /// Whether the view is in a window, and asks this host.
  public var takesStages: Bool { tableView.window != nil && tableView.dataSource === dataSource }
  /// The number of sections whose rows the view has.
  public var numberOfSections: Int { rows.itemCounts.count }

  /// Reloads the view.
  public func reset(keeping anchor: ListAnchor) {
    observeScrolling()
    reload(keeping: anchor) {
      isChangingRows = true
      let counts = (0..<(content?.numberOfSections ?? 0)).map {
        content?.numberOfItems(inSection: $0) ?? 0
      }
      rows = FlatRows(hasHeaders: headerKind != nil, itemCounts: counts)
      tableView.reloadData()
      isChangingRows = false
      selection = selectedPaths
      if takesStages { tableView.layoutSubtreeIfNeeded() }
    }
  }

  /// Follows where the user scrolls, and how large the view is.
  func observeScrolling() {
    place.reportsScrolling = ClipViewObserver.follow(
      tableView, &observer, willLayOut: { [weak self] in self?.noteScroll() },
      report: { [weak self] in self?.follow() },
      reportTouch: { [weak self] in self?.willStartLiveScroll() })
  }

  /// Makes the changes of a stage.
  ///
  /// The stage ends at once, so that the stages of one batch are one animation.
  public func perform(_ stage: ListStage) {
    observeScrolling()
    tableView.layoutSubtreeIfNeeded()
    update(keeping: stage.anchor) {
      isChangingRows = true
      animate(stage)
      isChangingRows = false
      selection = selectedPaths
      tableView.layoutSubtreeIfNeeded()
    }
    stage.end()
  }

  private func animate(_ stage: ListStage) {
    NSAnimationContext.runAnimationGroup { context in
      // A table also animates that rows get other heights.
      if !stage.isAnimated { context.duration = 0 }
      let isUpdate = stage.difference.isStructural
      if isUpdate { tableView.beginUpdates() }
      stage.begin()
      change(stage.difference, stage.isAnimated ? rowAnimation : [])
      if isUpdate { tableView.endUpdates() }
    }
  }

  /// Makes the changes in the table.
  ///
  /// The table may ask for rows before such a call returns, so ``rows`` is always one step ahead of
  /// it.
  private func change(
    _ difference: SnapshotDifference, _ animation: NSTableView.AnimationOptions
  ) {
    for sections in difference.sectionDeletes.ranges.reversed() {
      let range = rows.rows(ofSections: sections)
      rows.removeSections(sections)
      remove(range, animation)
    }
    for range in difference.itemDeletes.ranges.reversed() {
      let removed = rows.rows(of: range)
      rows.changeCount(ofSection: range.section, by: -range.items.count)
      remove(removed, animation)
    }
    for move in difference.itemMoves {
      let origin = rows.row(of: move.from)
      rows.changeCount(ofSection: move.from.section, by: -1)
      let target = rows.row(of: move.to)
      rows.changeCount(ofSection: move.to.section, by: 1)
      tableView.moveRow(at: origin, to: target)
    }
    for range in difference.itemInserts.ranges {
      let inserted = rows.rows(of: range)
      rows.changeCount(ofSection: range.section, by: range.items.count)
      insert(inserted, animation)
    }
    for move in difference.sectionMoves {
      rows.moveSection(move)
      while let row = rows.moveNextRow() { tableView.moveRow(at: row.from, to: row.to) }
    }
    for sections in difference.sectionInserts.ranges {
      rows.insertSections(
        ofCounts: sections.map { content?.numberOfItems(inSection: $0) ?? 0 },
        at: sections.lowerBound)
      insert(rows.rows(ofSections: sections), animation)
    }
    for section in difference.sectionReloads.ranges.joined() {
      reload(rows.rows(ofSections: section..<section + 1), columns: allColumns)
    }
    for range in difference.itemReloads.ranges {
      reload(rows.rows(of: range), columns: allColumns)
    }
    for section in difference.sectionReconfigures.ranges.joined() where headerKind != nil {
      // The controller has updated the header.
      tableView.noteHeightOfRows(withIndexesChanged: [rows.start(ofSection: section)])
    }
    for range in difference.itemReconfigures.ranges {
      // The controller has updated the column of the content.
      reload(rows.rows(of: range), columns: allColumns.subtracting([contentColumnIndex ?? 0]))
    }
  }

  private var allColumns: IndexSet { IndexSet(tableView.tableColumns.indices) }

  /// Where the column of the content is; `nil` if there are no columns.
  var contentColumnIndex: Int? {
    let column = contentColumn
    return tableView.tableColumns.firstIndex { $0 === column }
  }

  private func remove(_ range: Range<Int>, _ animation: NSTableView.AnimationOptions) {
    guard !range.isEmpty else { return }
    tableView.removeRows(at: IndexSet(integersIn: range), withAnimation: animation)
  }

  private func insert(_ range: Range<Int>, _ animation: NSTableView.AnimationOptions) {
    guard !range.isEmpty else { return }
    tableView.insertRows(at: IndexSet(integersIn: range), withAnimation: animation)
  }

  /// Lets the table ask for the views in some columns again, and for the heights of the rows: reloading views does
  /// not change these.
  private func reload(_ range: Range<Int>, columns: IndexSet) {
    guard !range.isEmpty else { return }
    let indexes = IndexSet(integersIn: range)
    if !columns.isEmpty {
      tableView.reloadData(forRowIndexes: indexes, columnIndexes: columns)
    }
    tableView.noteHeightOfRows(withIndexesChanged: indexes)
  }
}
#endif
