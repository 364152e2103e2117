public import Diffable
public import DiffableViews

/// A list view in a terminal: a row for each item, and a row above each section if it is to have a
/// header.
///
/// Make it the host of a `ListController` and draw ``lines`` whenever ``changeHandler`` is called:
///
/// ```swift
/// let list = TerminalList(height: terminal.size.rows)
/// let controller = ListController<String, Int, TerminalList>(host: list) { cells, path, item in
///   try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: item)
/// }
/// list.changeHandler = { draw(Screen(size: terminal.size, lines: list.lines)) }
/// ```
///
/// Cells are made for visible rows only, and used again once they have left. A list that is scrolled
/// keeps its first row in its place; one that shows its beginning goes on doing so.
@MainActor
public final class TerminalList {
  /// Whom the list asks; not held.
  public weak var content: (any ListContent<TerminalCell, TerminalCell>)?
  /// Is called when ``lines`` have changed.
  public var changeHandler: (@MainActor () -> Void)?
  /// The kind of the row above each section; `nil` for no such row.
  public let headerKind: String?

  /// The number of rows that the list may take.
  public var height: Int {
    didSet { showRows() }
  }

  /// Which rows are visible, headers counted.
  public private(set) var position = ScrollPosition()

  /// The number of items in each section, as the content said last.
  private var itemCounts: [Int] = []
  private var cells: [ItemPath: TerminalCell] = [:]
  private var headers: [Int: TerminalCell] = [:]
  private var freeCells: [String: [TerminalCell]] = [:]
  private var selection: Set<ItemPath> = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - height: The number of rows that the list may take.
  ///   - headerKind: The kind of the row above each section; `nil` for no such row.
  public init(height: Int, headerKind: String? = nil) {
    self.height = height
    self.headerKind = headerKind
  }

  /// The visible rows, from top to bottom; selected items are reversed.
  public var lines: [StyledText] {
    visibleRows.compactMap { row in
      switch row {
      case .header(let section): headers[section]?.line
      case .item(let path):
        selection.contains(path) ? cells[path]?.line.reversed : cells[path]?.line
      }
    }
  }

  /// Scrolls, if that is what a key is for; `false` if it is not.
  public func press(_ key: Key) -> Bool {
    guard position.follow(key) else { return false }
    showRows()
    return true
  }
}

extension TerminalList: ListHost {
  /// The stages of a collection view: the list is drawn anew after each.
  public var profile: ListProfile { .collectionView }
  /// A terminal is always there.
  public var takesStages: Bool { true }
  /// The number of sections on the screen and off it.
  public var numberOfSections: Int { itemCounts.count }

  /// Asks for everything again.
  public func reset(keeping anchor: ListAnchor?) {
    readCounts()
    for cell in Array(cells.values) + Array(headers.values) { put(cell) }
    (cells, headers, selection) = ([:], [:], [])
    showRows(keeping: anchor)
  }

  /// Shows a stage at once.
  public func perform(_ stage: ListStage) {
    stage.begin()
    readCounts()
    moveCells(stage.difference)
    showRows(keeping: stage.anchor)
    stage.end()
  }

  /// A cell that has left the screen, or a new one.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> TerminalCell? {
    freeCells[kind.identifier]?.popLast() ?? TerminalCell(reuseIdentifier: kind.identifier)
  }

  /// A header that has left the screen, or a new one.
  public func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> TerminalCell? {
    dequeueCell(of: kind, for: path)
  }

  /// What a cell was dequeued with; `nil` for a placeholder.
  public func reuseIdentifier(of cell: TerminalCell) -> String? { cell.reuseIdentifier }

  /// What a header was dequeued with; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: TerminalCell) -> String? {
    view.reuseIdentifier
  }

  /// The paths of the visible items.
  public var visibleItemPaths: [ItemPath] {
    visibleRows.compactMap { row in
      if case .item(let path) = row { path } else { nil }
    }
  }

  /// The cell of a visible item.
  public func cell(at path: ItemPath) -> TerminalCell? { cells[path] }

  /// The header of a section whose header is visible.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> TerminalCell? {
    kind == headerKind && path.item == 0 ? headers[path.section] : nil
  }

  /// The visible items, unless the list shows its beginning.
  public var anchors: [ListAnchor] {
    guard position.firstRow > 0 else { return [] }
    return visibleRows.enumerated().compactMap { offset, row in
      guard case .item(let path) = row else { return nil }
      return ListAnchor(path: path, position: Double(offset))
    }
  }

  /// Shows exactly these items as selected.
  public func showSelection(_ paths: Set<ItemPath>) {
    guard paths != selection else { return }
    selection = paths
    changeHandler?()
  }
}

