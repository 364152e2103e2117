import Diffable
import DiffableLayout
import DiffableViews

extension TerminalList {
  /// Handles a key; returns `false` if it is not a key for lists.
  ///
  /// - The arrows and `h j k l` move the focus by rows and columns as displayed. In an item that is
  ///   longer than the list, they scroll by lines first.
  /// - Page Up and Page Down, or `b` and `f` or the space bar, move it by a screen.
  /// - Home and End, or `g` and `G`, move it to the first and the last item.
  /// - Enter selects or deselects the focused item. Escape removes the focus.
  /// - Shift with a key that moves the focus also selects all items from where the focus was, if
  ///   several items may be selected. More of such keys extend or shorten this range.
  ///
  /// In a section that scrolls across the list, the focused item is scrolled into view. In an
  /// outline, the right arrow expands a row or moves to its first child; the left arrow collapses
  /// it or moves to its parent. If nothing is focused yet, the first of these keys focuses the
  /// first visible item.
  public func press(_ key: Key) -> Bool {
    scrolling { follow(key) }
  }

  private func follow(_ key: Key) -> Bool {
    if case .shift(let key) = key { return extendSelection(by: key) }
    guard allowsFocus else { return scroll(key) }
    if key == .enter {
      guard let path = focus.path else { return false }
      // The user must see what is selected.
      reveal(path)
      toggleSelection()
      return true
    }
    if key == .escape, focus.path != nil {
      removeFocus()
      return true
    }
    guard let movement = Movement(key, axis: axis) else { return false }
    guard let path = focus.path, let frame = frame(of: path) else { return focusFirst(movement) }
    switch movement {
    case .along(let isForward):
      if isTooLong(path), hasMore(of: path, isForward) {
        scroll(by: isForward ? 1 : -1)
        changeHandler?()
        return true
      }
      moveAlong(from: frame, isForward, goal: focus.goal)
    case .across(let isForward):
      if let disclosure = content?.disclosure(ofItemAt: path) {
        return unfold(path, disclosure, isForward)
      }
      guard let next = neighbour(of: path, frame, isForward) else { return false }
      go(to: next, goal: nil)
    case .page(let isForward): page(from: path, isForward, goal: focus.goal)
    case .toStart: goToEnd(isForward: false)
    case .toEnd: goToEnd(isForward: true)
    }
    return true
  }

  /// Follows a key, and selects the items that the focus passes.
  private func extendSelection(by key: Key) -> Bool {
    let origin = focus.path
    guard follow(key) else { return false }
    guard allowsMultipleSelection, let origin, let path = focus.path, path != origin else {
      return true
    }
    content?.didExtendSelection(from: origin, to: path)
    return true
  }

  /// The effect of a key on the focus.
  private enum Movement {
    case along(isForward: Bool)
    case across(isForward: Bool)
    case page(isForward: Bool)
    case toStart
    case toEnd

    init?(_ key: Key, axis: LayoutAxis) {
      func arrow(_ own: LayoutAxis, _ isForward: Bool) -> Movement {
        own == axis ? .along(isForward: isForward) : .across(isForward: isForward)
      }
      switch key {
      case .up, .character("k"): self = arrow(.vertical, false)
      case .down, .character("j"): self = arrow(.vertical, true)
      case .left, .character("h"): self = arrow(.horizontal, false)
      case .right, .character("l"): self = arrow(.horizontal, true)
      case .pageUp, .character("b"): self = .page(isForward: false)
      case .pageDown, .character(" "), .character("f"): self = .page(isForward: true)
      case .home, .character("g"): self = .toStart
      case .end, .character("G"): self = .toEnd
      default: return nil
      }
    }
  }

  /// Scrolls by the lines of a key.
  private func scroll(_ key: Key) -> Bool {
    let page = max(1, viewport.length - 1)
    switch key {
    case .up, .character("k"): scroll(by: -1)
    case .down, .character("j"): scroll(by: 1)
    case .pageUp, .character("b"): scroll(by: -page)
    case .pageDown, .character(" "), .character("f"): scroll(by: page)
    case .home, .character("g"): show(.start)
    case .end, .character("G"): show(.end)
    default: return false
    }
    changeHandler?()
    return true
  }

