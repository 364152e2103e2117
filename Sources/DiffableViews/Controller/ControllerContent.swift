import Diffable

/// What a host has of a controller: the list as positions only.
///
/// The host does not hold it, and it does not hold the controller. Once that has gone, nothing is shown.
@MainActor
final class ControllerContent<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Host: ListHost
>: ListContent {
  weak var controller: ListController<SectionID, ItemID, Host>?

  var numberOfSections: Int { controller?.numberOfSections ?? 0 }

  func numberOfItems(inSection section: Int) -> Int {
    controller?.numberOfItems(inSection: section) ?? 0
  }

  func cell(for path: ItemPath) throws(ListError) -> Host.Cell {
    guard let controller else { throw .unknownPath(path) }
    return try controller.cell(for: path)
  }

  func supplementaryView(
    ofKind kind: String, for path: ItemPath
  ) throws(ListError) -> Host.SupplementaryView {
    guard let controller else { throw .unknownPath(path) }
    return try controller.supplementaryView(ofKind: kind, for: path)
  }

  func hasSupplementaryViews(ofKind kind: String) -> Bool {
    controller?.hasSupplementaryViews(ofKind: kind) ?? false
  }

  func identity(ofItemAt path: ItemPath) -> AnyItemID? { controller?.identity(ofItemAt: path) }

  func itemPath(withIdentity identity: AnyItemID) -> ItemPath? {
    controller?.itemPath(withIdentity: identity)
  }

  func itemPath(standingFor identity: AnyItemID) -> ItemPath? {
    controller?.itemPath(standingFor: identity)
  }

  func identity(ofSectionAt section: Int) -> AnyItemID? {
    controller?.identity(ofSectionAt: section)
  }

  func disclosure(ofItemAt path: ItemPath) -> Disclosure? {
    controller?.disclosure(ofItemAt: path)
  }

  func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {
    controller?.setExpanded(isExpanded, ofItemAt: path)
  }

  func didSelectItems(at paths: ItemPathSet) { controller?.didSelectItems(at: paths) }

  func didDeselectItems(at paths: ItemPathSet) { controller?.didDeselectItems(at: paths) }

  func didExtendSelection(from origin: ItemPath, to path: ItemPath) {
    controller?.didExtendSelection(from: origin, to: path)
  }

  func prefetchItems(at paths: [ItemPath]) { controller?.prefetchItems(at: paths) }

  func cancelPrefetchingItems(at paths: [ItemPath]) {
    controller?.cancelPrefetchingItems(at: paths)
  }

  func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool {
    controller?.didMoveItem(from: origin, to: target) ?? false
  }

  func beginReorderingItems(at paths: [ItemPath]) async -> Bool {
    await controller?.beginReorderingItems(at: paths) ?? false
  }

  func proposeReordering(to path: ItemPath) async {
    await controller?.proposeReordering(to: path)
  }

  var reorderRefusal: ReorderRefusal? { controller?.reorderRefusal }

  func endReordering(isCommitted: Bool) async {
    await controller?.endReordering(isCommitted: isCommitted)
  }
}
