import Diffable

/// The rows that a window has to check.
extension StepChange {
  /// The rows that enter and leave a window.
  ///
  /// Staying rows of staying sections keep their order, and so do those of each section that moves.
  /// Such rows that are in both the old and the new window are adjacent in both, if all others are
  /// left out. Rows before the first and after the last of these have arrived or left.
  ///
  /// - Complexity: O((c + d + m) · log n) for c changed rows of n, d rows that enter or leave the
  ///   window although they stay in the list, and m sections that move.
  func inWindow(_ window: RowWindow, _ rows: ChangedRows) -> ChangedRows {
    var rows = rows
    let leaving = Set(rows.leaving)
    var gone = leaving
    var come = Set(rows.entering)
    let oldWindow = window.indices(among: old.numberOfItems)
    let newWindow = window.indices(among: new.numberOfItems)
    /// Whether a row of the old window stays in the new one.
    func stays(_ path: ItemPath) -> Bool {
      guard !leaving.contains(path), let newPath = map.newPath(forOld: path) else { return false }
      return newWindow.contains(new.index(of: newPath))
    }
    /// Whether a row of the new window was in the old one and has not moved.
    func stayed(_ path: ItemPath) -> Bool {
      guard let oldPath = map.oldPath(forNew: path), !leaving.contains(oldPath) else {
        return false
      }
      return oldWindow.contains(old.index(of: oldPath))
    }
    forEachAtEnds(of: oldWindow, old, moved: difference.sectionMoves.map(\.from)) { path in
      guard !stays(path) else { return false }
      if gone.insert(path).inserted { rows.leaving.append(path) }
      return true
    }
    rows.entering.removeAll { !newWindow.contains(new.index(of: $0)) }
    forEachAtEnds(of: newWindow, new, moved: difference.sectionMoves.map(\.to)) { path in
      guard !stayed(path) else { return false }
      if come.insert(path).inserted { rows.entering.append(path) }
      return true
    }
    let entering = Set(rows.entering)
    rows.updated.removeAll {
      entering.contains($0) || !newWindow.contains(new.index(of: $0))
    }
    return rows
  }

  /// Calls a function with the rows at both ends of a window: the staying sections' and each moved
  /// section's.
  ///
  /// Each pass goes inwards from an end, and ends when the function returns `false`.
  private func forEachAtEnds(
    of window: Range<Int>, _ state: Input, moved: [Int], _ body: (ItemPath) -> Bool
  ) {
    func check(_ ranges: some BidirectionalCollection<Range<Int>>) {
      let indices = ranges.joined()
      _ = indices.first { !body(state.path(ofIndex: $0)) }
      _ = indices.last { !body(state.path(ofIndex: $0)) }
    }
    var staying = RangeSet(window)
    for section in moved {
      let start = state.index(of: ItemPath(section: section, item: 0))
      let rows = (start..<start + state.itemCount(ofSectionAt: section)).clamped(to: window)
      staying.remove(contentsOf: rows)
      check(CollectionOfOne(rows))
    }
    check(staying.ranges)
  }
}

extension Snapshot {
  /// The index of a path in the flat list over all sections.
  ///
  /// - Complexity: O(log s) for s sections.
  func index(of path: ItemPath) -> Int { order.totals(before: path.section).items + path.item }

  /// The path of an index in the flat list over all sections, which must exist.
  ///
  /// - Complexity: O(log² s) for s sections.
  func path(ofIndex index: Int) -> ItemPath {
    let next = (1..<numberOfSections).partitioningIndex { order.totals(before: $0).items > index }
    return ItemPath(section: next - 1, item: index - order.totals(before: next - 1).items)
  }
}
