#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import Diffable
public import DiffableViews

/// An `NSCollectionView` as the host of a `ListController`.
///
/// ```swift
/// let host = NSCollectionViewHost(collectionView: collectionView)
/// let controller = ListController(host: host, following: source) { cells, path, photo in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: photo)
/// }
/// ```
///
/// Keep the host and the controller as long as the view: nothing else holds them.
///
/// The host gives the view a data source, which it holds, and is its delegate, unless the view has
/// another delegate. In that case your delegate forwards the methods that the host has, such as
/// ``collectionView(_:didSelectItemsAt:)``. A prefetch data source of your own
/// stays, too; then the `prefetchHandler` of the controller is not called.
///
/// The view makes the cells, which are items. A registration names their class, a subclass of
/// `NSCollectionViewItem` that loads its view by itself; the closure of the registration that makes
/// a cell is not called. Supplementary views are made in the same way. AppKit demands that their
/// class, a subclass of `NSView`, adopts `NSCollectionViewElement`. If a provider fails, an empty
/// item is shown.
///
/// A list that scrolls sideways begins at its right end if the view is read from right to left, and the
/// first item is to the right of the last one.
@MainActor
public final class NSCollectionViewHost: NSObject {
  /// The view.
  public let collectionView: NSCollectionView
  /// What the view shows; not held.
  public weak var content: (any ListContent<NSCollectionViewItem, NSView>)?
  /// The updates that the view accepts; set its limit to show larger changes from scratch.
  public var profile = ListProfile.movesApart
  /// Whether a scrolled view keeps its first items in place when items above them change.
  ///
  /// It is `true` at first.
  public var keepsPosition = true
  /// The place on the screen, as last observed.
  var place = ScrolledPlace()
  private var observer: ClipViewObserver?
  private var dataSource: DataSource?
  private let animation = ClipViewAnimation()
  /// Whether the user may drag an item to another place; without it, no item may be dragged.
  ///
  /// The controller knows of the drag from its beginning, see `ListController.beginReorder(_:)`: no
  /// batch is shown until the drop. Then the source moves the items, and the view follows.
  public var canReorderItem: (@MainActor (ItemPath) -> Bool)? {
    didSet { if canReorderItem != nil { ItemDrags.register(in: collectionView) } }
  }

  let drags = ItemDrags()
  private var kinds: Set<String> = []
  /// The kind of the supplementary view that the view asks for.
  var askedKind: String?
  static let placeholder = NSUserInterfaceItemIdentifier("DiffableUI.placeholder")

  /// Shown if a provider fails.
  private final class PlaceholderItem: NSCollectionViewItem {
    override func loadView() { view = NSView(frame: .zero) }
  }

  /// Shown if a provider of supplementary views fails.
  final class PlaceholderView: NSView, NSCollectionViewElement {}

  /// Creates a host that lets a view show what a controller provides.
  ///
  /// - Parameter collectionView: The view. It is shown empty until there is a controller.
  public init(collectionView: NSCollectionView) {
    self.collectionView = collectionView
    super.init()
    collectionView.register(PlaceholderItem.self, forItemWithIdentifier: Self.placeholder)
    (collectionView.dataSource as? DataSource)?.host?.leaveView()
    let dataSource = DataSource(of: self)
    self.dataSource = dataSource
    collectionView.dataSource = dataSource
    if collectionView.prefetchDataSource == nil || collectionView.prefetchDataSource is DataSource {
      collectionView.prefetchDataSource = dataSource
    }
    if collectionView.delegate == nil || collectionView.delegate is Self {
      collectionView.delegate = self
    }
  }

  /// Leaves the view to another host: neither a change nor a scroll leads here any more.
  private func leaveView() {
    loseController()
    observer = nil
  }

  /// Records a kind of views, and where a layout puts them; `false` if it is known.
  private func isNew(_ kind: ReuseKind, for elementKind: String = "") -> Bool {
    kinds.insert(elementKind + " " + kind.identifier).inserted
  }
}

