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
    isUpdating && keepsPosition ? heldContentOffset : proposedContentOffset
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

// MARK: The place on the screen

extension CollectionViewHost {
  /// What is visible now, without what the insets cover.
  public var viewport: Viewport {
    get {
      guard !isUpdating else { return place }
      var viewport = place
      let (bounds, inset) = (collectionView.bounds, collectionView.adjustedContentInset)
      let size = collectionView.collectionViewLayout.collectionViewContentSize
      let rows = visibleItemPaths.compactMap { path in
        span(of: path).map { VisibleRow(path: path, span: $0) }
      }
      if isHorizontal {
        viewport.observe(
          offset: bounds.minX + inset.left, length: bounds.width - inset.left - inset.right,
          contentLength: size.width, rows: rows)
      } else {
        viewport.observe(
          offset: bounds.minY + inset.top, length: bounds.height - inset.top - inset.bottom,
          contentLength: size.height, rows: rows)
      }
      return viewport
    }
    set { place = newValue }
  }

  /// Scrolls to an anchor.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    collectionView.layoutIfNeeded()
    hold(anchor)
  }

  /// Keeps what a change leaves in place.
  func keep(_ anchor: ListAnchor) {
    guard keepsPosition else { return }
    hold(anchor)
  }

  /// Scrolls until an anchor is in place: views that come into sight are measured meanwhile.
  private func hold(_ anchor: ListAnchor) {
    place = viewport
    place.hold(anchor)
    for _ in 0..<Self.mostSteps {
      let offset = heldContentOffset
      guard offset != collectionView.contentOffset else { return }
      collectionView.contentOffset = offset
      collectionView.layoutIfNeeded()
    }
  }

  private static var mostSteps: Int { 8 }

  private var isHorizontal: Bool {
    let size = collectionView.collectionViewLayout.collectionViewContentSize
    return size.width > collectionView.bounds.width && size.height <= collectionView.bounds.height
  }

  private func span(of path: ItemPath) -> Range<Double>? {
    let attributes = collectionView.layoutAttributesForItem(at: IndexPath(path))
    return attributes.map { attributes in
      let frame = attributes.frame
      return isHorizontal
        ? frame.minX..<max(frame.minX, frame.maxX) : frame.minY..<max(frame.minY, frame.maxY)
    }
  }

  /// The content offset at which what is held is in place.
  private var heldContentOffset: CGPoint {
    let (size, inset) = (
      collectionView.collectionViewLayout.collectionViewContentSize,
      collectionView.adjustedContentInset
    )
    var offset = collectionView.contentOffset
    place.settle(contentLength: isHorizontal ? size.width : size.height) { span(of: $0) }
    if isHorizontal {
      offset.x = place.offset - inset.left
    } else {
      offset.y = place.offset - inset.top
    }
    return offset
  }
}
#endif
