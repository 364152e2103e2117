public import Diffable
import DiffableLayout
public import DiffableViews

extension TerminalList: ListHost {
  /// The stages of a collection view: the list is drawn again after each.
  public var profile: ListProfile { .collectionView }
  /// Returns `true`: a terminal can always be updated.
  public var takesStages: Bool { true }
  /// The number of all sections, visible or not.
  public var numberOfSections: Int { arrangement.itemCounts.count }

  /// Requests everything again.
  public func reset(keeping anchor: ListAnchor?) {
    let showedFocus = isFocusInSight
    arrangement.reset(itemCounts: countItems())
    visible.reset()
    (selection, marks) = (SelectedItems(), ChangeMarks())
    if !offsets.isEmpty {
      offsets.findAgain(
        among: arrangement.itemCounts.indices.map { content?.identity(ofSectionAt: $0) })
    }
    moveFocus(nil)
    refresh(keeping: anchor)
    if showedFocus { keepFocusInSight() }
    prefetch()
    changeHandler?()
  }

  /// Shows a stage at once.
  public func perform(_ stage: ListStage) {
    let (places, showedFocus) = (orthogonalPlaces(), isFocusInSight)
    let map = PositionMap(stage.difference)
    cancelPrefetching(before: map)
    stage.begin()
    let expiry = changeMarkExpiry
    let departed = visible.move(
      by: stage.difference, map, in: arrangement, leavesGhosts: stage.isAnimated && expiry != nil)
    if expiry != nil { marks.move(by: map) }
    arrangement.follow(
      stage.difference, map, itemCounts: countItems(), departed: departed, until: expiry)
    selection.move(by: map)
    moveFocus(map)
    offsets.move(by: map)
    offsets.restore(places, in: arrangement) { path in
      let target = map.newPath(forOld: path)
      // An item that moves to another section does not bring its section along.
      return target?.section == map.newSection(forOld: path.section) ? target : nil
    }
    refresh(keeping: stage.anchor)
    if showedFocus { keepFocusInSight() }
    if stage.isAnimated { markChanges(of: stage.difference, map) }
    awaitExpiry()
    prefetch()
    changeHandler?()
    stage.end()
  }

  /// A reused or new cell.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> TerminalCell? {
    visible.takeFree(kind.identifier) ?? TerminalCell(reuseIdentifier: kind.identifier)
  }

  /// A reused or new header.
  public func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> TerminalCell? {
    dequeueCell(of: kind, for: path)
  }

  /// The identifier with which a cell was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(of cell: TerminalCell) -> String? { cell.reuseIdentifier }

  /// The identifier with which a header was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: TerminalCell) -> String? {
    view.reuseIdentifier
  }

  /// The paths of the visible items, including those that a header covers.
  public var visibleItemPaths: [ItemPath] {
    visible.attributes.compactMap { arrangement.item(of: $0.element) }.sorted()
  }

  /// The cell of a visible item.
  public func cell(at path: ItemPath) -> TerminalCell? { visible[path] }

  /// A visible header, badge or other supplementary view.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> TerminalCell? {
    visible[.supplementary(kind: kind, LayoutPath(path))]
  }

  /// The paths of the visible supplementary views of a kind.
  ///
  /// Views of the whole layout are numbered after those of the first section.
  public func visibleSupplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath] {
    visible.supplementaryViewPaths(ofKind: kind, inSections: sections)
  }

  /// The visible items, unless the list is scrolled to its beginning.
  ///
  /// The focused item is first, then the items that no header covers.
  public var anchors: [ListAnchor] {
    guard position.firstRow > 0 else { return [] }
    let covers = visible.attributes.filter { $0.element.kind != nil }
    var anchors: [(rank: Int, path: ItemPath, position: Double)] = []
    for attributes in visible.attributes {
      guard let path = arrangement.item(of: attributes.element) else { continue }
      let isCovered = covers.contains {
        $0.zIndex > attributes.zIndex && $0.frame.intersects(attributes.frame)
      }
      let start = attributes.frame.start(axis)
      let rank = path == focus.path ? 0 : isCovered ? 2 : 1
      anchors.append((rank, path, start - Double(position.firstRow)))
    }
    anchors.sort { ($0.rank, $0.path) < ($1.rank, $1.path) }
    return anchors.map { ListAnchor(path: $0.path, position: $0.position) }
  }

  /// Shows exactly these items as selected.
  public func showSelection(_ paths: Set<ItemPath>) {
    if selection.replace(with: paths) { changeHandler?() }
  }

  /// The number of items in each section, as returned by the content.
  private func countItems() -> [Int] {
    (0..<(content?.numberOfSections ?? 0)).map { content?.numberOfItems(inSection: $0) ?? 0 }
  }
}
