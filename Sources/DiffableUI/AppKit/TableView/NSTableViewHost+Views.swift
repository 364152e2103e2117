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
    (Range(tableView.rows(in: tableView.visibleRect)) ?? 0..<0).compactMap(itemPath(forRow:))
  }

  /// The path of the item in a row of the table; `nil` for the row of a header, and for one that does not exist.
  ///
  /// A menu or a double click needs it: pass it `clickedRow`.
  ///
  /// - Complexity: O(s) for s sections.
  public func itemPath(forRow row: Int) -> ItemPath? {
    if case .item(let path)? = rows.element(inRow: row) { path } else { nil }
  }

  /// The row of the table that shows an item; `nil` for a path that does not exist.
  ///
  /// - Complexity: O(s) for s sections.
  public func row(for path: ItemPath) -> Int? {
    guard rows.itemCounts.indices.contains(path.section),
      (0..<rows.itemCounts[path.section]).contains(path.item)
    else { return nil }
    return rows.row(of: path)
  }

  /// The view of the content in an item's row; `nil` if the table has none.
  public func cell(at path: ItemPath) -> NSView? {
    row(for: path).flatMap { view(atColumn: contentColumnIndex, row: $0) }
  }

  /// The view in a column of a row.
  ///
  /// A table raises an exception if the row or column does not exist.
  private func view(atColumn column: Int?, row: Int) -> NSView? {
    guard let column, row < tableView.numberOfRows else { return nil }
    return tableView.view(atColumn: column, row: row, makeIfNecessary: false)
  }

  /// The view in the row above a section; `nil` if it is not on the screen.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> NSView? {
    guard kind == headerKind, path.item == 0, rows.itemCounts.indices.contains(path.section) else {
      return nil
    }
    // A header has one view, over all columns.
    return view(
      atColumn: tableView.tableColumns.indices.first, row: rows.start(ofSection: path.section))
  }

  /// The items whose rows are selected.
  var selectedPaths: ItemPathSet { rows.items(inRows: tableView.selectedRowIndexes.rangeView) }

  /// Selects exactly these items.
  public func showSelection(_ paths: ItemPathSet) {
    var indexes = IndexSet()
    for range in rows.rows(ofItems: paths) { indexes.insert(integersIn: range) }
    if indexes != tableView.selectedRowIndexes {
      isChangingRows = true
      tableView.selectRowIndexes(indexes, byExtendingSelection: false)
      isChangingRows = false
    }
    selection = selectedPaths
  }
}

extension NSTableViewHost: SelectingHost {
  /// Whether several rows may be selected.
  package var allowsMultipleSelection: Bool { tableView.allowsMultipleSelection }

  /// The items in the selected rows of a table in which one has to be selected.
  package var ownSelection: ItemPathSet {
    tableView.allowsEmptySelection || tableView.dataSource !== dataSource
      ? ItemPathSet() : selectedPaths
  }
}

extension NSTableViewHost: PreparingHost {
  /// The paths of the items in the rows that the table has views for.
  package var pathsOfCells: [ItemPath] {
    var paths: [ItemPath] = []
    tableView.enumerateAvailableRowViews { _, row in
      if let path = itemPath(forRow: row) { paths.append(path) }
    }
    return paths.sorted()
  }
}

extension NSTableViewHost: ScrollingHost {
  /// What is visible now.
  public var viewport: Viewport {
    get { currentViewport }
    set { setViewport(newValue) }
  }

  /// Scrolls to an anchor.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    observeScrolling()
    scroll(tableView, to: anchor, isAnimated: isAnimated, animation)
  }

  func stopScrolling() { animation.stop() }

  var scrollState: ScrollState { ScrollState(of: tableView) }

  func span(of path: ItemPath) -> Range<Double>? { row(for: path).flatMap(span(ofRow:)) }

  private func span(ofRow row: Int) -> Range<Double>? {
    let rect = tableView.rect(ofRow: row)
    return rowSpan(from: Double(rect.minY), to: Double(rect.maxY))
  }

  func sight(in state: ScrollState) -> Sight {
    let shown = visibleItemPaths.compactMap { path in
      span(of: path).map { VisibleRow(path: path, span: $0) }
    }
    return Sight(rows: shown, covered: coveredLengths(shown, in: state))
  }

  /// A table can pin the header of the first section on the screen.
  private func coveredLengths(_ shown: [VisibleRow], in state: ScrollState) -> Viewport.Covered {
    guard headerKind != nil, tableView.floatsGroupRows, let section = shown.first?.path.section
    else { return Viewport.Covered() }
    let range = rows.rows(ofSections: section..<section + 1)
    guard let header = span(ofRow: range.lowerBound), let last = span(ofRow: range.upperBound - 1),
      header.lowerBound < state.offset
    else { return Viewport.Covered() }
    return Viewport.Covered(
      start: max(0, min(header.upperBound - header.lowerBound, last.upperBound - state.offset)))
  }

  func scroll(toOrigin origin: Double) {
    tableView.scroll(NSPoint(x: tableView.visibleRect.minX, y: CGFloat(origin)))
    tableView.layoutSubtreeIfNeeded()
  }
}

/// A delegate of your own calls these methods from its methods of the same names.
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
        if let tableColumn, tableColumn !== contentColumn {
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
    let (selected, deselected) = (selection.subtracting(former), former.subtracting(selection))
    if !deselected.isEmpty { content?.didDeselectItems(at: deselected) }
    if !selected.isEmpty { content?.didSelectItems(at: selected) }
  }
}
#endif
