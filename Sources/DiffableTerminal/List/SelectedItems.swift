import Diffable

/// The selected items of a list.
struct SelectedItems {
  private var paths: Set<ItemPath> = []

  func contains(_ path: ItemPath) -> Bool { paths.contains(path) }

  /// Selects exactly these items; returns whether that is a change.
  mutating func replace(with paths: Set<ItemPath>) -> Bool {
    defer { self.paths = paths }
    return paths != self.paths
  }

  /// Selects or deselects an item.
  ///
  /// Returns whether it is selected now, and the items that were deselected, in order.
  mutating func toggle(
    _ path: ItemPath, keepingOthers: Bool
  ) -> (isSelected: Bool, deselected: [ItemPath]) {
    if paths.remove(path) != nil { return (false, [path]) }
    let others = keepingOthers ? [] : paths.sorted()
    paths.subtract(others)
    paths.insert(path)
    return (true, others)
  }

  /// Follows items that a change moves.
  mutating func move(by map: PositionMap) { paths = Set(paths.compactMap(map.newPath(forOld:))) }
}
