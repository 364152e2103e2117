#if canImport(UIKit) && !os(watchOS)
import DiffableLayout
import DiffableViews
import UIKit

extension DiffableCollectionViewLayout {
  func attributes(for element: LayoutElement) -> UICollectionViewLayoutAttributes? {
    guard let solved, let resting = solved.attributes(for: element) else { return nil }
    let isMovable = solved.dependsOnScrolling || !offsets.isEmpty
    guard isMovable, let scrollState else { return UICollectionViewLayoutAttributes(resting) }
    // A view that is pinned, scrolled across or dragged is where it is visible, while it is
    // visible.
    let seen = solved.elements(in: scrollState.visibleBounds, scrolled: scrollState)
      .first { $0.element == element }
    return UICollectionViewLayoutAttributes(seen ?? resting)
  }

  /// The scroll positions of the view and its orthogonal sections.
  var scrollState: LayoutScrollState? {
    guard let collectionView, let solved else { return nil }
    var visible = LayoutRect(collectionView.bounds)
    let inset = collectionView.adjustedContentInset
    visible.x += Double(inset.left)
    visible.y += Double(inset.top)
    visible.width = max(0, visible.width - Double(inset.left + inset.right))
    visible.height = max(0, visible.height - Double(inset.top + inset.bottom))
    var all: [Int: Double] = [:]
    for section in solved.itemCounts.indices {
      guard let row = solved.orthogonalRow(ofSection: section) else { continue }
      all[section] = offsets.offset(ofSection: section, row)
    }
    return LayoutScrollState(visibleBounds: visible, orthogonalOffsets: all)
  }
}
#endif
