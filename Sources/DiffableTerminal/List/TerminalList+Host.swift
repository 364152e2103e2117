public import Diffable
import DiffableLayout
public import DiffableViews

extension TerminalList: ListHost {
  /// The stages of a collection view: the list is drawn anew after each.
  public var profile: ListProfile { .collectionView }
  /// A terminal is always there.
  public var takesStages: Bool { true }
  /// The number of sections on the screen and off it.
  public var numberOfSections: Int { itemCounts.count }

  /// Asks for everything again.
  public func reset(keeping anchor: ListAnchor?) {
    let showedFocus = isFocusInSight
    readCounts()
    for cell in Array(cells.values) + Array(views.values) { put(cell) }
    (cells, views, selection) = ([:], [:], [])
    marks.removeAll()
    findSectionsAgain()
    solveAnew()
    findFocusAgain()
    refresh(keeping: anchor)
    if showedFocus { keepFocusInSight() }
    prefetch()
    changeHandler?()
  }

  /// Shows a stage at once.
  public func perform(_ stage: ListStage) {
    let (places, showedFocus) = (orthogonalPlaces(), isFocusInSight)
    let former = marks
    let map = PositionMap(stage.difference)
    cancelPrefetching(before: map)
    stage.begin()
    readCounts()
    moveCells(stage.difference, map, marksChanges: stage.isAnimated)
    moveSections(map)
    selection = Set(selection.compactMap(map.newPath(forOld:)))
    moveFocus(map)
    solve(after: stage.difference, map, former: former)
    restore(places, map)
    refresh(keeping: stage.anchor)
    if showedFocus { keepFocusInSight() }
    if stage.isAnimated { markChanges(of: stage.difference, map) }
    awaitExpiry()
    prefetch()
    changeHandler?()
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

  /// The paths of the visible items, those that a header covers included.
  public var visibleItemPaths: [ItemPath] {
    shown.compactMap { item(of: $0.element) }.sorted()
  }

  /// The cell of a visible item.
  public func cell(at path: ItemPath) -> TerminalCell? { cells[path] }

  /// A header, badge or the like that is visible.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> TerminalCell? {
    views[.supplementary(kind: kind, LayoutPath(path))]
  }

  /// The paths of headers, badges and the like that are visible; what belongs to the whole layout is
  /// counted as the last of the first section.
  public func visibleSupplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath] {
    views.keys.filter { $0.kind == kind && sections.contains($0.path.section) }
      .map { ItemPath(section: $0.path.section, item: $0.path.item) }.sorted()
  }

  /// The visible items, unless the list shows its beginning: first the one that has the focus, then
  /// those that no header covers.
  public var anchors: [ListAnchor] {
    guard position.firstRow > 0 else { return [] }
    let covers = shown.filter { $0.element.kind != nil }
    var anchors: [(rank: Int, path: ItemPath, position: Double)] = []
    for attributes in shown {
      guard let path = item(of: attributes.element) else { continue }
      let isCovered = covers.contains {
        $0.zIndex > attributes.zIndex && $0.frame.intersects(attributes.frame)
      }
      let start = attributes.frame.start(axis)
      let rank = path == focus?.path ? 0 : isCovered ? 2 : 1
      anchors.append((rank, path, start - Double(position.firstRow)))
    }
    anchors.sort { ($0.rank, $0.path) < ($1.rank, $1.path) }
    return anchors.map { ListAnchor(path: $0.path, position: $0.position) }
  }

  /// Shows exactly these items as selected.
  public func showSelection(_ paths: Set<ItemPath>) {
    guard paths != selection else { return }
    selection = paths
    changeHandler?()
  }
}

// MARK: Cells

extension TerminalList {
  func readCounts() {
    itemCounts = (0..<(content?.numberOfSections ?? 0)).map {
      content?.numberOfItems(inSection: $0) ?? 0
    }
  }

  /// Takes cells along to where a stage moves them, and lets those go that it renews.
  private func moveCells(
    _ difference: SnapshotDifference, _ map: PositionMap, marksChanges: Bool
  ) {
    let (oldCells, oldViews) = (cells, views)
    (cells, views) = ([:], [:])
    var departed: [(path: ItemPath, cell: TerminalCell)] = []
    for (path, cell) in oldCells.sorted(by: { $0.key < $1.key }) {
      if let target = map.newPath(forOld: path) {
        let isReloaded =
          difference.itemReloads.contains(path)
          || difference.sectionReloads.contains(path.section)
        if isReloaded { put(cell) } else { cells[target] = cell }
      } else if marksChanges, keepsGhosts(inOldSection: path.section, oldViews) {
        departed.append((path, cell))
      } else {
        put(cell)
      }
    }
    if let changeMarkExpiry {
      marks.move(by: map, departed: departed, until: changeMarkExpiry)
    }
    for (element, cell) in oldViews {
      if let target = target(of: element, difference, map) {
        views[target] = cell
      } else {
        put(cell)
      }
    }
  }

  /// Whether items that go may stay for a moment.
  ///
  /// Where badges and the like are counted through the section, a ghost would shift their numbers.
  private func keepsGhosts(
    inOldSection section: Int, _ views: [LayoutElement: TerminalCell]
  ) -> Bool {
    guard changeMarkDuration != nil else { return false }
    return !views.keys.contains { element in
      element.path.section == section && element.path != .layout
        && !boundaryKinds(ofSection: section).contains(element.kind ?? "")
    }
  }

  /// Where a header goes; `nil` if it is to be made anew, as badges always are.
  private func target(
    of element: LayoutElement, _ difference: SnapshotDifference, _ map: PositionMap
  ) -> LayoutElement? {
    guard case .supplementary(let kind, let path) = element else { return nil }
    if path == .layout { return element }
    guard boundaryKinds(ofSection: path.section).contains(kind),
      !difference.sectionReloads.contains(path.section),
      let section = map.newSection(forOld: path.section)
    else { return nil }
    return .supplementary(kind: kind, LayoutPath(section: section, item: path.item))
  }

  func put(_ cell: TerminalCell) {
    guard let identifier = cell.reuseIdentifier else { return }
    cell.lines = []
    freeCells[identifier, default: []].append(cell)
  }
}
