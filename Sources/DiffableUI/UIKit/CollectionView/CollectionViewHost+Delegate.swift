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
    content?.didSelectItems(at: [ItemPath(indexPath)])
  }

  /// Reports to the content that the user deselected an item.
  public func collectionView(
    _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
  ) {
    content?.didDeselectItems(at: [ItemPath(indexPath)])
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

  /// The target of a dragged item, as ``targetForReorder`` returns it.
  public func collectionView(
    _ collectionView: UICollectionView,
    targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath,
    toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath {
    targetForReorder.map {
      IndexPath($0(ItemPath(originalIndexPath), ItemPath(proposedIndexPath)))
    } ?? proposedIndexPath
  }

  /// Selects exactly these items.
  public func showSelection(_ paths: ItemPathSet) {
    let shown = ItemPathSet((collectionView.indexPathsForSelectedItems ?? []).map { ItemPath($0) })
    for path in shown.subtracting(paths) {
      collectionView.deselectItem(at: IndexPath(path), animated: false)
    }
    for path in paths.subtracting(shown) {
      collectionView.selectItem(at: IndexPath(path), animated: false, scrollPosition: [])
    }
  }
}

extension CollectionViewHost: SelectingHost {
  /// Whether several items may be selected now.
  package var allowsMultipleSelection: Bool {
    collectionView.isEditing
      ? collectionView.allowsMultipleSelectionDuringEditing
      : collectionView.allowsMultipleSelection
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
    if collectionView.delegate === self { place.reportsScrolling = true }
    if takesStages, let path = anchor.target { _ = revealAcross(path) }
    scroll(collectionView, to: anchor, isAnimated: isAnimated)
  }

  var scrollState: ScrollState {
    let size = collectionView.collectionViewLayout.collectionViewContentSize
    let isHorizontal = place.isHorizontal(size, in: collectionView.bounds.size)
    return ScrollState(
      of: collectionView, contentSize: size, isHorizontal: isHorizontal,
      isMirrored: isHorizontal && isMirrored)
  }

  /// Whether a row runs from right to left.
  private var isMirrored: Bool {
    let view = collectionView
    guard view.effectiveUserInterfaceLayoutDirection == .rightToLeft else { return false }
    if let layout { return layout.isRightToLeft }
    return runsLeftwards((0..<view.numberOfSections).map(view.numberOfItems(inSection:))) {
      view.layoutAttributesForItem(at: IndexPath($0))?.frame
    }
  }

  func span(of path: ItemPath) -> Range<Double>? {
    let attributes = collectionView.layoutAttributesForItem(at: IndexPath(path))
    return attributes.flatMap { scrollState.span(of: $0.frame) }
  }

  func sight(in state: ScrollState) -> Sight {
    let layout = collectionView.collectionViewLayout
    let all = layout.layoutAttributesForElements(in: collectionView.bounds) ?? []
    return Sight(
      cells: all.filter { $0.representedElementCategory == .cell }.compactMap { cell in
        PlacedView(cell.frame, zIndex: cell.zIndex, in: state).map {
          (ItemPath(cell.indexPath), $0)
        }
      },
      others: all.filter { $0.representedElementCategory == .supplementaryView }
        .compactMap { PlacedView($0.frame, zIndex: $0.zIndex, in: state) },
      in: state)
  }

  func stopScrolling() { stopScrolling(collectionView) }

  /// Whether the view was scrolled, and the host keeps the rows there while others are measured.
  var keepsScrolledRows: Bool { keepsPosition && place.scrolled != nil && place.goal == nil }

  func revealAcross(_ path: ItemPath) -> Bool {
    collectionView.layoutIfNeeded()
    guard let layout, layout.reveal(path) else { return false }
    // What comes into sight may be measured.
    collectionView.layoutIfNeeded()
    return true
  }

  func scroll(toOrigin origin: Double) {
    let offset = collectionView.contentOffset
    collectionView.contentOffset = scrollState.point(offset, movedTo: origin)
    collectionView.layoutIfNeeded()
  }

  /// The content offset at which what is held is in place.
  private var heldContentOffset: CGPoint {
    let (state, offset) = (scrollState, collectionView.contentOffset)
    return state.point(offset, movedTo: settle() - state.insets.start)
  }
}
#endif
