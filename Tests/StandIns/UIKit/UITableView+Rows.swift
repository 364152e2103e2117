import Diffable
import StandInSupport

extension UITableView {
  /// developer.apple.com/documentation/uikit/uitableview/register(_:forcellreuseidentifier:)-3l3ct
  public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    registeredClasses["cell " + identifier] = cellClass
  }

  /// developer.apple.com/documentation/uikit/uitableview/register(_:forheaderfooterviewreuseidentifier:)-20ybb
  public func register(_ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {
    registeredClasses["header " + identifier] = aClass
  }

  /// developer.apple.com/documentation/uikit/uitableview/register(_:forcellreuseidentifier:)-5q6bo
  public func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {
    registeredClasses["cell " + identifier] = nib.map { _ in UITableViewCell.self }
  }

  /// developer.apple.com/documentation/uikit/uitableview/register(_:forheaderfooterviewreuseidentifier:)-1rgvc
  public func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {
    registeredClasses["header " + identifier] = nib.map { _ in UITableViewHeaderFooterView.self }
  }

  /// developer.apple.com/documentation/uikit/uitableview/dequeuereusablecell(withidentifier:for:)
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell {
    if let reconfigured {
      if reconfigured.reuseIdentifier != identifier {
        raise(.init("A row that is reconfigured must keep the reuse identifier of its cell."))
      }
      return reconfigured
    }
    guard let cellClass = registeredClasses["cell " + identifier] as? UITableViewCell.Type else {
      fatalError(
        "unable to dequeue a cell with identifier \(identifier) - must register a nib or a class "
          + "for the identifier or connect a prototype cell in a storyboard")
    }
    let cell =
      freeCells[identifier]?.popLast()
      ?? cellClass.init(style: .default, reuseIdentifier: identifier)
    cell.prepareForReuse()
    return cell
  }

  /// developer.apple.com/documentation/uikit/uitableview/dequeuereusableheaderfooterview(withidentifier:)
  public func dequeueReusableHeaderFooterView(
    withIdentifier identifier: String
  ) -> UITableViewHeaderFooterView? {
    (registeredClasses["header " + identifier] as? UITableViewHeaderFooterView.Type)?
      .init(reuseIdentifier: identifier)
  }

  func free(_ cell: UITableViewCell) {
    cell.removeFromSuperview()
    guard let identifier = cell.reuseIdentifier else { return }
    freeCells[identifier, default: []].append(cell)
  }

  func layOutRows() {
    let list = belief.list
    var visible: [IndexPath] = []
    for _ in 0..<100 {
      contentSize = CGSize(width: bounds.width, height: start(ofSection: list.sections.count))
      fitOffset()
      visible = indexPathsForRows(in: bounds) ?? []
      prepared =
        habits.contains(.preparesNextCell)
        ? visible.last.flatMap { list.id(after: $0.itemPath) } : nil
      let ids = Set(visible.compactMap(id(at:)) + [prepared].compactMap(\.self))
      for (id, cell) in cells where !ids.contains(id) {
        cells[id] = nil
        free(cell)
      }
      for path in visible { showRow(at: path) }
      if let path = prepared.flatMap(list.path(of:)) {
        showRow(at: IndexPath(row: path.item, section: path.section))
      }
      guard measure() else { break }
    }
    let asks = habits.contains(.asksForHeadersAndFooters)
    let sections = Set(visible.map(\.section))
    for (index, section) in list.sections.enumerated() {
      let isVisible = sections.contains(index)
      if asks || sectionHeaderHeight > 0 {
        show(&headers, of: section.id, isVisible) {
          delegate?.tableView(self, viewForHeaderInSection: index)
        }
      }
      if asks {
        show(&footers, of: section.id, isVisible) {
          delegate?.tableView(self, viewForFooterInSection: index)
        }
      }
    }
    prefetch(list)
  }

  /// Measures the cells on the screen; answers whether one has another height than before.
  private func measure() -> Bool {
    guard let fittingHeight else { return false }
    let former = heights
    for (id, cell) in cells { heights[id] = fittingHeight(cell) }
    return heights != former
  }

  private func show(
    _ views: inout [Int: UIView], of section: Int, _ isVisible: Bool, ask: () -> UIView?
  ) {
    if !isVisible {
      views.removeValue(forKey: section)?.removeFromSuperview()
    } else if views[section] == nil, let view = ask() {
      views[section] = view
      addSubview(view)
    }
  }

  private func showRow(at path: IndexPath) {
    guard let id = id(at: path), cells[id] == nil, let dataSource else { return }
    let cell = dataSource.tableView(self, cellForRowAt: path)
    if cells.values.contains(where: { $0 === cell }) {
      raise(.init("The data source gave the same cell for two rows."))
    }
    cell.frame = rectForRow(at: path)
    cells[id] = cell
    addSubview(cell)
  }

  private func prefetch(_ list: ShownList) {
    guard let prefetchDataSource else { return }
    let near = (indexPathsForRows(in: bounds.offsetBy(dx: 0, dy: bounds.height)) ?? [])
      .map(\.itemPath)
    let (new, gone) = prefetched.update(near: near, besides: cells.keys, in: list)
    func indexPaths(_ paths: [ItemPath]) -> [IndexPath] {
      paths.map { IndexPath(row: $0.item, section: $0.section) }
    }
    if !new.isEmpty { prefetchDataSource.tableView(self, prefetchRowsAt: indexPaths(new)) }
    if !gone.isEmpty {
      prefetchDataSource.tableView(self, cancelPrefetchingForRowsAt: indexPaths(gone))
    }
  }

  /// developer.apple.com/documentation/uikit/uitableview/indexpathsforselectedrows
  public var indexPathsForSelectedRows: [IndexPath]? {
    let paths = selected.compactMap { belief.shown?.path(of: $0) }
    return paths.isEmpty ? nil : paths.map { IndexPath(row: $0.item, section: $0.section) }
  }

  /// developer.apple.com/documentation/uikit/uitableview/selectrow(at:animated:scrollposition:)
  public func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: UITableView.ScrollPosition
  ) {
    if !allowsMultipleSelection { selected = [] }
    if let id = indexPath.flatMap({ belief.item(at: $0.itemPath, habits) }) { selected.insert(id) }
  }

  /// developer.apple.com/documentation/uikit/uitableview/deselectrow(at:animated:)
  public func deselectRow(at indexPath: IndexPath, animated: Bool) {
    if let id = belief.item(at: indexPath.itemPath, habits) { selected.remove(id) }
  }
}
