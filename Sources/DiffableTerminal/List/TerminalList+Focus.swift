public import Diffable
import DiffableLayout
import DiffableViews

/// The item that the next key acts on.
struct Focus {
  var path: ItemPath
  /// What identifies the item, to find it again when the list is shown from scratch.
  var identity: AnyItemID?
  /// Where across the list the keys that move along it go on.
  var goal: Double
}

extension TerminalList {
  /// The item that has the focus; `nil` if none has.
  public var focusedItemPath: ItemPath? { focus?.path }

  /// Gives an item the focus and scrolls as little as it takes to show it; nothing happens where
  /// there is no such item.
  public func focus(on path: ItemPath) {
    guard allowsFocus, itemCounts.indices.contains(path.section),
      (0..<itemCounts[path.section]).contains(path.item)
    else { return }
    scrolling {
      setFocus(path, goal: nil)
      reveal(path)
    }
    changeHandler?()
  }

  /// Takes the focus away.
  public func removeFocus() {
    guard focus != nil else { return }
    focus = nil
    changeHandler?()
  }

  /// Selects the item that has the focus, or ends its selection.
  public func toggleSelection() {
    guard let path = focus?.path else { return }
    if selection.remove(path) != nil {
      content?.didDeselectItem(at: path)
    } else {
      let others = allowsMultipleSelection ? [] : selection.sorted()
      selection.subtract(others)
      selection.insert(path)
      for other in others { content?.didDeselectItem(at: other) }
      content?.didSelectItem(at: path)
    }
    changeHandler?()
  }

  /// Gives an item the focus, at a place across the list or at its own.
  func setFocus(_ path: ItemPath, goal: Double?) {
    revealAcross(marks.slot(of: path))
    let frame = frame(of: path)
    focus = Focus(
      path: path, identity: content?.identity(ofItemAt: path),
      goal: goal ?? frame.map { ($0.start(axis.cross) + $0.end(axis.cross)) / 2 } ?? 0)
  }

  /// Where a cell is, with its section scrolled as it is now.
  func frame(of path: ItemPath) -> LayoutRect? {
    let slot = marks.slot(of: path)
    guard var frame = solved?.frame(for: slot) else { return nil }
    if let row = solved?.orthogonalRow(ofSection: slot.section) {
      frame.move(row.axis, to: frame.start(row.axis) - offset(ofSection: slot.section, row))
    }
    return frame
  }

  /// Whether the item that has the focus is on the screen.
  var isFocusInSight: Bool { focus.map { cells[$0.path] != nil } ?? false }

  /// Scrolls to the item that has the focus if a change has taken it off the screen.
  func keepFocusInSight() {
    if let focus, cells[focus.path] == nil { reveal(focus.path) }
  }

  /// Scrolls so that an item is in sight and no header lies over it.
  func reveal(_ path: ItemPath) {
    // What comes into sight is measured, and moves the item again; a few steps settle it.
    for _ in 0..<TerminalList.revealingSteps {
      revealAcross(marks.slot(of: path))
      guard let frame = frame(of: path) else { return }
      let before = position
      position.reveal(Int(cells: frame.start(axis))..<Int(cells: frame.end(axis)))
      refresh()
      guard let now = self.frame(of: path) else { return }
      if let distance = distanceFromCover(now) {
        position.scroll(to: position.firstRow + distance)
        refresh()
      } else if now == frame, position == before {
        return
      }
    }
  }

  private static let revealingSteps = 8

  /// How far to scroll so that no pinned header lies over a frame; `nil` if none does.
  private func distanceFromCover(_ frame: LayoutRect) -> Int? {
    let cover = shown.first {
      $0.element.kind != nil && $0.zIndex > 0 && $0.frame.intersects(frame)
        && $0.frame != solved?.attributes(for: $0.element)?.frame
    }
    guard let cover = cover?.frame else { return nil }
    let isBefore = cover.start(axis) <= frame.start(axis)
    return Int(
      cells: isBefore
        ? frame.start(axis) - cover.end(axis) : frame.end(axis) - cover.start(axis))
  }

  // MARK: Changes

  /// Takes the focus along to where a change moves its item, or to a neighbour of an item that goes.
  func moveFocus(_ map: PositionMap) {
    guard let old = focus else { return }
    // An item that leaves a section that goes is found by its identity only.
    if let path = map.newPath(forOld: old.path) ?? pathAgain(of: old) {
      keepFocus(at: path)
    } else {
      focusNear(map.newGap(forOld: old.path) ?? old.path)
    }
  }

  /// Finds the item that had the focus in a list that is shown from scratch.
  func findFocusAgain() {
    guard let old = focus else { return }
    if let path = pathAgain(of: old) {
      keepFocus(at: path)
    } else {
      focusNear(old.path)
    }
  }

  /// Leaves the focus with its item, which may have got another identity.
  private func keepFocus(at path: ItemPath) {
    focus?.path = path
    focus?.identity = content?.identity(ofItemAt: path)
  }

  private func pathAgain(of focus: Focus) -> ItemPath? {
    focus.identity.flatMap { content?.itemPath(withIdentity: $0) }
  }

  /// Gives the focus to the item at a path, or to the last one before it.
  private func focusNear(_ path: ItemPath) {
    var section = min(path.section, itemCounts.count - 1)
    while section >= 0, itemCounts[section] == 0 { section -= 1 }
    let place =
      section >= 0
      ? ItemPath(
        section: section,
        item: min(section == path.section ? path.item : .max, itemCounts[section] - 1))
      : itemCounts.firstIndex { $0 > 0 }.map { ItemPath(section: $0, item: 0) }
    guard let place else {
      focus = nil
      return
    }
    keepFocus(at: place)
  }
}