  private func scroll(by distance: Double) {
    viewport.scroll(to: viewport.offset + distance)
    refresh()
  }

  private func go(to path: ItemPath, goal: Double?) {
    setFocus(path, goal: goal)
    // An item longer than the list is read line by line.
    if !isTooLong(path) || visible[path] == nil { reveal(path) } else { uncover(path) }
    changeHandler?()
  }

  /// Scrolls until a line of an item is visible that headers or footers cover as a whole.
  private func uncover(_ path: ItemPath) {
    // It may have another length with the focus.
    refresh()
    var rest = viewport.covered.start + viewport.covered.end
    while rest > 0, isCovered(path), let span = arrangement.span(of: path) {
      let isAtStart = span.upperBound <= viewport.offset + viewport.covered.start
      scroll(by: isAtStart ? -1 : 1)
      rest -= 1
    }
  }

  /// Whether a part of a visible item is beyond an end of the visible part.
  private func hasMore(of path: ItemPath, _ isForward: Bool) -> Bool {
    guard visible[path] != nil, let span = arrangement.span(of: path) else { return false }
    return isForward
      ? span.upperBound > viewport.visibleRange.upperBound - viewport.covered.end
      : span.lowerBound < viewport.offset + viewport.covered.start
  }

  /// Whether an item is longer than the part of the list that no header covers.
  ///
  /// Its header may be in its own place now, and will be pinned where the item reaches the start.
  private func isTooLong(_ path: ItemPath) -> Bool {
    guard let span = arrangement.span(of: path) else { return false }
    let covered = coveredLengths(at: span.lowerBound)
    let room = viewport.length - covered.start - covered.end
    return span.upperBound - span.lowerBound > room
  }

  private func isCovered(_ path: ItemPath) -> Bool {
    arrangement.span(of: path).map { viewport.isCovered(VisibleRow(path: path, span: $0)) } ?? false
  }

  /// Focuses the first visible item, or the last item of the list.
  private func focusFirst(_ movement: Movement) -> Bool {
    switch movement {
    case .across: return false
    case .toEnd: goToEnd(isForward: true)
    case .along, .page, .toStart:
      let row = viewport.rows.first { !viewport.isCovered($0) } ?? viewport.rows.first
      guard let path = row?.path else { break }
      go(to: path, goal: nil)
    }
    return true
  }

  private func goToEnd(isForward: Bool) {
    let end = isForward ? Int.max : 0
    guard let path = arrangement.item(near: ItemPath(section: end, item: end)) else { return }
    show(isForward ? .end : .start)
    go(to: path, goal: nil)
  }

  // MARK: Along the list

  /// Moves to the nearest item in the next row of items, or scrolls to the end if there is none.
  private func moveAlong(from frame: LayoutRect, _ isForward: Bool, goal: Double) {
    let start = isForward ? frame.end(axis) : frame.start(axis)
    var reach = max(1, viewport.length)
    while true {
      let range = isForward ? start..<start + reach : start - reach..<start
      let found = items(in: range).filter {
        isForward ? $0.frame.start(axis) >= start - 0.5 : $0.frame.end(axis) <= start + 0.5
      }
      let nearest = found.map { distance($0.frame, to: start, isForward) }.min()
      let row = found.filter { distance($0.frame, to: start, isForward) == nearest }
      if let best = row.min(by: { across($0.frame, goal) < across($1.frame, goal) }) {
        if visible[best.path] == nil { scroll(by: isForward ? 1 : -1) }
        return go(to: best.path, goal: goal)
      }
      let isOver =
        isForward ? range.upperBound >= viewport.contentLength : range.lowerBound <= 0
      if isOver { break }
      reach *= 2
    }
    // A header or footer after the last item must become visible too.
    show(isForward ? .end : .start)
    if let path = focus.path { reveal(path) }
    changeHandler?()
  }

