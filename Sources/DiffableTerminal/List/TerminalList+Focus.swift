public import Diffable
import DiffableLayout
import DiffableViews

extension TerminalList {
  /// The focused item; `nil` if there is none.
  public var focusedItemPath: ItemPath? { focus.path }

  /// Focuses an item and scrolls the minimum distance to show it.
  ///
  /// Nothing happens if there is no such item.
  public func focus(on path: ItemPath) {
    guard allowsFocus, arrangement.contains(path) else { return }
    scrolling {
      setFocus(path, goal: nil)
      reveal(path)
    }
    changeHandler?()
  }

  /// Removes the focus.
  public func removeFocus() {
    let isShown = focus.path != nil
    focus.remove()
    if isShown { showStates() }
  }

  /// Selects or deselects the focused item.
  package func toggleSelection() {
    guard let path = focus.path else { return }
    let (isSelected, deselected) = selection.toggle(path, keepingOthers: allowsMultipleSelection)
    if !deselected.isEmpty { content?.didDeselectItems(at: deselected) }
    if isSelected { content?.didSelectItems(at: [path]) }
    showStates()
  }

  /// Shows other states of cells, which may take another number of lines.
  func showStates() {
    refresh()
    changeHandler?()
  }

  /// Focuses an item, at a position across the list or at its own.
  func setFocus(_ path: ItemPath, goal: Double?) {
    revealAcross(path)
    let frame = frame(of: path)
    let goal = goal ?? frame.map { ($0.start(axis.cross) + $0.end(axis.cross)) / 2 } ?? 0
    focus.move(to: path, content?.identity(ofItemAt: path), goal: goal)
  }

  /// The frame of a cell, with the current offset of its section.
  func frame(of path: ItemPath) -> LayoutRect? {
    guard var frame = arrangement.frame(of: path) else { return nil }
    if let row = arrangement.row(ofSection: path.section) {
      let offset = offsets.offset(ofSection: path.section, row)
      frame.move(row.axis, to: frame.start(row.axis) - offset)
    }
    return frame
  }

  /// Whether the focused item is visible, or was before the batch if it may come back.
  var isFocusInSight: Bool {
    focus.path.map { visible[$0] != nil } ?? focus.isAwaitedInSight
  }

  /// Scrolls to the focused item if a change has moved it off the screen.
  ///
  /// A list that sticks to its end stays there.
  func keepFocusInSight() {
    if viewport.anchor != .end, let path = focus.path, visible[path] == nil { reveal(path) }
  }

  /// Scrolls so that an item is visible and no header covers it.
  func reveal(_ path: ItemPath) { show(.target(path, .nearest)) }

  /// Scrolls to an anchor.
  func show(_ anchor: ListAnchor) {
    if case .target(let path, _) = anchor { revealAcross(path) }
    viewport.hold(anchor)
    refresh()
  }

  /// Moves the focus along with its item, or to the row under which its row is folded away, or to a
  /// neighbour if the item was deleted.
  ///
  /// - Parameters:
  ///   - map: What has changed; `nil` if the list is shown from scratch.
  ///   - isLast: Whether the batch ends here. Until then, an item that is gone may come back.
  ///   - wasInSight: Whether the focused item was visible before the change.
  func moveFocus(_ map: PositionMap?, isLast: Bool, wasInSight: Bool) {
    let (old, item) = (focus.path, focus.awaited ?? focus.identity)
    guard old != nil || item != nil else { return }
    let next = old.flatMap { map?.newPath(forOld: $0) }
    // An item that leaves a deleted section, or is hidden, is found by its identity only.
    let own =
      (focus.awaited == nil ? next : nil)
      ?? item.flatMap { content?.itemPath(withIdentity: $0) }
    let path =
      own ?? item.flatMap { content?.itemPath(standingFor: $0) } ?? next
      ?? old.flatMap { arrangement.item(near: map?.newGap(forOld: $0) ?? $0) }
    let awaited = own == nil && !isLast ? item : nil
    if path != nil || awaited != nil {
      // The item may have received another identity.
      focus.follow(
        to: path, path.flatMap { content?.identity(ofItemAt: $0) }, awaiting: awaited,
        wasInSight: wasInSight)
    } else {
      focus.remove()
    }
  }
}
