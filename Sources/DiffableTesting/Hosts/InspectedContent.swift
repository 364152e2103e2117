import Diffable
import DiffableViews

/// The content of a controller, and what the host asked of it.
@MainActor
final class InspectedContent<Host: ListHost>: ListContent {
  private let base: ListController<Int, Int, Host>
  /// What was asked for and does not exist, or was not done.
  var faults: [String] = []
  /// The items that the host asked for a cell of.
  private(set) var asked: Set<Int> = []
  /// What each cell was given for last.
  ///
  /// Holds the cells, so that no other takes the place of one in memory.
  private var given: [ObjectIdentifier: (cell: Host.Cell, item: Int)] = [:]

  init(_ base: ListController<Int, Int, Host>) {
    self.base = base
  }

  /// Forgets what was asked before the next batch.
  func begin() {
    faults = []
    asked = []
  }

  /// The item that a cell was given for last.
  func item(shownBy cell: Host.Cell) -> Int? { given[ObjectIdentifier(cell)]?.item }

  var numberOfSections: Int { base.numberOfSections }

  func numberOfItems(inSection section: Int) -> Int {
    if !(0..<numberOfSections).contains(section) {
      faults.append("The host asked for the items of section \(section), which does not exist.")
    }
    return base.numberOfItems(inSection: section)
  }

  func cell(for path: ItemPath) throws(ListError) -> Host.Cell {
    guard let item = base.itemIdentifier(for: path) else {
      faults.append("The host asked for the cell of \(path), which does not exist.")
      throw .unknownPath(path)
    }
    asked.insert(item)
    let cell = try base.cell(for: path)
    given[ObjectIdentifier(cell)] = (cell, item)
    return cell
  }

  func supplementaryView(
    ofKind kind: String, for path: ItemPath
  ) throws(ListError) -> Host.SupplementaryView {
    if !(0..<numberOfSections).contains(path.section) {
      faults.append("The host asked for a view of section \(path.section), which does not exist.")
    }
    return try base.supplementaryView(ofKind: kind, for: path)
  }

  func identity(ofItemAt path: ItemPath) -> AnyItemID? { base.identity(ofItemAt: path) }
  func itemPath(withIdentity identity: AnyItemID) -> ItemPath? {
    base.itemPath(withIdentity: identity)
  }
  func identity(ofSectionAt section: Int) -> AnyItemID? { base.identity(ofSectionAt: section) }
  func disclosure(ofItemAt path: ItemPath) -> Disclosure? { base.disclosure(ofItemAt: path) }
  func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {
    base.setExpanded(isExpanded, ofItemAt: path)
  }
  func didSelectItem(at path: ItemPath) { base.didSelectItem(at: path) }
  func didDeselectItem(at path: ItemPath) { base.didDeselectItem(at: path) }
  func prefetchItems(at paths: [ItemPath]) { base.prefetchItems(at: paths) }
  func cancelPrefetchingItems(at paths: [ItemPath]) { base.cancelPrefetchingItems(at: paths) }
  func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool {
    base.didMoveItem(from: origin, to: target)
  }
  func beginReorderingItems(at paths: [ItemPath]) async -> Bool {
    await base.beginReorderingItems(at: paths)
  }
  func proposeReordering(to path: ItemPath) async { await base.proposeReordering(to: path) }
  func endReordering(isCommitted: Bool) async { await base.endReordering(isCommitted: isCommitted) }
}