// MARK: Rows

extension TerminalList {
  private enum Row {
    case header(section: Int)
    case item(ItemPath)
  }

  private var headerCount: Int { headerKind == nil ? 0 : 1 }

  private func readCounts() {
    itemCounts = (0..<(content?.numberOfSections ?? 0)).map {
      content?.numberOfItems(inSection: $0) ?? 0
    }
  }

  /// The visible rows.
  ///
  /// - Complexity: O(s + v) for s sections and v visible rows.
  private var visibleRows: [Row] {
    var rows: [Row] = []
    var first = 0
    for (section, count) in itemCounts.enumerated() {
      let length = count + headerCount
      for row in position.visibleRows.clamped(to: first..<first + length) {
        let item = row - first - headerCount
        rows.append(
          item < 0 ? .header(section: section) : .item(ItemPath(section: section, item: item)))
      }
      first += length
    }
    return rows
  }

  /// The row of an item, counted from the first of the list.
  private func row(of path: ItemPath) -> Int {
    itemCounts.prefix(path.section).reduce(path.item + headerCount) { $0 + $1 + headerCount }
  }

  /// Makes the cells that are visible and missing, and lets those go that are not visible.
  private func showRows(keeping anchor: ListAnchor? = nil) {
    let count = itemCounts.reduce(0) { $0 + $1 + headerCount }
    position.fit(rowCount: count, height: height)
    if let anchor { position.scroll(to: row(of: anchor.path) - Int(anchor.position)) }
    let (oldCells, oldHeaders) = (cells, headers)
    (cells, headers) = ([:], [:])
    var missing: [Row] = []
    for row in visibleRows {
      switch row {
      case .item(let path):
        cells[path] = oldCells[path]
        if cells[path] == nil { missing.append(row) }
      case .header(let section):
        headers[section] = oldHeaders[section]
        if headers[section] == nil { missing.append(row) }
      }
    }
    for (path, cell) in oldCells where cells[path] == nil { put(cell) }
    for (section, cell) in oldHeaders where headers[section] == nil { put(cell) }
    for row in missing { make(row) }
    changeHandler?()
  }

  private func make(_ row: Row) {
    do throws(ListError) {
      switch row {
      case .item(let path): cells[path] = try content?.cell(for: path)
      case .header(let section):
        guard let headerKind else { return }
        headers[section] = try content?.supplementaryView(
          ofKind: headerKind, for: ItemPath(section: section, item: 0))
      }
    } catch {
      let placeholder = TerminalCell()
      placeholder.line = StyledText("\(error)", TextStyle(color: .red))
      switch row {
      case .item(let path): cells[path] = placeholder
      case .header(let section): headers[section] = placeholder
      }
    }
  }

  /// Takes cells along to where a stage moves them, and lets those go that it renews.
  private func moveCells(_ difference: SnapshotDifference) {
    let map = PositionMap(difference)
    let (oldCells, oldHeaders) = (cells, headers)
    (cells, headers) = ([:], [:])
    for (path, cell) in oldCells {
      if let target = map.newPath(forOld: path), !difference.itemReloads.contains(path),
        !difference.sectionReloads.contains(path.section)
      {
        cells[target] = cell
      } else {
        put(cell)
      }
    }
    for (section, cell) in oldHeaders {
      if let target = map.newSection(forOld: section), !difference.sectionReloads.contains(section)
      {
        headers[target] = cell
      } else {
        put(cell)
      }
    }
    selection = Set(selection.compactMap(map.newPath(forOld:)))
  }

  private func put(_ cell: TerminalCell) {
    guard let identifier = cell.reuseIdentifier else { return }
    freeCells[identifier, default: []].append(cell)
  }
}
