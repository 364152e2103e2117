import Diffable
import StandInSupport

/// developer.apple.com/documentation/appkit/nscollectionelementcategory
public enum NSCollectionElementCategory: Int, Sendable {
  case item = 0
  case supplementaryView = 1
  case decorationView = 2
  case interItemGap = 3
}

/// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes
@MainActor open class NSCollectionViewLayoutAttributes: NSObject {
  /// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes/frame
  open var frame: NSRect = .zero
  /// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes/zindex
  open var zIndex = 0
  /// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes/indexpath
  open var indexPath: IndexPath?
  /// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes/representedelementcategory
  open private(set) var representedElementCategory = NSCollectionElementCategory.item
  /// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes/representedelementkind
  open private(set) var representedElementKind: String?

  init(_ indexPath: IndexPath, header: String? = nil, frame: NSRect) {
    super.init()
    (self.indexPath, self.frame, representedElementKind) = (indexPath, frame, header)
    if header != nil { representedElementCategory = .supplementaryView }
  }
}

/// developer.apple.com/documentation/appkit/nscollectionviewlayoutinvalidationcontext
@MainActor open class NSCollectionViewLayoutInvalidationContext: NSObject {
  public required override init() { super.init() }

  /// developer.apple.com/documentation/appkit/nscollectionviewlayoutinvalidationcontext/invalidateitems(at:)
  open func invalidateItems(at indexPaths: Set<IndexPath>) {}
}

/// developer.apple.com/documentation/appkit/nscollectionviewlayout
///
/// Here it makes one column of items, each section under its header, or one row of them in the
/// direction in which the view is read.
@MainActor open class NSCollectionViewLayout: NSObject {
  /// developer.apple.com/documentation/appkit/nscollectionviewlayout/collectionview
  open internal(set) weak var collectionView: NSCollectionView?

  /// developer.apple.com/documentation/appkit/nscollectionviewlayout/invalidationcontextclass
  open class var invalidationContextClass: AnyClass {
    NSCollectionViewLayoutInvalidationContext.self
  }

  /// developer.apple.com/documentation/appkit/nscollectionviewlayout/invalidatelayout(with:)
  open func invalidateLayout(with context: NSCollectionViewLayoutInvalidationContext) {
    collectionView?.needsLayout = true
  }

  /// developer.apple.com/documentation/appkit/nscollectionviewlayout/layoutattributesforelements(in:)
  open func layoutAttributesForElements(in rect: NSRect) -> [NSCollectionViewLayoutAttributes] {
    guard let collectionView else { return [] }
    return attributes(of: collectionView.belief.list).filter { $0.frame.overlaps(rect) }
  }

  var headerHeight: CGFloat { 0 }
  /// Whether a header of the first section on the screen stays at the top.
  var pinsHeaders: Bool { false }

  /// Whether there is one row, and not one column.
  var isHorizontal: Bool { false }

  /// Whether that row begins at its right end.
  var isMirrored: Bool {
    isHorizontal && collectionView?.userInterfaceLayoutDirection == .rightToLeft
      && collectionView?.habits.contains(.mirrorsRows) == true
  }

  /// Everything from top to bottom, or along the row.
  func attributes(of list: ShownList) -> [NSCollectionViewLayoutAttributes] {
    guard let collectionView else { return [] }
    var all: [NSCollectionViewLayoutAttributes] = []
    var y: CGFloat = 0
    let breadth = isHorizontal ? collectionView.bounds.height : collectionView.bounds.width
    func place(_ path: IndexPath, header: String? = nil, height: CGFloat) {
      let frame = NSRect(x: 0, y: y, width: breadth, height: height)
      all.append(NSCollectionViewLayoutAttributes(path, header: header, frame: frame))
      y += height
    }
    var pinned: [(header: Int, end: CGFloat)] = []
    for (index, section) in list.sections.enumerated() {
      let first = all.count
      if headerHeight > 0 {
        place(
          IndexPath(item: 0, section: index), header: NSCollectionView.elementKindSectionHeader,
          height: headerHeight)
      }
      for (item, id) in section.items.enumerated() {
        place(IndexPath(item: item, section: index), height: collectionView.height(of: id))
      }
      if pinsHeaders { pinned.append((first, y - headerHeight)) }
    }
    for (header, end) in pinned {
      pin(all[header], to: min(start(ofVisible: collectionView, length: y), end), collectionView)
    }
    if isHorizontal { for element in all { element.frame = element.frame.transposed } }
    if isMirrored { for element in all { element.frame.origin.x = y - element.frame.maxX } }
    return all
  }

  /// How long everything is together.
  func length(of list: ShownList) -> CGFloat {
    guard let collectionView else { return 0 }
    let items = list.sections.flatMap(\.items).map(collectionView.height(of:)).reduce(0, +)
    return items + headerHeight * CGFloat(list.sections.count)
  }

  /// Where the visible part begins, from the beginning of what is so long.
  private func start(ofVisible view: NSCollectionView, length: CGFloat) -> CGFloat {
    let insets = view.enclosingScrollView?.contentInsets ?? NSEdgeInsets()
    let visible = view.visibleRect
    if isMirrored { return length - visible.maxX + insets.right }
    return isHorizontal ? visible.minX + insets.left : visible.minY + insets.top
  }

  private func pin(
    _ header: NSCollectionViewLayoutAttributes, to top: CGFloat, _ view: NSCollectionView
  ) {
    guard top > header.frame.minY else { return }
    header.frame.origin.y = top
    if view.habits.contains(.raisesPinnedHeaders) { header.zIndex = 10 }
  }
}

/// developer.apple.com/documentation/appkit/nscollectionviewflowlayout
@MainActor open class NSCollectionViewFlowLayout: NSCollectionViewLayout {
  /// developer.apple.com/documentation/appkit/nscollectionviewflowlayout/headerreferencesize
  open var headerReferenceSize: NSSize = .zero
  /// developer.apple.com/documentation/appkit/nscollectionviewflowlayout/sectionheaderspintovisiblebounds
  open var sectionHeadersPinToVisibleBounds = false

  /// developer.apple.com/documentation/appkit/nscollectionviewflowlayout/scrolldirection
  open var scrollDirection = NSCollectionView.ScrollDirection.vertical

  override var isHorizontal: Bool { scrollDirection == .horizontal }
  override var headerHeight: CGFloat {
    isHorizontal ? headerReferenceSize.width : headerReferenceSize.height
  }
  override var pinsHeaders: Bool { sectionHeadersPinToVisibleBounds && headerHeight > 0 }
}
