import Diffable
import DiffableTesting
import StandInSupport

extension UITableView {
  /// developer.apple.com/documentation/uikit/uitableview/performbatchupdates(_:completion:)
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    batchUpdateCount += 1
    update { updates?() }
    end(completion)
  }

  /// developer.apple.com/documentation/uikit/uitableview/performbatchupdates(_:completion:)
  public func performBatchUpdates(_ updates: (() -> Void)?) async -> Bool {
    await withCheckedContinuation { done in
      performBatchUpdates(updates) { done.resume(returning: $0) }
    }
  }

  /// developer.apple.com/documentation/uikit/uitableview/insertsections(_:with:)
  public func insertSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    call(sections.map { .insertSection($0) })
  }

  /// developer.apple.com/documentation/uikit/uitableview/deletesections(_:with:)
  public func deleteSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    call(sections.map { .deleteSection($0) })
  }

  /// developer.apple.com/documentation/uikit/uitableview/reloadsections(_:with:)
  public func reloadSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    call(sections.map { .reloadSection($0) })
  }

  /// developer.apple.com/documentation/uikit/uitableview/movesection(_:tosection:)
  public func moveSection(_ section: Int, toSection newSection: Int) {
    call([.moveSection(Move(from: section, to: newSection))])
  }

  /// developer.apple.com/documentation/uikit/uitableview/insertrows(at:with:)
  public func insertRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    call(indexPaths.map { .insertItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/uikit/uitableview/deleterows(at:with:)
  public func deleteRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    call(indexPaths.map { .deleteItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/uikit/uitableview/reloadrows(at:with:)
  public func reloadRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    call(indexPaths.map { .reloadItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/uikit/uitableview/moverow(at:to:)
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    call([.moveItem(Move(from: indexPath.itemPath, to: newIndexPath.itemPath))])
  }

  /// developer.apple.com/documentation/uikit/uitableview/reconfigurerows(at:)
  public func reconfigureRows(at indexPaths: [IndexPath]) {
    call(indexPaths.map { .reconfigureItem($0.itemPath) })
  }

  private func call(_ calls: [ListOperation]) {
    guard !calls.isEmpty, !belief.add(calls) else { return }
    update { call(calls) }
  }

  func update(_ body: () -> Void) {
    let (calls, outcome) = belief.update(body)
    let list = belief.list
    let ids = list.itemIDs
    for (id, cell) in cells where !ids.contains(id) || outcome.renewedItems.contains(id) {
      cells[id] = nil
      free(cell)
    }
    let sections = Set(list.sections.map(\.id)).subtracting(outcome.renewedSections)
    for (id, view) in headers where !sections.contains(id) {
      headers[id] = nil
      view.removeFromSuperview()
    }
    for (id, view) in footers where !sections.contains(id) {
      footers[id] = nil
      view.removeFromSuperview()
    }
    selected.formIntersection(ids)
    prefetched.keep(ids)
    for case .reconfigureItem(let path) in calls { reconfigure(path) }
    setNeedsLayout()
    layoutIfNeeded()
  }

  private func reconfigure(_ path: ItemPath) {
    guard let id = belief.list.id(at: path), let cell = cells[id], let dataSource else { return }
    reconfigured = cell
    defer { reconfigured = nil }
    let result = dataSource.tableView(
      self, cellForRowAt: IndexPath(row: path.item, section: path.section))
    if result !== cell {
      raise(.init("The row at \(path) is reconfigured, but its cell is another one."))
    }
  }
}