extension NSCollectionViewHost: ListHost {
  /// Whether the view is in a window, and asks this host.
  public var takesStages: Bool {
    collectionView.window != nil && collectionView.dataSource === dataSource
  }
  /// The number of sections that the view has requested last.
  public var numberOfSections: Int { collectionView.numberOfSections }

  /// Reloads the view.
  public func reset(keeping anchor: ListAnchor) {
    observeScrolling()
    reload(keeping: anchor) {
      collectionView.reloadData()
      if takesStages { collectionView.layoutSubtreeIfNeeded() }
    }
  }

  private func observeScrolling() {
    place.reportsScrolling = ClipViewObserver.follow(
      collectionView, &observer, willLayOut: { [weak self] in self?.noteScroll() },
      report: { [weak self] in self?.follow() },
      reportTouch: { [weak self] in self?.willStartLiveScroll() })
  }

  /// Performs a stage: structural changes as one update of the view, refreshes separately.
  public func perform(_ stage: ListStage) {
    observeScrolling()
    // A view without layout would ask for counts in the middle of the update.
    collectionView.layoutSubtreeIfNeeded()
    let view = stage.isAnimated ? collectionView.animator() : collectionView
    guard stage.difference.isStructural else {
      update(keeping: stage.anchor) {
        stage.begin()
        call(stage.difference, view)
        measureAgain(stage.difference.itemReconfigures)
        collectionView.layoutSubtreeIfNeeded()
      }
      return stage.end()
    }
    update(keeping: stage.anchor) {
      view.performBatchUpdates {
        stage.begin()
        self.call(stage.difference, self.collectionView)
      } completionHandler: { _ in
        stage.end()
      }
    }
  }

  private func call(_ difference: SnapshotDifference, _ view: NSCollectionView) {
    difference.call(
      deleteSections: { view.deleteSections($0) }, insertSections: { view.insertSections($0) },
      moveSection: { view.moveSection($0, toSection: $1) },
      reloadSections: { view.reloadSections($0) },
      deleteItems: { view.deleteItems(at: Set($0)) },
      insertItems: { view.insertItems(at: Set($0)) },
      moveItem: { view.moveItem(at: $0, to: $1) },
      reloadItems: { view.reloadItems(at: Set($0)) })
  }

  /// Lets the layout measure self-sizing items again that show something else.
  private func measureAgain(_ items: ItemPathSet) {
    guard !items.isEmpty, let layout = collectionView.collectionViewLayout,
      let contextClass = type(of: layout).invalidationContextClass
        as? NSCollectionViewLayoutInvalidationContext.Type
    else { return }
    let paths = visibleItemPaths.filter(items.contains)
    guard !paths.isEmpty else { return }
    let context = contextClass.init()
    context.invalidateItems(at: Set(paths.map { IndexPath($0) }))
    layout.invalidateLayout(with: context)
  }
}

// MARK: Views

