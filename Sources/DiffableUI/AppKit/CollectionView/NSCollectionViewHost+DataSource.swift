#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
import Diffable
import DiffableViews

extension NSCollectionViewHost: NSCollectionViewDataSource {
  /// The number of sections on display.
  public func numberOfSections(in collectionView: NSCollectionView) -> Int {
    content?.numberOfSections ?? 0
  }

  /// The number of items in a section on display.
  public func collectionView(
    _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    content?.numberOfItems(inSection: section) ?? 0
  }

  /// The item that the content returns, or a placeholder.
  public func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem {
    do throws(ListError) {
      if let item = try content?.cell(for: ItemPath(indexPath)) { return item }
    } catch {
      // The controller has called its error handler.
    }
    return collectionView.makeItem(withIdentifier: Self.placeholder, for: indexPath)
  }

  /// The supplementary view that the content returns, or a placeholder.
  public func collectionView(
    _ collectionView: NSCollectionView,
    viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
    at indexPath: IndexPath
  ) -> NSView {
    do throws(ListError) {
      let view = try content?.supplementaryView(ofKind: kind, for: ItemPath(indexPath))
      if let view { return view }
    } catch {
      // The controller has called its error handler.
    }
    collectionView.register(
      PlaceholderView.self, forSupplementaryViewOfKind: kind, withIdentifier: Self.placeholder)
    return collectionView.makeSupplementaryView(
      ofKind: kind, withIdentifier: Self.placeholder, for: indexPath)
  }
}

extension NSCollectionViewHost: NSCollectionViewPrefetching {
  /// Passes items that may soon be on the screen to the content.
  public func collectionView(
    _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath]
  ) {
    content?.prefetchItems(at: indexPaths.map { ItemPath($0) })
  }

  /// Passes items that will not be on the screen after all to the content.
  public func collectionView(
    _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {
    content?.cancelPrefetchingItems(at: indexPaths.map { ItemPath($0) })
  }
}

/// Your own delegate calls these methods from its methods of the same names.
extension NSCollectionViewHost: NSCollectionViewDelegate {
  /// Reports to the content what the user has selected.
  public func collectionView(
    _ collectionView: NSCollectionView, didSelectItemsAt indexPaths: Set<IndexPath>
  ) {
    content?.didSelectItems(at: ItemPathSet(indexPaths.map { ItemPath($0) }))
  }

  /// Reports to the content what the user has deselected.
  public func collectionView(
    _ collectionView: NSCollectionView, didDeselectItemsAt indexPaths: Set<IndexPath>
  ) {
    content?.didDeselectItems(at: ItemPathSet(indexPaths.map { ItemPath($0) }))
  }
}
#endif
