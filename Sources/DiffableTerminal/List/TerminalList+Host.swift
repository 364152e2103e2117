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
  public func reset(keeping anchor: ListAnchor) {
    let showedFocus = isFocusInSight
    arrangement.reset(itemCounts: countItems())
    visible.reset()
    (selection, marks) = (SelectedItems(), ChangeMarks())
    offsets.findAgain(in: content)
    moveFocus(nil, isLast: true, wasInSight: showedFocus)
    show(anchor)
    if showedFocus { keepFocusInSight() }
    prefetch()
    changeHandler?()
  }

  /// Shows a stage at once.
  public func perform(_ stage: ListStage) {
    let showedFocus = isFocusInSight
    let map = PositionMap(stage.difference)
    cancelPrefetching(before: map)
    stage.begin()
    let departed = visible.move(
      by: stage.difference, map, in: arrangement,
      leavesGhosts: stage.isAnimated && changeMarkDuration != nil)
    marks.move(by: map)
    offsets.follow(stage.difference, map, itemCounts: arrangement.itemCounts)
    arrangement.follow(
      stage.difference, map, itemCounts: countItems(), departed: departed,
      until: changeMarkExpiry ?? clock.now)
    selection.move(by: map)
    moveFocus(map, isLast: stage.isLast, wasInSight: showedFocus)
    show(stage.anchor)
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

  /// Scrolls to an anchor at once.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    scrolling { show(anchor) }
    changeHandler?()
  }

  /// Shows exactly these items as selected.
  public func showSelection(_ paths: ItemPathSet) {
    if selection.replace(with: paths) { showStates() }
  }

  /// The number of items in each section, as returned by the content.
  private func countItems() -> [Int] {
    (0..<(content?.numberOfSections ?? 0)).map { content?.numberOfItems(inSection: $0) ?? 0 }
  }
}

extension TerminalList: SelectingHost {}