  /// Moves by a screen and keeps one row of the old screen visible.
  ///
  /// The focus stays at its place on the screen, as far as the list can be scrolled.
  private func page(from path: ItemPath, _ isForward: Bool, goal: Double) {
    let length = max(1, viewport.length - 1)
    let former = distance(of: path)
    scroll(by: isForward ? length : -length)
    // What was measured meanwhile has not moved the rows on the screen.
    let rest = length - abs(distance(of: path) - former)
    let place = max(viewport.covered.start, min(former, viewport.length - 1))
    let line = viewport.offset + place + (isForward ? rest : -rest)
    guard (0..<viewport.contentLength).contains(line) else {
      return goToEnd(isForward: isForward)
    }
    // To show all of an item beyond the screen would scroll further, past lines never seen.
    func isBeyond(_ found: (path: ItemPath, frame: LayoutRect)) -> Bool {
      found.path == path && !isTooLong(path) || hasMore(of: found.path, isForward)
    }
    func rank(_ found: (path: ItemPath, frame: LayoutRect)) -> (Int, Double, Double) {
      (isBeyond(found) ? 1 : 0, along(found.frame, line), across(found.frame, goal))
    }
    let found = items(in: viewport.visibleRange)
    guard let best = found.min(by: { rank($0) < rank($1) }) else {
      // There are only headers of empty sections.
      if let frame = frame(of: path) { moveAlong(from: frame, isForward, goal: goal) }
      return
    }
    if !isBeyond(best) { return go(to: best.path, goal: goal) }
    setFocus(best.path, goal: goal)
    uncover(best.path)
    changeHandler?()
  }

  /// The distance from the start of the visible part to an item.
  private func distance(of path: ItemPath) -> Double {
    (arrangement.span(of: path)?.lowerBound ?? 0) - viewport.offset
  }

  /// The items in a part of the list that are visible in their sections.
  func items(in range: Range<Double>) -> [(path: ItemPath, frame: LayoutRect)] {
    var rect = visibleBounds
    rect.move(axis, to: range.lowerBound)
    if axis == .vertical {
      rect.height = range.upperBound - range.lowerBound
    } else {
      rect.width = range.upperBound - range.lowerBound
    }
    return elements(in: rect).compactMap { attributes in
      arrangement.item(of: attributes.element).map { ($0, attributes.frame) }
    }
  }

  private func distance(_ frame: LayoutRect, to start: Double, _ isForward: Bool) -> Double {
    isForward ? frame.start(axis) - start : start - frame.end(axis)
  }

  /// The distance of a frame from a line of the list.
  private func along(_ frame: LayoutRect, _ line: Double) -> Double {
    max(0, frame.start(axis) - line, line + 1 - frame.end(axis))
  }

  /// The distance of a frame from a position across the list.
  private func across(_ frame: LayoutRect, _ goal: Double) -> Double {
    max(0, frame.start(axis.cross) - goal, goal - frame.end(axis.cross))
  }

  // MARK: Across the list

  /// Expands or collapses a row of an outline, or moves to its first child or its parent.
  private func unfold(_ path: ItemPath, _ disclosure: Disclosure, _ isForward: Bool) -> Bool {
    if disclosure.isExpandable, disclosure.isExpanded != isForward {
      content?.setExpanded(isForward, ofItemAt: path)
      return true
    }
    func level(_ item: Int) -> Int? {
      content?.disclosure(ofItemAt: ItemPath(section: path.section, item: item))?.level
    }
    let target =
      isForward
      ? level(path.item + 1).flatMap { $0 > disclosure.level ? path.item + 1 : nil }
      : (disclosure.level > 0 ? 0..<path.item : 0..<0).last {
        level($0).map { $0 < disclosure.level } ?? false
      }
    guard let target else { return false }
    go(to: ItemPath(section: path.section, item: target), goal: nil)
    return true
  }

  /// The maximum number of items that are checked to find the next one beside another.
  private static let longestGroup = 64

  /// The item beside another one in its section.
  private func neighbour(
    of path: ItemPath, _ frame: LayoutRect, _ isForward: Bool
  ) -> ItemPath? {
    let cross = axis.cross
    for step in 1...TerminalList.longestGroup {
      let next = ItemPath(section: path.section, item: path.item + (isForward ? step : -step))
      guard arrangement.contains(next) else { return nil }
      guard let other = self.frame(of: next) else { continue }
      let isBeside =
        isForward
        ? other.start(cross) >= frame.end(cross) - 0.5
        : other.end(cross) <= frame.start(cross) + 0.5
      let isLevel = other.start(axis) < frame.end(axis) && other.end(axis) > frame.start(axis)
      if isBeside, isLevel { return next }
    }
    return nil
  }
}
