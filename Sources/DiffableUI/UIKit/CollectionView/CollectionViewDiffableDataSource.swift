#if canImport(UIKit) && !os(watchOS)
public import Diffable
import DiffableViews
public import UIKit

/// A data source of a `UICollectionView` that is used like Apple's.
///
/// It shows a source of identifiers or of models.
///
/// ```swift
/// let dataSource = CollectionViewDiffableDataSource<Section, Photo.ID>(
///   collectionView: collectionView
/// ) { collectionView, indexPath, id in
///   collectionView.dequeueConfiguredReusableCell(using: photos, for: indexPath, item: id)
/// }
/// try await dataSource.apply(snapshot, animatingDifferences: true)
/// ```
///
/// The initializer and the methods, most of them in ``DiffableDataSource``, have the names of
/// `UICollectionViewDiffableDataSource`. It is not an `NSObject` to subclass: closures configure
/// everything. Keep it as long as the view, which does not hold it.
public final class CollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: DiffableDataSource<SectionIdentifierType, ItemIdentifierType, CollectionViewHost> {
  /// Makes a cell that shows an item, by dequeuing it from the view.
  ///
  /// If it returns `nil`, an empty cell is shown.
  public typealias CellProvider =
    @MainActor (
      _ collectionView: UICollectionView, _ indexPath: IndexPath,
      _ itemIdentifier: ItemIdentifierType
    ) -> UICollectionViewCell?

  /// Makes a header, a footer or the like, by dequeuing it from the view.
  public typealias SupplementaryViewProvider =
    @MainActor (
      _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?

  /// Creates a data source for a view and connects the two.
  ///
  /// - Parameters:
  ///   - collectionView: The view. Its delegate, and a prefetch data source that it has, are not changed.
  ///   - source: The source to show, which other lists may show as well; by default a new one.
  ///   - cellProvider: Makes cells. For a reconfigured item it is called again, and must dequeue
  ///     with the same registration: the view then returns the cell on the screen.
  public convenience init(
    collectionView: UICollectionView,
    source: (any WritableListSource<SectionIdentifierType, ItemIdentifierType>)? = nil,
    cellProvider: @escaping CellProvider
  ) {
    self.init(collectionView, source) { _, view, path, item in cellProvider(view, path, item) }
  }

  /// Creates a data source whose cells show the elements of a source: in a `ModelSource`, models.
  ///
  /// - Parameters:
  ///   - collectionView: The view. Its delegate, and a prefetch data source that it has, are not changed.
  ///   - source: The source to show, which other lists may show as well.
  ///   - cellProvider: Makes cells. For an item whose model has changed it is called again, and
  ///     must dequeue as before: the view then returns the cell on the screen.
  public convenience init<Source: WritableListSource<SectionIdentifierType, ItemIdentifierType>>(
    collectionView: UICollectionView, following source: Source,
    cellProvider:
      @escaping @MainActor (
        _ collectionView: UICollectionView, _ indexPath: IndexPath, _ element: Source.Element
      ) -> UICollectionViewCell?
  ) {
    self.init(collectionView, source) { list, view, path, item in
      cellProvider(view, path, try list.element(for: item, of: Source.self))
    }
  }

  private init(
    _ collectionView: UICollectionView,
    _ source: (any WritableListSource<SectionIdentifierType, ItemIdentifierType>)?,
    _ makeCell:
      @escaping @MainActor (
        ListController<SectionIdentifierType, ItemIdentifierType, CollectionViewHost>,
        UICollectionView, IndexPath,
        ItemIdentifierType
      ) throws -> UICollectionViewCell?
  ) {
    let delegate = collectionView.delegate
    let host = CollectionViewHost(collectionView: collectionView)
    collectionView.delegate = delegate
    host.reconfiguresByAsking = true
    host.keepsPosition = false
    super.init(host: host, source: source) { [weak collectionView] list, cells, path, item in
      if let cell = cells.presentCell { return cell }
      return try collectionView.flatMap { try makeCell(list, $0, IndexPath(path), item) }
    }
    host.canReorderItem = { [weak self] in self?.canReorderItem(at: $0) ?? false }
  }

  private var makeSupplementaryView: SupplementaryViewProvider?

  /// Makes headers, footers and the like.
  ///
  /// If a section is reconfigured, for example because its model has changed, and one of them is on the
  /// screen, the section is reloaded: the view has no other way to ask for it again.
  public var supplementaryViewProvider: SupplementaryViewProvider? {
    get { makeSupplementaryView }
    set {
      makeSupplementaryView = newValue
      guard let newValue else { return host.supplementaryViewProvider = nil }
      host.supplementaryViewProvider = { [weak controller] view, kind, indexPath in
        controller?.supplementaryProviders[kind] = { _, _, _ in nil }
        return newValue(view, kind, indexPath)
      }
    }
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
