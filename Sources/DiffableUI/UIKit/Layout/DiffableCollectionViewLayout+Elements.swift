#if canImport(UIKit) && !os(watchOS)
import DiffableLayout
import DiffableViews
import UIKit

extension DiffableCollectionViewLayout {
  /// The attributes of an element, where `layoutAttributesForElements(in:)` says that it is.
  func attributes(for element: LayoutElement) -> UICollectionViewLayoutAttributes? {
    // Other sections do not matter for where it is.
    let state = scrollState(ofSections: [element.path.section])
    return solved?.attributes(for: element, scrolled: state)
      .map { UICollectionViewLayoutAttributes($0) }
  }

  /// The scroll positions of the view and its orthogonal sections.
  ///
  /// - Complexity: O(k) for the k sections that were scrolled: all others are where the layout has them.
  var scrollState: LayoutScrollState? { scrollState(ofSections: offsets.sections) }

  private func scrollState(ofSections sections: [Int]) -> LayoutScrollState? {
    guard let collectionView, let solved else { return nil }
    var visible = LayoutRect(collectionView.bounds)
    let inset = collectionView.adjustedContentInset
    visible.x += Double(inset.left)
    visible.y += Double(inset.top)
    visible.width = max(0, visible.width - Double(inset.left + inset.right))
    visible.height = max(0, visible.height - Double(inset.top + inset.bottom))
    var all: [Int: Double] = [:]
    for section in sections {
      guard let row = solved.orthogonalRow(ofSection: section) else { continue }
      all[section] = offsets.offset(ofSection: section, row)
    }
    return LayoutScrollState(visibleBounds: visible, orthogonalOffsets: all)
  }
}
#endif
