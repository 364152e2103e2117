#if canImport(UIKit) && !os(watchOS)
import DiffableLayout
import UIKit

extension CGSize {
  init(_ extent: LayoutExtent) {
    self.init(width: CGFloat(extent.width), height: CGFloat(extent.height))
  }
}

extension CGRect {
  init(_ rect: LayoutRect) {
    self.init(
      x: CGFloat(rect.x), y: CGFloat(rect.y), width: CGFloat(rect.width),
      height: CGFloat(rect.height))
  }
}

extension LayoutExtent {
  init(_ size: CGSize) {
    self.init(width: Double(size.width), height: Double(size.height))
  }
}

extension LayoutRect {
  init(_ rect: CGRect) {
    self.init(
      x: Double(rect.origin.x), y: Double(rect.origin.y), width: Double(rect.size.width),
      height: Double(rect.size.height))
  }
}

extension LayoutPath {
  /// The element at an index path; views of the layout as a whole have a path with one index.
  init(_ indexPath: IndexPath) {
    self = indexPath.count == 2 ? .init(section: indexPath[0], item: indexPath[1]) : .layout
  }

  var indexPath: IndexPath {
    self == .layout ? IndexPath(index: 0) : IndexPath(item: item, section: section)
  }
}

extension LayoutElement {
  @MainActor init?(_ attributes: UICollectionViewLayoutAttributes) {
    let path = LayoutPath(attributes.indexPath)
    switch (attributes.representedElementCategory, attributes.representedElementKind) {
    case (.cell, _): self = .item(path)
    case (.supplementaryView, let kind?): self = .supplementary(kind: kind, path)
    case (.decorationView, let kind?): self = .decoration(kind: kind, path)
    default: return nil
    }
  }
}

extension UICollectionViewLayoutAttributes {
  convenience init(_ attributes: LayoutAttributes) {
    let path = attributes.element.path.indexPath
    switch attributes.element {
    case .item: self.init(forCellWith: path)
    case .supplementary(let kind, _):
      self.init(forSupplementaryViewOfKind: kind, with: path)
    case .decoration(let kind, _): self.init(forDecorationViewOfKind: kind, with: path)
    }
    frame = CGRect(attributes.frame)
    zIndex = attributes.zIndex
    alpha = CGFloat(attributes.alpha)
    isHidden = attributes.isHidden
    let transform = attributes.transform
    guard transform != .identity else { return }
    self.transform = CGAffineTransform(
      a: transform.a, b: transform.b, c: transform.c, d: transform.d, tx: transform.tx,
      ty: transform.ty)
  }
}

extension LayoutEnvironment {
  /// The space that a view provides for its layout.
  @MainActor init(of view: UICollectionView) {
    let isRightToLeft = view.effectiveUserInterfaceLayoutDirection == .rightToLeft
    func insets(_ insets: UIEdgeInsets) -> LayoutInsets {
      LayoutInsets(
        top: Double(insets.top), leading: Double(isRightToLeft ? insets.right : insets.left),
        bottom: Double(insets.bottom), trailing: Double(isRightToLeft ? insets.left : insets.right))
    }
    self.init(
      width: Double(view.bounds.width), height: Double(view.bounds.height),
      scale: Double(max(1, view.traitCollection.displayScale)),
      direction: isRightToLeft ? .rightToLeft : .leftToRight,
      safeArea: insets(view.safeAreaInsets), layoutMargins: insets(view.layoutMargins))
  }

  /// Whether another environment provides the same space.
  func isSameSpace(as other: LayoutEnvironment) -> Bool {
    container == other.container && scale == other.scale && direction == other.direction
      && safeArea == other.safeArea && layoutMargins == other.layoutMargins
  }
}
#endif
