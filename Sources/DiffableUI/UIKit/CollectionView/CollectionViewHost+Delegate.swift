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
    place.isBusy && keepsPosition ? heldContentOffset : proposedContentOffset
  }

  /// Lets the layout follow the safe area, and keeps a list at its end that sticks to it.
  public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {
    (collectionView.collectionViewLayout as? DiffableCollectionViewLayout)?
      .invalidateLayoutIfSpaceChanged()
    follow()
  }

  /// Follows where the user scrolls.
  public func scrollViewDidScroll(_ scrollView: UIScrollView) { didScroll(layoutObserver) }

  /// Ends an animated scroll exactly at its goal.
  public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
    didEndScrollingAnimation()
  }

  /// Lets the user interrupt an animated scroll.
  public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { willBeginDragging() }

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

extension CollectionViewHost: ScrollingHost {
  /// What is visible now, without what the insets cover.
  public var viewport: Viewport {
    get { currentViewport }
    set { setViewport(newValue) }
  }

  /// Scrolls to an anchor.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    scroll(collectionView, to: anchor, isAnimated: isAnimated)
  }

  var scrollState: ScrollState {
    let (bounds, inset) = (collectionView.bounds, collectionView.adjustedContentInset)
    let size = collectionView.collectionViewLayout.collectionViewContentSize
    let isHorizontal = size.width > bounds.width && size.height <= bounds.height
    return ScrollState(
      origin: Double(isHorizontal ? bounds.minX : bounds.minY), width: Double(bounds.width),
      height: Double(bounds.height), isHorizontal: isHorizontal,
      insets: isHorizontal
        ? .init(start: Double(inset.left), end: Double(inset.right))
        : .init(start: Double(inset.top), end: Double(inset.bottom)),
      contentLength: Double(isHorizontal ? size.width : size.height))
  }

  func span(of path: ItemPath) -> Range<Double>? {
    let attributes = collectionView.layoutAttributesForItem(at: IndexPath(path))
    return attributes.flatMap { span(of: $0.frame, isHorizontal: scrollState.isHorizontal) }
  }

  private func span(of frame: CGRect, isHorizontal: Bool) -> Range<Double>? {
    isHorizontal
      ? rowSpan(from: Double(frame.minX), to: Double(frame.maxX))
      : rowSpan(from: Double(frame.minY), to: Double(frame.maxY))
  }

  func sight(in state: ScrollState) -> Sight {
    let layout = collectionView.collectionViewLayout
    let all = layout.layoutAttributesForElements(in: collectionView.bounds) ?? []
    var sight = Sight(rows: [])
    let cells = all.filter { $0.representedElementCategory == .cell }
    for cell in cells {
      guard let span = span(of: cell.frame, isHorizontal: state.isHorizontal) else { continue }
      sight.rows.append(VisibleRow(path: ItemPath(cell.indexPath), span: span))
    }
    for view in all where view.representedElementCategory == .supplementaryView {
      guard cells.contains(where: { view.covers($0, isHorizontal: state.isHorizontal) }),
        let span = span(of: view.frame, isHorizontal: state.isHorizontal)
      else { continue }
      // What is pinned begins or ends with the visible part, or is about to leave it.
      if span.lowerBound < state.offset + 0.5 {
        sight.covered.formUnion(.init(start: span.upperBound - state.offset))
      } else if span.upperBound > state.offset + state.length - 0.5 {
        sight.covered.formUnion(.init(end: state.offset + state.length - span.lowerBound))
      }
    }
    return sight
  }

  func scroll(toOrigin origin: Double) {
    var offset = collectionView.contentOffset
    if scrollState.isHorizontal { offset.x = CGFloat(origin) } else { offset.y = CGFloat(origin) }
    collectionView.contentOffset = offset
    collectionView.layoutIfNeeded()
  }

  /// The content offset at which what is held is in place.
  private var heldContentOffset: CGPoint {
    let (state, origin) = (scrollState, settle() - scrollState.insets.start)
    var offset = collectionView.contentOffset
    if state.isHorizontal { offset.x = CGFloat(origin) } else { offset.y = CGFloat(origin) }
    return offset
  }
}

extension UICollectionViewLayoutAttributes {
  /// Whether a view is above a cell, and as wide as it.
  fileprivate func covers(
    _ cell: UICollectionViewLayoutAttributes, isHorizontal: Bool
  ) -> Bool {
    guard zIndex > cell.zIndex, frame.minX < cell.frame.maxX, cell.frame.minX < frame.maxX,
      frame.minY < cell.frame.maxY, cell.frame.minY < frame.maxY
    else { return false }
    return isHorizontal
      ? frame.minY <= cell.frame.minY && frame.maxY >= cell.frame.maxY
      : frame.minX <= cell.frame.minX && frame.maxX >= cell.frame.maxX
  }
}
#endif
