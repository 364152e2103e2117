/// The rows that a window has to check.
extension StepChange {
  /// The rows that enter and leave a window.
  ///
  /// Staying rows keep their order, so the rows that are in both the old and the new window are
  /// adjacent in both. Rows before the first and after the last of these have arrived or left.
  ///
  /// - Complexity: O((c + d) · log n) for c changed rows of n, and d rows that the window loses or
  ///   gains at its ends; d is at most c as long as some row stays in it.
  func inWindow(_ window: Range<Int>, _ rows: ChangedRows) -> ChangedRows {
    var rows = rows
    let leaving = Set(rows.leaving)
    var gone = leaving
    var come = Set(rows.entering)
    let oldWindow = window.clamped(to: 0..<old.numberOfItems)
    let newWindow = window.clamped(to: 0..<new.numberOfItems)
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
    forEachAtEnds(of: oldWindow) { index in
      let path = old.path(ofIndex: index)
      guard !stays(path) else { return false }
      if gone.insert(path).inserted { rows.leaving.append(path) }
      return true
    }
    rows.entering.removeAll { !newWindow.contains(new.index(of: $0)) }
    forEachAtEnds(of: newWindow) { index in
      let path = new.path(ofIndex: index)
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
}

/// Calls a function with indices from the first on, then from the last on backwards.
///
/// Each pass ends when the function returns `false`.
private func forEachAtEnds(of range: Range<Int>, _ body: (Int) -> Bool) {
  _ = range.first { !body($0) }
  _ = range.last { !body($0) }
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
    var (low, high) = (0, numberOfSections)
    while high - low > 1 {
      let middle = (low + high) / 2
      if order.totals(before: middle).items <= index { low = middle } else { high = middle }
    }
    return ItemPath(section: low, item: index - order.totals(before: low).items)
  }
}