extension NSCollectionViewHost {
  /// An item made by the view, from the class of the registration.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> NSCollectionViewItem? {
    let identifier = NSUserInterfaceItemIdentifier(kind.identifier)
    if isNew(kind) {
      let itemClass = kind.viewType as? NSCollectionViewItem.Type
      // No item can be made from another class; the controller reports the error, as this one has
      // another type.
      collectionView.register(
        itemClass ?? PlaceholderItem.self, forItemWithIdentifier: identifier)
    }
    return collectionView.makeItem(withIdentifier: identifier, for: IndexPath(path))
  }

  /// A supplementary view made by the view, from the class of the registration.
  ///
  /// The class must adopt `NSCollectionViewElement`.
  public func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> NSView? {
    // A registration may be for another kind than the one that the view asks for.
    guard let elementKind = askedKind ?? kind.elementKind else { return nil }
    let identifier = NSUserInterfaceItemIdentifier(kind.identifier)
    if isNew(kind, for: elementKind) {
      // AppKit raises an exception for another class, so the controller gets a view that is not of
      // that class.
      let viewClass = kind.viewType as? any (NSView & NSCollectionViewElement).Type
      collectionView.register(
        viewClass ?? PlaceholderView.self, forSupplementaryViewOfKind: elementKind,
        withIdentifier: identifier)
    }
    return collectionView.makeSupplementaryView(
      ofKind: elementKind, withIdentifier: identifier, for: IndexPath(path))
  }

  /// The identifier with which an item was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(of cell: NSCollectionViewItem) -> String? {
    cell.identifier == Self.placeholder ? nil : cell.identifier?.rawValue
  }

  /// The identifier with which a supplementary view was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: NSView) -> String? {
    view.identifier == Self.placeholder ? nil : view.identifier?.rawValue
  }

  /// The paths of the items that the view has, those near the screen included.
  public var visibleItemPaths: [ItemPath] {
    collectionView.indexPathsForVisibleItems().map { ItemPath($0) }.sorted()
  }

  /// The item at a path; `nil` if the view has none.
  public func cell(at path: ItemPath) -> NSCollectionViewItem? {
    collectionView.item(at: IndexPath(path))
  }

  /// The supplementary view at a path; `nil` if it is not on the screen.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> NSView? {
    collectionView.supplementaryView(forElementKind: kind, at: IndexPath(path))
  }

  /// The paths of the headers, footers and badges of a kind that the view has in some sections.
  ///
  /// A header of the layout as a whole is not among them.
  public func visibleSupplementaryViewPaths(
    ofKind kind: String, inSections sections: RangeSet<Int>
  ) -> [ItemPath] {
    supplementaryViewPaths(
      inSections: sections,
      visible: collectionView.indexPathsForVisibleSupplementaryElements(ofKind: kind)
    ) { supplementaryView(ofKind: kind, at: $0) != nil }
  }

  /// Selects exactly these items.
  public func showSelection(_ paths: ItemPathSet) {
    collectionView.selectionIndexPaths = Set(paths.map { IndexPath($0) })
  }
}

extension NSCollectionViewHost: SelectingHost {
  /// Whether several items may be selected.
  package var allowsMultipleSelection: Bool { collectionView.allowsMultipleSelection }

  /// The selected items of a view in which one has to be selected.
  package var ownSelection: ItemPathSet {
    collectionView.allowsEmptySelection || collectionView.dataSource !== dataSource
      ? ItemPathSet() : ItemPathSet(collectionView.selectionIndexPaths.map { ItemPath($0) })
  }
}

extension NSCollectionViewHost: ScrollingHost {
  /// What is visible now.
  public var viewport: Viewport {
    get { currentViewport }
    set { setViewport(newValue) }
  }

  /// Scrolls to an anchor.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    observeScrolling()
    scroll(collectionView, to: anchor, isAnimated: isAnimated, animation)
  }

  func stopScrolling() { animation.stop() }

  var scrollState: ScrollState {
    ScrollState(of: collectionView, after: place) {
      let view = collectionView
      guard view.userInterfaceLayoutDirection == .rightToLeft else { return false }
      return runsLeftwards((0..<view.numberOfSections).map(view.numberOfItems(inSection:))) {
        view.layoutAttributesForItem(at: IndexPath($0))?.frame
      }
    }
  }

  func span(of path: ItemPath) -> Range<Double>? {
    let frame = collectionView.layoutAttributesForItem(at: IndexPath(path))?.frame
    return frame.flatMap { scrollState.span(of: $0) }
  }

  func sight(in state: ScrollState) -> Sight {
    let layout = collectionView.collectionViewLayout
    let all = layout?.layoutAttributesForElements(in: collectionView.visibleRect) ?? []
    return Sight(
      cells: all.filter { $0.representedElementCategory == .item }.compactMap { cell in
        guard let path = cell.indexPath,
          let place = PlacedView(cell.frame, zIndex: cell.zIndex, in: state)
        else { return nil }
        return (ItemPath(path), place)
      },
      others: all.filter { $0.representedElementCategory == .supplementaryView }
        .compactMap { PlacedView($0.frame, zIndex: $0.zIndex, in: state) },
      in: state)
  }

  func scroll(toOrigin origin: Double) {
    collectionView.scroll(scrollState.point(collectionView.visibleRect.origin, movedTo: origin))
    collectionView.layoutSubtreeIfNeeded()
  }
}
#endif
