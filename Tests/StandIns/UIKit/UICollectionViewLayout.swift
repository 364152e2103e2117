import StandInSupport

extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/elementcategory
  public enum ElementCategory: UInt, Sendable {
    case cell = 0
    case supplementaryView = 1
    case decorationView = 2
  }
}

/// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes
@MainActor open class UICollectionViewLayoutAttributes: NSObject {
  public required override init() { super.init() }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/init(forcellwith:)
  public convenience init(forCellWith indexPath: IndexPath) {
    self.init()
    self.indexPath = indexPath
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/init(forsupplementaryviewofkind:with:)
  public convenience init(
    forSupplementaryViewOfKind elementKind: String, with indexPath: IndexPath
  ) {
    self.init()
    self.indexPath = indexPath
    representedElementCategory = .supplementaryView
    representedElementKind = elementKind
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/init(fordecorationviewofkind:with:)
  public convenience init(
    forDecorationViewOfKind decorationViewKind: String, with indexPath: IndexPath
  ) {
    self.init()
    self.indexPath = indexPath
    representedElementCategory = .decorationView
    representedElementKind = decorationViewKind
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/indexpath
  open var indexPath = IndexPath(item: 0, section: 0)
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/representedelementcategory
  open private(set) var representedElementCategory = UICollectionView.ElementCategory.cell
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/representedelementkind
  open private(set) var representedElementKind: String?
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/frame
  open var frame: CGRect = .zero
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/size
  open var size: CGSize {
    get { frame.size }
    set {
      frame = CGRect(
        x: frame.midX - newValue.width / 2, y: frame.midY - newValue.height / 2,
        width: newValue.width, height: newValue.height)
    }
  }
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/alpha
  open var alpha: CGFloat = 1
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/zindex
  open var zIndex = 0
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/ishidden
  open var isHidden = false
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/transform
  open var transform: CGAffineTransform = .identity

  /// A copy, which a real class makes by `copy()`.
  func duplicate() -> UICollectionViewLayoutAttributes {
    let copy = type(of: self).init()
    copy.indexPath = indexPath
    copy.representedElementCategory = representedElementCategory
    copy.representedElementKind = representedElementKind
    (copy.frame, copy.alpha, copy.zIndex, copy.isHidden) = (frame, alpha, zIndex, isHidden)
    copy.transform = transform
    return copy
  }
}

/// developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext
@MainActor open class UICollectionViewLayoutInvalidationContext: NSObject {
  public required override init() { super.init() }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/invalidateeverything
  open internal(set) var invalidateEverything = false
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/invalidatedatasourcecounts
  open internal(set) var invalidateDataSourceCounts = false
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/invalidateditemindexpaths
  open private(set) var invalidatedItemIndexPaths: [IndexPath]?
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/contentoffsetadjustment
  open var contentOffsetAdjustment: CGPoint = .zero
  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/contentsizeadjustment
  open var contentSizeAdjustment: CGSize = .zero

  /// developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/invalidateitems(at:)
  open func invalidateItems(at indexPaths: [IndexPath]) {
    invalidatedItemIndexPaths = (invalidatedItemIndexPaths ?? []) + indexPaths
  }
}

/// developer.apple.com/documentation/uikit/uicollectionviewupdateitem
@MainActor open class UICollectionViewUpdateItem: NSObject {
  /// developer.apple.com/documentation/uikit/uicollectionviewupdateitem/action
  public enum Action: Int, Sendable {
    case insert = 0
    case delete = 1
    case reload = 2
    case move = 3
    case none = 4
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewupdateitem/indexpathbeforeupdate
  open private(set) var indexPathBeforeUpdate: IndexPath?
  /// developer.apple.com/documentation/uikit/uicollectionviewupdateitem/indexpathafterupdate
  open private(set) var indexPathAfterUpdate: IndexPath?
  /// developer.apple.com/documentation/uikit/uicollectionviewupdateitem/updateaction
  open private(set) var updateAction: UICollectionViewUpdateItem.Action = .none

  init(_ action: Action, before: IndexPath?, after: IndexPath?) {
    super.init()
    (updateAction, indexPathBeforeUpdate, indexPathAfterUpdate) = (action, before, after)
  }
}

/// developer.apple.com/documentation/uikit/uicollectionviewlayout
@MainActor open class UICollectionViewLayout: NSObject {
  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/init()
  public override init() { super.init() }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/init(coder:)
  public required init?(coder: NSCoder) { return nil }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/collectionview
  open internal(set) weak var collectionView: UICollectionView?
  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/invalidationcontextclass
  open class var invalidationContextClass: AnyClass {
    UICollectionViewLayoutInvalidationContext.self
  }
  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/collectionviewcontentsize
  open var collectionViewContentSize: CGSize { .zero }

  var isPrepared = false

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/prepare()
  open func prepare() {}

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesforelements(in:)
  open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    nil
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesforitem(at:)
  open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    nil
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesforsupplementaryview(ofkind:at:)
  open func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    nil
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesfordecorationview(ofkind:at:)
  open func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    nil
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/register(_:fordecorationviewofkind:)-361k6
  open func register(_ viewClass: AnyClass?, forDecorationViewOfKind elementKind: String) {
    decorationClasses[elementKind] = viewClass
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/register(_:fordecorationviewofkind:)
  open func register(_ nib: UINib?, forDecorationViewOfKind elementKind: String) {
    decorationClasses[elementKind] = nib.map { _ in UICollectionReusableView.self }
  }

  var decorationClasses: [String: AnyClass] = [:]

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/targetcontentoffset(forproposedcontentoffset:)
  open func targetContentOffset(forProposedContentOffset proposedContentOffset: CGPoint) -> CGPoint
  {
    proposedContentOffset
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/invalidatelayout()
  open func invalidateLayout() {
    let context = makeInvalidationContext()
    context.invalidateEverything = true
    invalidateLayout(with: context)
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/invalidatelayout(with:)
  open func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if type(of: context) != type(of: self).invalidationContextClass {
      collectionView?.raise(
        .init("The invalidation context is not of the class that the layout says."))
    }
    isPrepared = false
    collectionView?.layoutIsInvalid(context)
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/shouldinvalidatelayout(forboundschange:)
  open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/invalidationcontext(forboundschange:)
  open func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext {
    makeInvalidationContext()
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/shouldinvalidatelayout(forpreferredlayoutattributes:withoriginalattributes:)
  open func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool {
    false
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/invalidationcontext(forpreferredlayoutattributes:withoriginalattributes:)
  open func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = makeInvalidationContext()
    if preferredAttributes.representedElementCategory == .cell,
      collectionView?.habits.contains(.listsMeasuredPaths) == true
    {
      context.invalidateItems(at: [preferredAttributes.indexPath])
    }
    return context
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/prepare(forcollectionviewupdates:)
  open func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {}

  /// developer.apple.com/documentation/uikit/uicollectionviewlayout/finalizecollectionviewupdates()
  open func finalizeCollectionViewUpdates() {}

  func makeInvalidationContext() -> UICollectionViewLayoutInvalidationContext {
    let contextClass =
      type(of: self).invalidationContextClass as? UICollectionViewLayoutInvalidationContext.Type
    return (contextClass ?? UICollectionViewLayoutInvalidationContext.self).init()
  }
}
