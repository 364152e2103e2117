#if canImport(UIKit) && !os(watchOS)
public import Diffable
import DiffableViews
public import UIKit

/// A data source of a `UITableView` that is used like Apple's.
///
/// It shows a source of identifiers or of models.
///
/// ```swift
/// let dataSource = TableViewDiffableDataSource<Section, Mail.ID>(tableView: tableView) {
///   tableView, indexPath, id in
///   let cell = tableView.dequeueReusableCell(withIdentifier: "mail", for: indexPath)
///   // … configure the cell …
///   return cell
/// }
/// try await dataSource.apply(snapshot, animatingDifferences: true)
/// ```
///
/// The initializer and the methods, most of them in ``DiffableDataSource``, have the names of
/// `UITableViewDiffableDataSource`. It is not an `NSObject` to subclass: closures provide the
/// titles of sections and decide what may be dragged, see
/// ``DiffableDataSource/reorderingHandlers``. Keep it as long as the view, which does not hold it.
public final class TableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: DiffableDataSource<SectionIdentifierType, ItemIdentifierType, TableViewHost> {
  /// Makes a cell that shows an item, by dequeuing it from the view.
  ///
  /// If it returns `nil`, an empty cell is shown.
  public typealias CellProvider =
    @MainActor (
      _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?

  /// Creates a data source for a view and connects the two.
  ///
  /// - Parameters:
  ///   - tableView: The view. Its delegate, and a prefetch data source that it has, are not changed.
  ///   - source: The source to show, which other lists may show as well; by default a new one.
  ///   - cellProvider: Makes cells. For a reconfigured item it is called again, and must dequeue
  ///     with the same identifier: the view then returns the cell on the screen.
  public convenience init(
    tableView: UITableView,
    source: (any WritableListSource<SectionIdentifierType, ItemIdentifierType>)? = nil,
    cellProvider: @escaping CellProvider
  ) {
    self.init(tableView, source) { _, view, path, item in cellProvider(view, path, item) }
  }

  /// Creates a data source whose cells show the elements of a source: in a `ModelSource`, models.
  ///
  /// - Parameters:
  ///   - tableView: The view. Its delegate, and a prefetch data source that it has, are not changed.
  ///   - source: The source to show, which other lists may show as well.
  ///   - cellProvider: Makes cells. For an item whose model has changed it is called again, and
  ///     must dequeue as before: the view then returns the cell on the screen.
  public convenience init<Source: WritableListSource<SectionIdentifierType, ItemIdentifierType>>(
    tableView: UITableView, following source: Source,
    cellProvider:
      @escaping @MainActor (
        _ tableView: UITableView, _ indexPath: IndexPath, _ element: Source.Element
      ) -> UITableViewCell?
  ) {
    self.init(tableView, source) { list, view, path, item in
      cellProvider(view, path, try list.element(for: item, of: Source.self))
    }
  }

  private init(
    _ tableView: UITableView,
    _ source: (any WritableListSource<SectionIdentifierType, ItemIdentifierType>)?,
    _ makeCell:
      @escaping @MainActor (
        ListController<SectionIdentifierType, ItemIdentifierType, TableViewHost>, UITableView,
        IndexPath,
        ItemIdentifierType
      ) throws -> UITableViewCell?
  ) {
    let delegate = tableView.delegate
    let host = TableViewHost(tableView: tableView)
    tableView.delegate = delegate
    host.reconfiguresByAsking = true
    host.keepsPosition = false
    super.init(host: host, source: source) { [weak tableView] list, cells, path, item in
      if let cell = cells.presentCell { return cell }
      return try tableView.flatMap { try makeCell(list, $0, IndexPath(path), item) }
    }
    host.headerTitle = { [weak self] in self?.title($0, from: self?.headerTitleProvider) }
    host.canReorderItem = { [weak self] in self?.canReorderItem(at: $0) ?? false }
    host.footerTitle = { [weak self] in self?.title($0, from: self?.footerTitleProvider) }
    // They are made by the table and its delegate, which are asked again if a section is reloaded.
    for kind in [TableViewHost.headerKind, TableViewHost.footerKind] {
      controller.supplementaryProviders[kind] = { _, _, _ in nil }
    }
  }

  /// The animation of inserted and deleted rows and sections; by default `.automatic`.
  public var defaultRowAnimation: UITableView.RowAnimation {
    get { host.defaultRowAnimation }
    set { host.defaultRowAnimation = newValue }
  }

  /// Returns the titles above sections.
  ///
  /// If a section is reconfigured, for example because its model has changed, and its header or footer is on
  /// the screen, the section is reloaded: the table has no other way to ask for them again.
  public var headerTitleProvider: (@MainActor (SectionIdentifierType) -> String?)?
  /// Returns the titles below sections.
  public var footerTitleProvider: (@MainActor (SectionIdentifierType) -> String?)?

  private func title(
    _ section: Int, from provider: (@MainActor (SectionIdentifierType) -> String?)?
  ) -> String? {
    controller.sectionIdentifier(for: section).flatMap { provider?($0) }
  }

  /// The item at an index path on the screen, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items.
  public func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
    controller.itemIdentifier(for: indexPath)
  }

  /// The index path of an item on the screen, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
    controller.indexPath(for: itemIdentifier)
  }
}
#endif
