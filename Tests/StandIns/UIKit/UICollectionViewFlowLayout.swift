extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/scrolldirection
  public enum ScrollDirection: Int, Sendable {
    case vertical = 0
    case horizontal = 1
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/elementkindsectionheader
  public class var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }
  /// developer.apple.com/documentation/uikit/uicollectionview/elementkindsectionfooter
  public class var elementKindSectionFooter: String { "UICollectionElementKindSectionFooter" }
}

/// developer.apple.com/documentation/uikit/uicollectionviewflowlayoutinvalidationcontext
@MainActor
open class UICollectionViewFlowLayoutInvalidationContext:
  UICollectionViewLayoutInvalidationContext
{}

/// developer.apple.com/documentation/uikit/uicollectionviewflowlayout
///
/// Here it makes one column of items from top to bottom, each section under its header.
@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
  /// developer.apple.com/documentation/uikit/uicollectionviewflowlayout/itemsize
  open var itemSize = CGSize(width: 50, height: 50)
  /// developer.apple.com/documentation/uikit/uicollectionviewflowlayout/minimumlinespacing
  open var minimumLineSpacing: CGFloat = 10
  /// developer.apple.com/documentation/uikit/uicollectionviewflowlayout/headerreferencesize
  open var headerReferenceSize: CGSize = .zero

  open override class var invalidationContextClass: AnyClass {
    UICollectionViewFlowLayoutInvalidationContext.self
  }

  private var attributes: [UICollectionViewLayoutAttributes] = []
  private var size = CGSize.zero

  open override func prepare() {
    guard let collectionView else { return }
    attributes = []
    var y: CGFloat = 0
    for section in 0..<collectionView.numberOfSections {
      if headerReferenceSize.height > 0 {
        let header = UICollectionViewLayoutAttributes(
          forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
          with: IndexPath(item: 0, section: section))
        header.frame = CGRect(origin: CGPoint(x: 0, y: y), size: headerReferenceSize)
        attributes.append(header)
        y += headerReferenceSize.height
      }
      for item in 0..<collectionView.numberOfItems(inSection: section) {
        let cell = UICollectionViewLayoutAttributes(
          forCellWith: IndexPath(item: item, section: section))
        cell.frame = CGRect(origin: CGPoint(x: 0, y: y), size: itemSize)
        attributes.append(cell)
        y += itemSize.height + minimumLineSpacing
      }
    }
    size = CGSize(width: collectionView.bounds.width, height: y)
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
