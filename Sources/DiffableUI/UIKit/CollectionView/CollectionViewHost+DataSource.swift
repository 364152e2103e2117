#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
import UIKit

extension CollectionViewHost {
  /// Answers what the view asks, with what its host has on display.
  ///
  /// The host holds it; so it is gone with the host, and the view then has no data source.
  @MainActor
  final class DataSource: NSObject {
    private(set) weak var host: CollectionViewHost?

    init(of host: CollectionViewHost) { self.host = host }
  }
}

extension CollectionViewHost.DataSource: UICollectionViewDataSource {
  func numberOfSections(in collectionView: UICollectionView) -> Int {
    host?.content?.numberOfSections ?? 0
  }

  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    guard let host else { return 0 }
    return host.drag.count(
      host.content?.numberOfItems(inSection: section) ?? 0, inSection: section)
  }

  /// The cell that the content returns, or a placeholder.
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    let make = {
      collectionView.dequeueReusableCell(
        withReuseIdentifier: ReusedViews.placeholder, for: indexPath)
    }
    guard let host else { return make() }
    host.reuse.beginQuestion()
    let path = host.drag.path(ofItemShownAt: ItemPath(indexPath))
    // If there is an error, the controller has called its error handler.
    let cell = (try? host.content?.cell(for: path)) ?? host.reuse.placeholder(or: make)
    host.reuse.give(cell, for: host.content?.identity(ofItemAt: path))
    return cell
  }

  /// The supplementary view that the content returns, or a placeholder.
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    host?.reuse.beginQuestion(for: kind)
    do throws(ListError) {
      if let view = host?.supplementaryViewProvider?(collectionView, kind, indexPath) {
        return view
      }
      let path = ItemPath(ofSupplementaryViewAt: indexPath)
      if let view = try host?.content?.supplementaryView(ofKind: kind, for: path) { return view }
    } catch {
      // The controller has called its error handler.
    }
    let make = {
      collectionView.register(
        UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
        withReuseIdentifier: ReusedViews.placeholder)
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: ReusedViews.placeholder, for: indexPath)
    }
    return host?.reuse.placeholder(or: make) ?? make()
  }

  func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool {
    let path = ItemPath(indexPath)
    guard let host, !host.drag.isAstray, host.canReorderItem?(path) == true else { return false }
    host.drag.begin(at: path, in: host.content)
    return true
  }

  func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    guard let host else { return }
    let isMoved = host.drag.drop(
      from: ItemPath(sourceIndexPath), to: ItemPath(destinationIndexPath), in: host.content)
    guard !isMoved else { return }
    Task { host.drag.takeBack(in: host, selected: collectionView.indexPathsForSelectedItems) }
  }
}

extension CollectionViewHost.DataSource: UICollectionViewDataSourcePrefetching {
  func collectionView(
    _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
  ) {
    host?.content?.prefetchItems(at: indexPaths.map { ItemPath($0) })
  }

  func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {
    host?.content?.cancelPrefetchingItems(at: indexPaths.map { ItemPath($0) })
  }
}
#endif
