import Diffable

/// What a host has of a controller: the list as positions only.
///
/// The host does not hold it, and it does not hold the controller. Once that has gone, nothing is shown.
@MainActor
final class ControllerContent<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Host: ListHost
>: ListContent {
  weak var controller: ListController<SectionID, ItemID, Host>?

  private var snapshot: Snapshot<SectionID, ItemID>? { controller?.snapshot }

  var numberOfSections: Int { snapshot?.numberOfSections ?? 0 }

  func numberOfItems(inSection section: Int) -> Int {
    snapshot?.items(inSectionAt: section).count ?? 0
  }

  func identity(ofItemAt path: ItemPath) -> AnyItemID? {
    snapshot?.itemIdentifier(for: path).map { AnyItemID($0) }
  }

  /// While a batch is being shown, an item that it renames is also found by its former identity.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  func itemPath(withIdentity identity: AnyItemID) -> ItemPath? {
    (identity.base as? ItemID).flatMap { controller?.display.path(of: $0) }
  }

  /// - Complexity: O(d · log n) for d ancestors and n items, given a good hash.
  func itemPath(standingFor identity: AnyItemID) -> ItemPath? {
    (identity.base as? ItemID).flatMap { controller?.display.path(standingFor: $0) }
  }

  func identity(ofSectionAt section: Int) -> AnyItemID? {
    snapshot?.sectionIdentifier(at: section).map { AnyItemID($0) }
  }

  // MARK: Views

  /// Asks the cell provider for the item at a path.
  func cell(for path: ItemPath) throws(ListError) -> Host.Cell {
    guard let controller else { throw .unknownPath(path) }
    return try controller.reporting { () throws(ListError) in
      guard let item = controller.snapshot.itemIdentifier(for: path) else {
        throw .unknownPath(path)
      }
      controller.prefetched.remove([item])
      let supply = ViewSupply<Host.Cell>(
        source: .host { [host = controller.host] in host?.dequeueCell(of: $0, for: $1) })
      let cells = CellDequeuer(
        supply: supply, disclosure: controller.disclosure(ofItemAt: path),
        isUnconfirmed: controller.isUnconfirmed(item))
      let cell = try controller.asking(for: item) {
        try controller.provider(controller, cells, path, item)
      }
      guard let cell else { throw .noCell(item: AnyItemID(item)) }
      return cell
    }
  }

  /// Asks the provider of a kind for a view of the section at a path.
  func supplementaryView(
    ofKind kind: String, for path: ItemPath
  ) throws(ListError) -> Host.SupplementaryView {
    guard let controller else { throw .unknownPath(path) }
    return try controller.reporting { () throws(ListError) in
      guard let section = controller.snapshot.sectionIdentifier(at: path.section) else {
        throw .unknownPath(path)
      }
      let supply = ViewSupply<Host.SupplementaryView>(
        source: .host { [host = controller.host] in
          host?.dequeueSupplementaryView(of: $0, for: $1)
        })
      let view = try controller.asking(for: section) {
        try controller.supplementaryProviders[kind]?(
          SupplementaryDequeuer(supply: supply), path, section)
      }
      guard let view else {
        throw .noSupplementaryView(kind: kind, section: AnyItemID(section))
      }
      return view
    }
  }

  func hasSupplementaryViews(ofKind kind: String) -> Bool {
    controller?.supplementaryProviders[kind] != nil
  }

  func disclosure(ofItemAt path: ItemPath) -> Disclosure? {
    controller?.disclosure(ofItemAt: path)
  }

  // MARK: What the user does

  func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {
    controller?.setExpanded(isExpanded, ofItemAt: path)
  }

  func didSelectItems(at paths: ItemPathSet) { controller?.didSelectItems(at: paths) }

  func didDeselectItems(at paths: ItemPathSet) { controller?.didDeselectItems(at: paths) }

  func didExtendSelection(from origin: ItemPath, to path: ItemPath) {
    controller?.didExtendSelection(from: origin, to: path)
  }

  /// Passes items that may soon be on the screen to the prefetch handler.
  func prefetchItems(at paths: [ItemPath]) {
    guard let controller else { return }
    let items = controller.prefetched.add(
      paths.compactMap(controller.snapshot.itemIdentifier(for:)))
    if !items.isEmpty { controller.prefetchHandler?(items) }
  }

  /// Passes items that will not be on the screen after all to the cancellation handler.
  func cancelPrefetchingItems(at paths: [ItemPath]) {
    guard let controller else { return }
    let items = controller.prefetched.remove(
      paths.compactMap(controller.snapshot.itemIdentifier(for:)))
    if !items.isEmpty { controller.prefetchCancellationHandler?(items) }
  }

  func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool {
    controller?.didMoveItem(from: origin, to: target) ?? false
  }

  /// Begins to reorder the items at some paths; errors are passed to the error handler.
  func beginReorderingItems(at paths: [ItemPath]) async -> Bool {
    guard let controller else { return false }
    do throws(DataSourceError) {
      return try await controller.beginReorder(
        paths.compactMap(controller.snapshot.itemIdentifier(for:)))
    } catch {
      controller.errorHandler?(.reorderingFailed(error))
      return false
    }
  }

  /// Proposes to insert the dragged items before the item at a path, or at the end of the section.
  ///
  /// A flat section cannot hold the children of a row of an outline. So rows that have children are
  /// not moved there, and the previous proposal stays.
  func proposeReordering(to path: ItemPath) async {
    guard let controller, let snapshot,
      !controller.drag.hasChildren || snapshot.outline(ofSectionAt: path.section) != nil
    else { return }
    let destination: ReorderDestination<SectionID, ItemID>
    if let item = snapshot.itemIdentifier(for: path) {
      destination = .before(item)
    } else if let section = snapshot.sectionIdentifier(at: path.section) {
      destination = .end(of: section)
    } else {
      return
    }
    // During a drag, what is on display was there when the drag began.
    try? await controller.proposeReorder(to: destination)
  }

  var reorderRefusal: ReorderRefusal? { controller?.reorderRefusal }

  /// Commits a drag, or cancels it; errors are passed to the error handler.
  func endReordering(isCommitted: Bool) async {
    guard let controller else { return }
    guard isCommitted else { return await controller.cancelReorder() }
    do throws(DataSourceError) {
      try await controller.commitReorder()
    } catch {
      controller.errorHandler?(.reorderingFailed(error))
    }
  }
}

extension ControllerContent: ReplaceableContent {
  func loseHost() { controller?.loseHost() }
}

extension ListController {
  /// Reports the error of a request of the host to the error handler.
  fileprivate func reporting<View>(
    _ ask: () throws(ListError) -> View
  ) throws(ListError) -> View {
    do {
      return try ask()
    } catch {
      errorHandler?(error)
      throw error
    }
  }

  /// Calls a provider, and converts the errors that it throws.
  func asking<View>(
    for identifier: some Hashable & Sendable, _ provider: () throws -> View?
  ) throws(ListError) -> View? {
    do {
      return try provider()
    } catch let error as ListError {
      throw error
    } catch {
      throw .providerFailed(identifier: AnyItemID(identifier), reason: "\(error)")
    }
  }
}
