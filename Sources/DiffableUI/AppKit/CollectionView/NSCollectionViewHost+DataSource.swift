#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Diffable
import DiffableViews

extension NSCollectionViewHost {
  /// Answers what the view asks, with what its host has on display.
  ///
  /// The host holds it; so it is gone with the host, and the view then has no data source.
  @MainActor
  final class DataSource: NSObject {
    private(set) weak var host: NSCollectionViewHost?

    init(of host: NSCollectionViewHost) { self.host = host }
  }
}

extension NSCollectionViewHost.DataSource: NSCollectionViewDataSource {
  func numberOfSections(in collectionView: NSCollectionView) -> Int {
    host?.content?.numberOfSections ?? 0
  }

  func collectionView(
    _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    host?.content?.numberOfItems(inSection: section) ?? 0
  }

  /// The item that the content returns, or a placeholder.
  func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem {
    do throws(ListError) {
      if let item = try host?.content?.cell(for: ItemPath(indexPath)) { return item }
    } catch {
      // The controller has called its error handler.
    }
    return collectionView.makeItem(withIdentifier: NSCollectionViewHost.placeholder, for: indexPath)
  }

  /// The supplementary view that the content returns, or a placeholder.
  func collectionView(
    _ collectionView: NSCollectionView,
    viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
    at indexPath: IndexPath
  ) -> NSView {
    host?.askedKind = kind
    do throws(ListError) {
      let path = ItemPath(ofSupplementaryViewAt: indexPath)
      if let view = try host?.content?.supplementaryView(ofKind: kind, for: path) { return view }
    } catch {
      // The controller has called its error handler.
    }
    collectionView.register(
      NSCollectionViewHost.PlaceholderView.self, forSupplementaryViewOfKind: kind,
      withIdentifier: NSCollectionViewHost.placeholder)
    return collectionView.makeSupplementaryView(
      ofKind: kind, withIdentifier: NSCollectionViewHost.placeholder, for: indexPath)
  }
}

extension NSCollectionViewHost.DataSource: NSCollectionViewPrefetching {
  func collectionView(
    _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath]
  ) {
    host?.content?.prefetchItems(at: indexPaths.map { ItemPath($0) })
  }

  func collectionView(
    _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {
    host?.content?.cancelPrefetchingItems(at: indexPaths.map { ItemPath($0) })
  }
}
#endif
