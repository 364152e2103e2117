extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/scrolldirection
  public enum ScrollDirection: Int, Sendable {
    case vertical = 0
    case horizontal = 1
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/elementkindsectionheader
  public class var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }
}

/// developer.apple.com/documentation/uikit/uicollectionviewflowlayoutinvalidationcontext
@MainActor
open class UICollectionViewFlowLayoutInvalidationContext:
  UICollectionViewLayoutInvalidationContext
{}

/// developer.apple.com/documentation/uikit/uicollectionviewflowlayout
///
/// Here it makes one column of items from top to bottom, each section under its header, or one row of
/// them from left to right.
@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
  /// developer.apple.com/documentation/uikit/uicollectionviewflowlayout/itemsize
  open var itemSize = CGSize(width: 50, height: 50)
  /// developer.apple.com/documentation/uikit/uicollectionviewflowlayout/minimumlinespacing
  open var minimumLineSpacing: CGFloat = 10
  /// developer.apple.com/documentation/uikit/uicollectionviewflowlayout/headerreferencesize
  open var headerReferenceSize: CGSize = .zero

  /// developer.apple.com/documentation/uikit/uicollectionviewflowlayout/scrolldirection
  open var scrollDirection = UICollectionView.ScrollDirection.vertical

  open override class var invalidationContextClass: AnyClass {
    UICollectionViewFlowLayoutInvalidationContext.self
  }

  private var attributes: [UICollectionViewLayoutAttributes] = []
  private var size = CGSize.zero

  open override func prepare() {
    guard let collectionView else { return }
    attributes = []
    var end: CGFloat = 0
    let isHorizontal = scrollDirection == .horizontal
    func place(_ element: UICollectionViewLayoutAttributes, size: CGSize) {
      let origin = isHorizontal ? CGPoint(x: end, y: 0) : CGPoint(x: 0, y: end)
      element.frame = CGRect(origin: origin, size: size)
      attributes.append(element)
      end += length(of: size)
    }
    for section in 0..<collectionView.numberOfSections {
      if length(of: headerReferenceSize) > 0 {
        let header = UICollectionViewLayoutAttributes(
          forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
          with: IndexPath(item: 0, section: section))
        place(header, size: headerReferenceSize)
      }
      for item in 0..<collectionView.numberOfItems(inSection: section) {
        let cell = UICollectionViewLayoutAttributes(
          forCellWith: IndexPath(item: item, section: section))
        place(cell, size: itemSize)
        end += minimumLineSpacing
      }
    }
    let bounds = collectionView.bounds
    size =
      isHorizontal
      ? CGSize(width: end, height: bounds.height) : CGSize(width: bounds.width, height: end)
  }

  /// The content is as wide as the view, or as high if it scrolls sideways.
  open override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    scrollDirection == .horizontal
      ? newBounds.height != size.height : newBounds.width != size.width
  }

  private func length(of size: CGSize) -> CGFloat {
    scrollDirection == .horizontal ? size.width : size.height
  }

  open override var collectionViewContentSize: CGSize { size }

  open override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    attributes.filter { $0.frame.overlaps(rect) }
  }

  open override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes.first { $0.representedElementCategory == .cell && $0.indexPath == indexPath }
  }

  open override func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes.first { $0.representedElementKind == elementKind && $0.indexPath == indexPath }
  }
}

extension CGRect {
  /// Whether two rectangles have an area in common; those that touch have none.
  func overlaps(_ other: CGRect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }
}
