import Diffable
import DiffableTesting
import StandInSupport

/// developer.apple.com/documentation/uikit/uicollectionview
@MainActor open class UICollectionView: UIScrollView {
  /// developer.apple.com/documentation/uikit/uicollectionview/init(frame:collectionviewlayout:)
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
    layout.collectionView = self
  }

  public required init(frame: CGRect) {
    fatalError("UICollectionView must be initialized with a non-nil layout parameter")
  }

  public required init?(coder: NSCoder) { return nil }

  /// developer.apple.com/documentation/uikit/uicollectionview/collectionviewlayout
  open var collectionViewLayout: UICollectionViewLayout {
    didSet {
      collectionViewLayout.collectionView = self
      collectionViewLayout.invalidateLayout()
    }
  }
  /// developer.apple.com/documentation/uikit/uicollectionview/delegate
  open weak var delegate: (any UICollectionViewDelegate)?
  /// developer.apple.com/documentation/uikit/uicollectionview/datasource
  open weak var dataSource: (any UICollectionViewDataSource)? {
    didSet { reloadData() }
  }
  /// developer.apple.com/documentation/uikit/uicollectionview/prefetchdatasource
  open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
  /// developer.apple.com/documentation/uikit/uicollectionview/allowsselection
  open var allowsSelection = true
  /// developer.apple.com/documentation/uikit/uicollectionview/allowsmultipleselection
  open var allowsMultipleSelection = false
  /// developer.apple.com/documentation/uikit/uicollectionview/allowsmultipleselectionduringediting
  open var allowsMultipleSelectionDuringEditing = false
  /// developer.apple.com/documentation/uikit/uicollectionview/isediting
  open var isEditing = false

  lazy var belief = ListBelief(
    profile: .collectionView, isInWindow: { [unowned self] in window != nil },
    raise: { [unowned self] in raise($0) },
    ask: { [unowned self] in
      guard let dataSource else { return [] }
      return (0..<dataSource.numberOfSections(in: self)).map {
        dataSource.collectionView(self, numberOfItemsInSection: $0)
      }
    })
  /// The views on the screen, by the numbers of their items and sections.
  var cells: [Int: UICollectionViewCell] = [:]
  /// The number of the item whose cell is not on the screen yet.
  var prepared: Int?
  var supplementaryViews: [SupplementaryKey: UICollectionReusableView] = [:]
  var registeredClasses: [String: AnyClass] = [:]
  var freeViews: [String: [UICollectionReusableView]] = [:]
  /// What was dequeued while the data source is asked for a view.
  var dequeued: [UICollectionReusableView]?
  /// The cell that is configured again.
  var reconfigured: UICollectionViewCell?
  var selected: Set<Int> = []
  var prefetched = PrefetchedItems()

  struct SupplementaryKey: Hashable {
    let kind: String
    let section: Int
    let item: Int
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/numberofsections
  open var numberOfSections: Int { belief.list.sections.count }

  /// developer.apple.com/documentation/uikit/uicollectionview/numberofitems(insection:)
  open func numberOfItems(inSection section: Int) -> Int {
    belief.itemCount(inSection: section, habits)
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/reloaddata()
  open func reloadData() {
    selected = belief.forget(selected: selected, habits)
    for cell in cells.values { free(cell) }
    for view in supplementaryViews.values { free(view) }
    (cells, supplementaryViews, prefetched) = ([:], [:], PrefetchedItems())
    collectionViewLayout.invalidateLayout()
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/visiblecells
  open var visibleCells: [UICollectionViewCell] {
    cells.filter { $0.key != prepared }.map(\.value)
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/indexpathsforvisibleitems
  open var indexPathsForVisibleItems: [IndexPath] {
    // In no order, as a real view says.
    cells.keys.filter { $0 != prepared }.compactMap { belief.shown?.path(of: $0) }.map {
      IndexPath(item: $0.item, section: $0.section)
    }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/cellforitem(at:)
  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    id(at: indexPath).flatMap { cells[$0] }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/indexpath(for:)
  open func indexPath(for cell: UICollectionViewCell) -> IndexPath? {
    indexPathsForVisibleItems.first { cellForItem(at: $0) === cell }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/supplementaryview(forelementkind:at:)
  open func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? {
    guard let shown = belief.shown, shown.sections.indices.contains(indexPath.section) else {
      return nil
    }
    let key = SupplementaryKey(
      kind: elementKind, section: shown.sections[indexPath.section].id, item: indexPath.item)
    return supplementaryViews[key]
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/indexpathsforvisiblesupplementaryelements(ofkind:)
  open func indexPathsForVisibleSupplementaryElements(ofKind elementKind: String) -> [IndexPath] {
    // In no order, as a real view says.
    supplementaryViews.keys.filter { $0.kind == elementKind }.compactMap { key in
      guard key.section >= 0 else { return IndexPath(index: key.item) }
      return belief.shown?.sections.firstIndex { $0.id == key.section }
        .map { IndexPath(item: key.item, section: $0) }
    }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/layoutattributesforitem(at:)
  open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    prepareLayout()
    return collectionViewLayout.layoutAttributesForItem(at: indexPath)
  }

  open override var bounds: CGRect {
    get { super.bounds }
    set {
      guard newValue != storedBounds else { return }
      let former = storedBounds
      super.bounds = newValue
      defer { if former.origin != newValue.origin { delegate?.scrollViewDidScroll(self) } }
      if collectionViewLayout.shouldInvalidateLayout(forBoundsChange: newValue) {
        collectionViewLayout.invalidateLayout(
          with: collectionViewLayout.invalidationContext(forBoundsChange: newValue))
      }
      setNeedsLayout()
    }
  }

  open override func layoutSubviews() { layOutViews() }

  override var scrollDelegate: (any UIScrollViewDelegate)? { delegate }

  func id(at indexPath: IndexPath) -> Int? {
    belief.shown?.id(at: ItemPath(section: indexPath.section, item: indexPath.item))
  }
}
