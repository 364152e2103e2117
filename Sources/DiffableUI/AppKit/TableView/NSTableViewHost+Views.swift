#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import Diffable
public import DiffableViews

extension NSTableViewHost {
  /// A reused or new view; `nil` if the registration has no closure to make one.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> NSView? {
    let identifier = NSUserInterfaceItemIdentifier(kind.identifier)
    if let view = tableView.makeView(withIdentifier: identifier, owner: nil) { return view }
    let view = kind.make?() as? NSView
    view?.identifier = identifier
    return view
  }

  /// A reused or new view; `nil` if the registration has no closure to make one.
  public func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> NSView? {
    dequeueCell(of: kind, for: path)
  }

  /// The identifier with which a view was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(of cell: NSView) -> String? { cell.identifier?.rawValue }

  /// The identifier with which a view was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: NSView) -> String? {
    view.identifier?.rawValue
  }

  /// The paths of the items in the visible rows.
  public var visibleItemPaths: [ItemPath] {
    (Range(tableView.rows(in: tableView.visibleRect)) ?? 0..<0).compactMap { row in
      if case .item(let path)? = rows.element(inRow: row) { path } else { nil }
    }
  }

  /// The view in the first column of an item's row; `nil` if it is not on the screen.
  public func cell(at path: ItemPath) -> NSView? {
    guard rows.itemCounts.indices.contains(path.section),
      (0..<rows.itemCounts[path.section]).contains(path.item)
    else { return nil }
    return view(inRow: rows.row(of: path))
  }

  /// The view in the first column of a row.
  ///
  /// A table raises an exception if the row or column does not exist.
  private func view(inRow row: Int) -> NSView? {
    guard !tableView.tableColumns.isEmpty, row < tableView.numberOfRows else { return nil }
    return tableView.view(atColumn: 0, row: row, makeIfNecessary: false)
  }

  /// The view in the row above a section; `nil` if it is not on the screen.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> NSView? {
    guard kind == headerKind, path.item == 0, rows.itemCounts.indices.contains(path.section) else {
      return nil
    }
    return view(inRow: rows.start(ofSection: path.section))
  }

  /// What is visible now.
  public var viewport: Viewport {
    get {
      var viewport = place
      let visible = tableView.visibleRect
      viewport.observe(
        offset: visible.minY, length: visible.height, contentLength: tableView.frame.height,
        rows: visibleItemPaths.map { VisibleRow(path: $0, span: span(of: $0)) })
      return viewport
    }
    set { place = newValue }
  }

  /// Scrolls to an anchor; the view does that without animation.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    place = viewport
    place.hold(anchor)
    place.settle(contentLength: tableView.frame.height) { span(of: $0) }
    let visible = tableView.visibleRect
    guard place.offset != visible.minY else { return }
    tableView.scroll(NSPoint(x: visible.minX, y: place.offset))
    tableView.layoutSubtreeIfNeeded()
  }

  /// Keeps what a change leaves in place.
  func keep(_ anchor: ListAnchor) {
    if keepsPosition { scroll(to: anchor, isAnimated: false) }
  }

  private func span(of path: ItemPath) -> Range<Double> {
    let row = tableView.rect(ofRow: rows.row(of: path))
    return row.minY..<max(row.minY, row.maxY)
  }

  /// The items whose rows are selected.
  var selectedPaths: Set<ItemPath> {
    Set(
      tableView.selectedRowIndexes.compactMap { row in
        if case .item(let path)? = rows.element(inRow: row) { path } else { nil }
      })
  }

  /// Selects exactly these items.
  public func showSelection(_ paths: Set<ItemPath>) {
    if paths != selectedPaths {
      isChangingRows = true
      tableView.selectRowIndexes(
        IndexSet(paths.map { rows.row(of: $0) }), byExtendingSelection: false)
      isChangingRows = false
    }
    selection = selectedPaths
  }
}

extension NSTableViewHost: NSTableViewDataSource {
  /// The number of items and headers on display.
  public func numberOfRows(in tableView: NSTableView) -> Int { content == nil ? 0 : rows.count }
}

extension NSTableViewHost: NSTableViewDelegate {
  /// The view that the content returns, or a placeholder.
  public func tableView(
    _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
  ) -> NSView? {
    guard let content, let element = rows.element(inRow: row) else { return nil }
    do throws(ListError) {
      switch element {
      case .header(let section):
        guard let headerKind else { return nil }
        return try content.supplementaryView(
          ofKind: headerKind, for: ItemPath(section: section, item: 0))
      case .item(let path):
        if let tableColumn, tableColumn !== tableView.tableColumns.first {
          return columnProvider?(tableColumn, path)
        }
        return try content.cell(for: path)
      }
    } catch {
      // The controller has called its error handler.
      return NSView(frame: .zero)
    }
  }

  /// Returns whether a row is the header of a section.
  public func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool {
    if case .header? = rows.element(inRow: row) { true } else { false }
  }

  /// Returns whether a row shows an item.
  public func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool {
    if case .item? = rows.element(inRow: row) { true } else { false }
  }

  /// Reports to the content what the user has selected.
  public func tableViewSelectionDidChange(_ notification: Notification) {
    guard !isChangingRows else { return }
    let former = selection
    selection = selectedPaths
    for path in former.subtracting(selection).sorted() { content?.didDeselectItem(at: path) }
    for path in selection.subtracting(former).sorted() { content?.didSelectItem(at: path) }
  }
}
#endif
