#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
public import UIKit

extension CollectionViewHost: UICollectionViewDataSource {
  /// The number of sections on display.
  public func numberOfSections(in collectionView: UICollectionView) -> Int {
    content?.numberOfSections ?? 0
  }

  /// The number of items in a section on display.
  public func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    drag.count(content?.numberOfItems(inSection: section) ?? 0, inSection: section)
  }

  /// The cell that the content returns, or a placeholder.
  public func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    reuse.beginQuestion()
    do throws(ListError) {
      let path = drag.path(ofItemShownAt: ItemPath(indexPath))
      if let cell = try content?.cell(for: path) { return cell }
    } catch {
      // The controller has called its error handler.
    }
    return reuse.placeholder {
      collectionView.dequeueReusableCell(
        withReuseIdentifier: ReusedViews.placeholder, for: indexPath)
    }
  }

  /// The supplementary view that the content returns, or a placeholder.
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    reuse.beginQuestion()
    do throws(ListError) {
      if let view = supplementaryViewProvider?(collectionView, kind, indexPath) { return view }
      // A view of the layout as a whole has a path with one index.
      let path =
        indexPath.count == 2
        ? ItemPath(indexPath) : ItemPath(section: 0, item: indexPath.first ?? 0)
      if let view = try content?.supplementaryView(ofKind: kind, for: path) { return view }
    } catch {
      // The controller has called its error handler.
    }
    return reuse.placeholder {
      collectionView.register(
        UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
        withReuseIdentifier: ReusedViews.placeholder)
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: ReusedViews.placeholder, for: indexPath)
    }
  }

  /// Returns whether the user may drag an item.
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool {
    let path = ItemPath(indexPath)
    guard !drag.isAstray, canReorderItem?(path) == true else { return false }
    drag.begin(at: path, in: content)
    return true
  }

  /// Reports to the content where the user has dropped an item.
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    let isMoved = drag.drop(
      from: ItemPath(sourceIndexPath), to: ItemPath(destinationIndexPath), in: content)
    guard !isMoved else { return }
    Task { if self.drag.isAstray { self.reset(keeping: .offset) } }
  }
}

extension CollectionViewHost: UICollectionViewDataSourcePrefetching {
  /// Passes items that may soon be on the screen to the content.
  public func collectionView(
    _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
  ) {
    content?.prefetchItems(at: indexPaths.map { ItemPath($0) })
  }

  /// Passes items that will not be on the screen after all to the content.
  public func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {
    content?.cancelPrefetchingItems(at: indexPaths.map { ItemPath($0) })
  }
}
#endif
