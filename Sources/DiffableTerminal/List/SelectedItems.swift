import Diffable

/// Which items of a list are shown as selected.
struct SelectedItems {
  private var paths: Set<ItemPath> = []

  func contains(_ path: ItemPath) -> Bool { paths.contains(path) }

  /// Selects exactly these items; answers whether that is a change.
  mutating func replace(with paths: Set<ItemPath>) -> Bool {
    defer { self.paths = paths }
    return paths != self.paths
  }

  /// Selects an item, or ends its selection; answers whether it is selected now, and whose selection
  /// has ended, in order.
  mutating func toggle(
    _ path: ItemPath, keepingOthers: Bool
  ) -> (isSelected: Bool, deselected: [ItemPath]) {
    if paths.remove(path) != nil { return (false, [path]) }
    let others = keepingOthers ? [] : paths.sorted()
    paths.subtract(others)
    paths.insert(path)
    return (true, others)
  }

  /// Goes along with items that a change moves.
  mutating func move(by map: PositionMap) { paths = Set(paths.compactMap(map.newPath(forOld:))) }
}
