import Diffable

/// The selected items of a list.
struct SelectedItems {
  private var paths = ItemPathSet()

  func contains(_ path: ItemPath) -> Bool { paths.contains(path) }

  /// Selects exactly these items; returns whether that is a change.
  mutating func replace(with paths: ItemPathSet) -> Bool {
    defer { self.paths = paths }
    return paths != self.paths
  }

  /// Selects or deselects an item.
  ///
  /// Returns whether it is selected now, and the items that were deselected.
  mutating func toggle(
    _ path: ItemPath, keepingOthers: Bool
  ) -> (isSelected: Bool, deselected: ItemPathSet) {
    if paths.contains(path) {
      paths = paths.subtracting([path])
      return (false, [path])
    }
    let others = keepingOthers ? [] : paths
    paths = paths.subtracting(others).union([path])
    return (true, others)
  }

  /// Follows items that a change moves.
  mutating func move(by map: PositionMap) { paths = map.newPaths(forOld: paths) }
}
