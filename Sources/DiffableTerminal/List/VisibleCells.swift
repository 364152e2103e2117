import Diffable
import DiffableLayout
import DiffableViews

/// What is on the screen, with its cells and headers, and those that can be used again.
///
/// It is a class for the same reason as ``Arrangement``.
@MainActor
final class VisibleCells {
  /// What is on the screen, as the layout says.
  private(set) var attributes: [LayoutAttributes] = []
  private var cells: [ItemPath: TerminalCell] = [:]
  /// Headers and the like.
  private var views: [LayoutElement: TerminalCell] = [:]
  private var free: [String: [TerminalCell]] = [:]

  /// The cell of an item.
  subscript(path: ItemPath) -> TerminalCell? { cells[path] }

  /// A header, badge or the like.
  subscript(element: LayoutElement) -> TerminalCell? { views[element] }

  /// Where there are headers or the like of some sections, in order.
  func supplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath] {
    views.keys.filter { $0.kind == kind && sections.contains($0.path.section) }
      .map { ItemPath(section: $0.path.section, item: $0.path.item) }.sorted()
  }

  /// Takes a cell that has left the screen.
  func takeFree(_ identifier: String) -> TerminalCell? { free[identifier]?.popLast() }

  func add(_ cell: TerminalCell, at path: ItemPath) { cells[path] = cell }

  func add(_ view: TerminalCell, as element: LayoutElement) { views[element] = view }

  /// Lets those go that are not visible any longer.
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

  /// Lets all cells go.
  func reset() {
    for cell in Array(cells.values) + Array(views.values) { put(cell) }
    (cells, views) = ([:], [:])
  }

  /// Takes cells along to where a stage moves them, and lets those go that it renews.
  ///
  /// - Parameters:
  ///   - difference: The stage.
  ///   - map: The same.
  ///   - arrangement: Says which headers go with their sections.
  ///   - leavesGhosts: Whether items that go may stay for a moment.
  /// - Returns: The cells of those that do, in order.
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

  /// Whether a view is a badge or the like in the section of an item.
  ///
  /// Those are counted through the section, and a ghost would shift their numbers.
  private func isBadge(
    _ element: LayoutElement, of path: ItemPath, _ arrangement: Arrangement
  ) -> Bool {
    element.path.section == path.section && element.path != .layout
      && !arrangement.boundaryKinds(ofSection: path.section).contains(element.kind ?? "")
  }

  /// Where a header goes; `nil` if it is to be made anew, as badges always are.
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
