#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import DiffableViews
public import UIKit

/// Your own delegate calls these methods from its methods of the same names.
extension CollectionViewHost: UICollectionViewDelegate {
  /// Reports to the content that the user selected an item.
  public func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {
    content?.didSelectItem(at: ItemPath(indexPath))
  }

  /// Reports to the content that the user deselected an item.
  public func collectionView(
    _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
  ) {
    content?.didDeselectItem(at: ItemPath(indexPath))
  }

  /// The scroll position in an update, so that an item keeps its place on the screen.
  ///
  /// A view whose delegate does not implement this is scrolled after the update, which is visible
  /// in an animation.
  public func collectionView(
    _ collectionView: UICollectionView,
    targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint {
    anchor.flatMap(contentOffset(keeping:)) ?? proposedContentOffset
  }

  /// Lets the layout follow the safe area.
  public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {
    (collectionView.collectionViewLayout as? DiffableCollectionViewLayout)?
      .invalidateLayoutIfSpaceChanged()
  }

  /// The target of a dragged item, as ``targetForMove`` returns it.
  public func collectionView(
    _ collectionView: UICollectionView,
    targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath,
    toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath {
    targetForMove.map {
      IndexPath($0(ItemPath(originalIndexPath), ItemPath(proposedIndexPath)))
    } ?? proposedIndexPath
  }

  /// Selects exactly these items.
  public func showSelection(_ paths: Set<ItemPath>) {
    let shown = Set((collectionView.indexPathsForSelectedItems ?? []).map { ItemPath($0) })
    for path in shown.subtracting(paths) {
      collectionView.deselectItem(at: IndexPath(path), animated: false)
    }
    for path in paths.subtracting(shown) {
      collectionView.selectItem(at: IndexPath(path), animated: false, scrollPosition: [])
    }
  }
}

// MARK: Anchors

extension CollectionViewHost {
  /// The visible items, unless the view is scrolled to its beginning.
  public var anchors: [ListAnchor] {
    let inset = collectionView.adjustedContentInset
    let offset = collectionView.contentOffset
    let isHorizontal = isHorizontal
    guard keepsPosition, isHorizontal ? offset.x > -inset.left : offset.y > -inset.top else {
      return []
    }
    let visible = collectionView.bounds
    return visibleItemPaths.compactMap { path in
      guard let frame = collectionView.layoutAttributesForItem(at: IndexPath(path))?.frame,
        frame.intersects(visible)
      else { return nil }
      let position = isHorizontal ? frame.minX - offset.x : frame.minY - offset.y
      return ListAnchor(path: path, position: Double(position))
    }
  }

  private var isHorizontal: Bool {
    let size = collectionView.collectionViewLayout.collectionViewContentSize
    return size.width > collectionView.bounds.width && size.height <= collectionView.bounds.height
  }

  func scroll(to anchor: ListAnchor?) {
    guard let offset = anchor.flatMap(contentOffset(keeping:)),
      offset != collectionView.contentOffset
    else { return }
    collectionView.contentOffset = offset
    collectionView.layoutIfNeeded()
  }

  /// The offset that puts an item at its place, as far as the content is long enough.
  private func contentOffset(keeping anchor: ListAnchor) -> CGPoint? {
    guard let frame = collectionView.layoutAttributesForItem(at: IndexPath(anchor.path))?.frame
    else { return nil }
    let inset = collectionView.adjustedContentInset
    let size = collectionView.collectionViewLayout.collectionViewContentSize
    var offset = collectionView.contentOffset
    if isHorizontal {
      let last = max(-inset.left, size.width + inset.right - collectionView.bounds.width)
      offset.x = min(max(-inset.left, frame.minX - anchor.position), last)
    } else {
      let last = max(-inset.top, size.height + inset.bottom - collectionView.bounds.height)
      offset.y = min(max(-inset.top, frame.minY - anchor.position), last)
    }
    return offset
  }
}
#endif
