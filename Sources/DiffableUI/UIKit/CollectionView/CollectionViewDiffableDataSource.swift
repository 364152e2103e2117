#if canImport(UIKit) && !os(watchOS)
public import Diffable
import DiffableViews
public import UIKit

/// The data source of a `UICollectionView` that is written like Apple's, over a `DataSourceActor`.
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
/// The initializer and the methods have the names of `UICollectionViewDiffableDataSource`. What is
/// different:
///
/// - Any task may write to ``source``, at any time; the view follows.
/// - What Apple's version raises an exception for is a typed error: `apply` throws it, and where it
///   is called without `await`, ``errorHandler`` is told.
/// - ``snapshot()`` is the newest state, whereas index paths are those of what is on the screen.
/// - It is not an `NSObject` to make a subclass of: everything is said by closures.
///
/// Keep it as long as the view, which does not hold it.
@MainActor
public final class CollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  /// Makes a cell that shows an item, by dequeuing it from the view; without one, an empty cell is
  /// shown.
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

  /// What an app has to say about folding and unfolding.
  public typealias SectionSnapshotHandlers = ExpansionHandlers<ItemIdentifierType>

  let displayed: DisplayedSource<SectionIdentifierType, ItemIdentifierType, CollectionViewHost>

  /// Creates a data source and makes it that of a view.
  ///
  /// - Parameters:
  ///   - collectionView: The view. Its delegate stays what it is.
  ///   - source: The source to show, which others may show as well; a new one by default.
  ///   - cellProvider: Makes cells. For an item that is reconfigured it is called again, and must
  ///     dequeue with the same registration: the view then gives it the cell on the screen.
  public init(
    collectionView: UICollectionView,
    source: DataSourceActor<SectionIdentifierType, ItemIdentifierType>? = nil,
    cellProvider: @escaping CellProvider
  ) {
    let delegate = collectionView.delegate
    let host = CollectionViewHost(collectionView: collectionView)
    collectionView.delegate = delegate
    host.reconfiguresByAsking = true
    host.keepsPosition = false
    displayed = DisplayedSource(host: host, source: source) {
      [weak collectionView] cells, path, item in
      if let cell = cells.presentCell { return cell }
      return collectionView.flatMap { cellProvider($0, IndexPath(path), item) }
    }
  }

  /// The source, for writers on any task.
  public var source: DataSourceActor<SectionIdentifierType, ItemIdentifierType> { displayed.source }

  /// Makes headers, footers and the like.
  public var supplementaryViewProvider: SupplementaryViewProvider? {
    get { displayed.host.supplementaryViewProvider }
    set { displayed.host.supplementaryViewProvider = newValue }
  }

  /// What an app has to say about folding and unfolding, see ``expand(_:completion:)``.
  public var sectionSnapshotHandlers: SectionSnapshotHandlers {
    get { displayed.expansion }
    set { displayed.expansion = newValue }
  }

  /// Is told why a write without `await` was refused, and which views could not be made.
  ///
  /// What it is told is a `DataSourceError` or a `ListError`.
  public var errorHandler: ((any Error) -> Void)? {
    get { displayed.errorHandler }
    set { displayed.errorHandler = newValue }
  }
}

// MARK: What is where

extension CollectionViewDiffableDataSource {
  /// The newest state, to be edited and applied.
  ///
  /// It contains what has been applied without `await` and what others have written. It may be ahead
  /// of the screen. Where there are other writers, edit the ``source`` by its `update`, which nobody
  /// can come between.
  ///
  /// - Complexity: O(1).
  public func snapshot() -> Snapshot<SectionIdentifierType, ItemIdentifierType> {
    displayed.snapshot
  }

  /// The section at an index on the screen, or `nil` if there is none.
  ///
  /// - Complexity: O(log s) for s sections.
  public func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
    displayed.controller.sectionIdentifier(for: index)
  }

  /// The index of a section on the screen, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
    displayed.controller.index(for: sectionIdentifier)
  }

  /// The item at an index path on the screen, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items.
  public func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
    displayed.controller.itemIdentifier(for: ItemPath(indexPath))
  }

  /// The index path of an item on the screen, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
    displayed.controller.itemPath(for: itemIdentifier).map { IndexPath($0) }
  }
}
#endif
