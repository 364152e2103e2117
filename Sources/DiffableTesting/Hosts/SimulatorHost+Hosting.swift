public import Diffable
public import DiffableViews

extension SimulatorHost: ListHost {
  /// Whether the view is in a window and has been laid out.
  public var takesStages: Bool { isInWindow && isLaidOut }
  /// The number of sections that the view shows.
  public var numberOfSections: Int { view.shown.numberOfSections }

  /// Releases all cells and requests everything again.
  public func reset(keeping anchor: ListAnchor) {
    reportOverlap()
    resetCount += 1
    view.reset(to: answers())
    for path in Array(cells.keys) { dropCell(at: path) }
    dropSupplementaryViews { _ in true }
    selectedItemPaths = []
    scroll(to: anchor, isAnimated: false)
  }

  /// Checks a stage, shows it, and ends it, unless stages are held.
  public func perform(_ stage: ListStage) {
    reportOverlap()
    stageCount += 1
    let before = answers()
    stage.begin()
    let after = answers()
    view.isInWindow = isInWindow
    view.isLaidOut = isLaidOut
    violations += view.perform(
      [UpdateStage(difference: stage.difference, snapshot: after)], from: before)
    moveViews(through: stage.difference)
    scroll(to: stage.anchor, isAnimated: false)
    guard holdsStages else { return stage.end() }
    heldStage = stage
    for observer in stageObservers { observer.resume() }
    stageObservers = []
  }

  /// A reused or new cell.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> Cell? {
    store.view(of: kind) as? Cell
  }

  /// A reused or new supplementary view.
  public func dequeueSupplementaryView(
    of kind: ReuseKind, for path: ItemPath
  ) -> SupplementaryView? {
    store.view(of: kind) as? SupplementaryView
  }

  /// The identifier with which a cell was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(of cell: Cell) -> String? { store.identifier(of: cell) }

  /// The identifier with which a supplementary view was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: SupplementaryView) -> String? {
    store.identifier(of: view)
  }

  /// The paths of the visible rows.
  public var visibleItemPaths: [ItemPath] { paths(ofRows: visibleRows) }

  /// The cell at a path; `nil` if it is not visible.
  public func cell(at path: ItemPath) -> Cell? { cells[path] ?? nil }

  /// The supplementary view of a visible section.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> SupplementaryView? {
    path.item == 0 ? supplementaryViews[kind]?[path.section] ?? nil : nil
  }

  /// Scrolls to an anchor at once.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    viewport.hold(anchor)
    load()
  }

  /// Shows exactly these items as selected.
  public func showSelection(_ paths: ItemPathSet) { selectedItemPaths = paths }
}
