import Diffable
import DiffableViews

/// The content of a controller; it records what the host requests.
@MainActor
final class InspectedContent<Host: ListHost>: ListContent {
  private let controller: ListController<Int, Int, Host>
  /// Requests for what does not exist, and omissions.
  var faults: [String] = []
  /// The items for which the host requested a cell.
  private(set) var asked: Set<Int> = []
  /// The last item for which each cell was returned.
  ///
  /// It holds the cells, so that no other object gets the same address.
  private var given: [ObjectIdentifier: (cell: Host.Cell, item: Int)] = [:]
  /// The last place for which each supplementary view was returned, held like the cells.
  private(set) var givenViews:
    [ObjectIdentifier: (view: Host.SupplementaryView, place: SupplementaryPlace)] = [:]
  /// The places for which the host requested a supplementary view.
  private(set) var askedPlaces: Set<SupplementaryPlace> = []
  /// The supplementary views that a provider has configured, held like the others.
  var configuredViews: [ObjectIdentifier: Host.SupplementaryView] = [:]

  init(_ controller: ListController<Int, Int, Host>) {
    self.controller = controller
  }

  /// What the host would have without an inspection.
  private var base: any ListContent<Host.Cell, Host.SupplementaryView> { controller.content }

  /// Discards the requests before the next batch.
  func begin() {
    faults = []
    asked = []
    askedPlaces = []
    configuredViews = [:]
  }

  /// Records new names of items whose cells were returned under old names.
  func rename(_ names: [Int: Int]) {
    guard !names.isEmpty else { return }
    given = given.mapValues { ($0.cell, names[$0.item] ?? $0.item) }
  }

  /// The last item for which a cell was returned.
  func item(shownBy cell: Host.Cell) -> Int? { given[ObjectIdentifier(cell)]?.item }

  /// The kinds of supplementary views that have providers.
  var elementKinds: [String] { controller.supplementaryProviders.keys.sorted() }

  var numberOfSections: Int { base.numberOfSections }

  func numberOfItems(inSection section: Int) -> Int {
    if !(0..<numberOfSections).contains(section) {
      faults.append("The host requested the items of section \(section), which does not exist.")
    }
    return base.numberOfItems(inSection: section)
  }

  func cell(for path: ItemPath) throws(ListError) -> Host.Cell {
    guard let item = controller.itemIdentifier(for: path) else {
      faults.append("The host requested the cell of \(path), which does not exist.")
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
    guard let section = controller.sectionIdentifier(for: path.section) else {
      faults.append("The host requested a view of section \(path.section), which does not exist.")
      throw .unknownPath(path)
    }
    let place = SupplementaryPlace(kind: kind, section: section, number: path.item)
    askedPlaces.insert(place)
    let view = try base.supplementaryView(ofKind: kind, for: path)
    givenViews[ObjectIdentifier(view)] = (view, place)
    return view
  }

  func hasSupplementaryViews(ofKind kind: String) -> Bool {
    base.hasSupplementaryViews(ofKind: kind)
  }

  func identity(ofItemAt path: ItemPath) -> AnyItemID? { base.identity(ofItemAt: path) }
  func itemPath(withIdentity identity: AnyItemID) -> ItemPath? {
    base.itemPath(withIdentity: identity)
  }

  func itemPath(standingFor identity: AnyItemID) -> ItemPath? {
    base.itemPath(standingFor: identity)
  }
  func identity(ofSectionAt section: Int) -> AnyItemID? { base.identity(ofSectionAt: section) }
  func disclosure(ofItemAt path: ItemPath) -> Disclosure? { base.disclosure(ofItemAt: path) }
  func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {
    base.setExpanded(isExpanded, ofItemAt: path)
  }
  func didSelectItems(at paths: ItemPathSet) { base.didSelectItems(at: paths) }
  func didDeselectItems(at paths: ItemPathSet) { base.didDeselectItems(at: paths) }
  func didExtendSelection(from origin: ItemPath, to path: ItemPath) {
    base.didExtendSelection(from: origin, to: path)
  }
  func prefetchItems(at paths: [ItemPath]) {
    inspect(prefetchedPaths: paths)
    base.prefetchItems(at: paths)
  }
  func cancelPrefetchingItems(at paths: [ItemPath]) {
    inspect(prefetchedPaths: paths)
    base.cancelPrefetchingItems(at: paths)
  }
  private func inspect(prefetchedPaths paths: [ItemPath]) {
    for path in paths where controller.itemIdentifier(for: path) == nil {
      faults.append("The host prefetched \(path), or cancelled that, but it does not exist.")
    }
  }
  func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool {
    base.didMoveItem(from: origin, to: target)
  }
  func beginReorderingItems(at paths: [ItemPath]) async -> Bool {
    await base.beginReorderingItems(at: paths)
  }
  func proposeReordering(to path: ItemPath) async { await base.proposeReordering(to: path) }
  var reorderRefusal: ReorderRefusal? { base.reorderRefusal }
  func endReordering(isCommitted: Bool) async { await base.endReordering(isCommitted: isCommitted) }
}
