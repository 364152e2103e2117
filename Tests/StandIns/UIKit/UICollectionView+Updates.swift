import Diffable
import DiffableTesting
import StandInSupport

extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/performbatchupdates(_:completion:)
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    batchUpdateCount += 1
    if belief.isUpdating {
      updates?()
      completion?(true)
      return
    }
    update { updates?() }
    end(completion)
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/performbatchupdates(_:completion:)
  public func performBatchUpdates(_ updates: (() -> Void)?) async -> Bool {
    await withCheckedContinuation { done in
      performBatchUpdates(updates) { done.resume(returning: $0) }
    }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/insertsections(_:)
  public func insertSections(_ sections: IndexSet) { call(sections.map { .insertSection($0) }) }

  /// developer.apple.com/documentation/uikit/uicollectionview/deletesections(_:)
  public func deleteSections(_ sections: IndexSet) { call(sections.map { .deleteSection($0) }) }

  /// developer.apple.com/documentation/uikit/uicollectionview/reloadsections(_:)
  public func reloadSections(_ sections: IndexSet) { call(sections.map { .reloadSection($0) }) }

  /// developer.apple.com/documentation/uikit/uicollectionview/movesection(_:tosection:)
  public func moveSection(_ section: Int, toSection newSection: Int) {
    call([.moveSection(Move(from: section, to: newSection))])
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/insertitems(at:)
  public func insertItems(at indexPaths: [IndexPath]) {
    call(indexPaths.map { .insertItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/deleteitems(at:)
  public func deleteItems(at indexPaths: [IndexPath]) {
    call(indexPaths.map { .deleteItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/reloaditems(at:)
  public func reloadItems(at indexPaths: [IndexPath]) {
    call(indexPaths.map { .reloadItem($0.itemPath) })
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/moveitem(at:to:)
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    call([.moveItem(Move(from: indexPath.itemPath, to: newIndexPath.itemPath))])
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/reconfigureitems(at:)
  public func reconfigureItems(at indexPaths: [IndexPath]) {
    call(indexPaths.map { .reconfigureItem($0.itemPath) })
  }

  /// Adds calls to the update that is under way, or makes one of them.
  private func call(_ calls: [ListOperation]) {
    guard !calls.isEmpty, !belief.add(calls) else { return }
    update { call(calls) }
  }

  private func update(_ body: () -> Void) {
    let (calls, outcome) = belief.update(body)
    let list = belief.list
    let ids = list.itemIDs
    for (id, cell) in cells where !ids.contains(id) || outcome.renewedItems.contains(id) {
      cells[id] = nil
      free(cell)
    }
    let sections = Set(list.sections.map(\.id)).subtracting(outcome.renewedSections)
    for (key, view) in supplementaryViews where !sections.contains(key.section) {
      supplementaryViews[key] = nil
      free(view)
    }
    selected.formIntersection(ids)
    prefetched.keep(ids)
    for case .reconfigureItem(let path) in calls { reconfigure(path) }
    updateLayout(calls)
  }

  private func updateLayout(_ calls: [ListOperation]) {
    let context = collectionViewLayout.makeInvalidationContext()
    let isMove = calls.allSatisfy {
      switch $0 {
      case .moveItem, .moveSection: true
      default: false
      }
    }
    context.invalidateDataSourceCounts = !isMove || !habits.contains(.leavesCountsOfMoves)
    collectionViewLayout.invalidateLayout(with: context)
    prepareLayout()
    collectionViewLayout.prepare(
      forCollectionViewUpdates: calls.compactMap(UICollectionViewUpdateItem.init))
    contentSize = collectionViewLayout.collectionViewContentSize
    let proposed = collectionViewLayout.targetContentOffset(forProposedContentOffset: contentOffset)
    let target =
      delegate?.collectionView(self, targetContentOffsetForProposedContentOffset: proposed)
      ?? proposed
    if target != contentOffset { contentOffset = target }
    setNeedsLayout()
    layoutIfNeeded()
    collectionViewLayout.finalizeCollectionViewUpdates()
  }

  private func reconfigure(_ path: ItemPath) {
    guard let id = belief.list.id(at: path), let cell = cells[id], let dataSource else { return }
    reconfigured = cell
    defer { reconfigured = nil }
    let result = dataSource.collectionView(
      self, cellForItemAt: IndexPath(item: path.item, section: path.section))
    if result !== cell {
      raise(.init("The item at \(path) is reconfigured, but its cell is another one."))
    }
  }
}

extension UICollectionViewUpdateItem {
  convenience init?(_ operation: ListOperation) {
    func indexPath(_ path: ItemPath) -> IndexPath {
      IndexPath(item: path.item, section: path.section)
    }
    switch operation {
    case .insertItem(let path): self.init(.insert, before: nil, after: indexPath(path))
    case .deleteItem(let path): self.init(.delete, before: indexPath(path), after: nil)
    case .reloadItem(let path):
      self.init(.reload, before: indexPath(path), after: indexPath(path))
    case .moveItem(let move):
      self.init(.move, before: indexPath(move.from), after: indexPath(move.to))
    default: return nil
    }
  }
}

extension IndexPath {
  var itemPath: ItemPath { ItemPath(section: section, item: item) }
}
