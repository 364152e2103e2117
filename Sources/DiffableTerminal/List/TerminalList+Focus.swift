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
    guard focus.path != nil else { return }
    focus.remove()
    changeHandler?()
  }

  /// Selects or deselects the focused item.
  package func toggleSelection() {
    guard let path = focus.path else { return }
    let (isSelected, deselected) = selection.toggle(path, keepingOthers: allowsMultipleSelection)
    if !deselected.isEmpty { content?.didDeselectItems(at: deselected) }
    if isSelected { content?.didSelectItems(at: [path]) }
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

  /// Whether the focused item is visible.
  var isFocusInSight: Bool { focus.path.map { visible[$0] != nil } ?? false }

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
  /// - Parameter map: What has changed; `nil` if the list is shown from scratch.
  func moveFocus(_ map: PositionMap?) {
    guard let old = focus.path else { return }
    // An item that leaves a deleted section, or is hidden, is found by its identity only.
    let again =
      map?.newPath(forOld: old) ?? focus.identity.flatMap { content?.itemPath(standingFor: $0) }
    if let path = again ?? arrangement.item(near: map?.newGap(forOld: old) ?? old) {
      // The item may have received another identity.
      focus.follow(to: path, content?.identity(ofItemAt: path))
    } else {
      focus.remove()
    }
  }
}
