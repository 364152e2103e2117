import Diffable
import DiffableLayout
import DiffableViews

/// The visible elements, with their cells and headers, and the cells that can be reused.
///
/// It is a class for the same reason as ``Arrangement``.
@MainActor
final class VisibleCells {
  /// The visible elements, as the layout returns them.
  private(set) var attributes: [LayoutAttributes] = []
  private var cells: [ItemPath: TerminalCell] = [:]
  /// Supplementary views.
  private var views: [LayoutElement: TerminalCell] = [:]
  private var free: [String: [TerminalCell]] = [:]

  /// The cell of an item.
  subscript(path: ItemPath) -> TerminalCell? { cells[path] }

  /// A header, badge or other supplementary view.
  subscript(element: LayoutElement) -> TerminalCell? { views[element] }

  /// The paths of supplementary views of some sections, in order.
  func supplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath] {
    views.keys.filter { $0.kind == kind && sections.contains($0.path.section) }
      .map { ItemPath(section: $0.path.section, item: $0.path.item) }.sorted()
  }

  /// Takes a reusable cell.
  func takeFree(_ identifier: String) -> TerminalCell? { free[identifier]?.popLast() }

  func add(_ cell: TerminalCell, at path: ItemPath) { cells[path] = cell }

  func add(_ view: TerminalCell, as element: LayoutElement) { views[element] = view }

  /// Releases cells that are no longer visible.
  func show(_ attributes: [LayoutAttributes], in arrangement: Arrangement) {
    self.attributes = attributes
    let items = Set(attributes.compactMap { arrangement.item(of: $0.element) })
    for (path, cell) in cells where !items.contains(path) {
      cells[path] = nil
      put(cell)
    }
    let elements = Set(attributes.map(\.element))
    for (element, view) in views where !elements.contains(element) {
      views[element] = nil
      put(view)
    }
  }

  /// Releases all cells.
  func reset() {
    for cell in Array(cells.values) + Array(views.values) { put(cell) }
    (cells, views) = ([:], [:])
  }

  /// Moves cells to their places after a stage, and releases those that it renews.
  ///
  /// - Parameters:
  ///   - difference: The difference of the stage.
  ///   - map: The position map of the difference.
  ///   - arrangement: Knows which headers move with their sections.
  ///   - leavesGhosts: Whether deleted items may stay as ghosts.
  /// - Returns: The cells of the ghosts, in order.
  func move(
    by difference: SnapshotDifference, _ map: PositionMap, in arrangement: Arrangement,
    leavesGhosts: Bool
  ) -> [(path: ItemPath, cell: TerminalCell)] {
    let (oldCells, oldViews) = (cells, views)
    (cells, views) = ([:], [:])
    var departed: [(path: ItemPath, cell: TerminalCell)] = []
    for (path, cell) in oldCells.sorted(by: { $0.key < $1.key }) {
      if let target = map.newPath(forOld: path) {
        let isReloaded =
          difference.itemReloads.contains(path)
          || difference.sectionReloads.contains(path.section)
        if isReloaded { put(cell) } else { cells[target] = cell }
      } else if leavesGhosts, !oldViews.keys.contains(where: { isBadge($0, of: path, arrangement) })
      {
        departed.append((path, cell))
      } else {
        put(cell)
      }
    }
    for (element, cell) in oldViews {
      if let target = target(of: element, difference, map, arrangement) {
        views[target] = cell
      } else {
        put(cell)
      }
    }
    return departed
  }

  /// Whether a view is a badge or similar in the section of an item.
  ///
  /// Badges are numbered through the section, and a ghost would shift their numbers.
  private func isBadge(
    _ element: LayoutElement, of path: ItemPath, _ arrangement: Arrangement
  ) -> Bool {
    element.path.section == path.section && element.path != .layout
      && !arrangement.boundaryKinds(ofSection: path.section).contains(element.kind ?? "")
  }

  /// The element of a header after a change; `nil` if it is made again, as badges always are.
  private func target(
    of element: LayoutElement, _ difference: SnapshotDifference, _ map: PositionMap,
    _ arrangement: Arrangement
  ) -> LayoutElement? {
    guard case .supplementary(let kind, let path) = element else { return nil }
    if path == .layout { return element }
    guard arrangement.boundaryKinds(ofSection: path.section).contains(kind),
      !difference.sectionReloads.contains(path.section),
      let section = map.newSection(forOld: path.section)
    else { return nil }
    return .supplementary(kind: kind, LayoutPath(section: section, item: path.item))
  }

  private func put(_ cell: TerminalCell) {
    guard let identifier = cell.reuseIdentifier else { return }
    cell.lines = []
    free[identifier, default: []].append(cell)
  }
}
