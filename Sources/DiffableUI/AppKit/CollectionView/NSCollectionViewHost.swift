#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import Diffable
public import DiffableViews

/// An `NSCollectionView` as the host of a `ListController`.
///
/// ```swift
/// let host = NSCollectionViewHost(collectionView: collectionView)
/// let controller = ListController<Section, Photo.ID, NSCollectionViewHost>(host: host) {
///   cells, path, id in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: store[id])
/// }
/// controller.start(following: source)
/// ```
///
/// The host is the data source of the view, its prefetching data source, and its delegate, unless the
/// view has another delegate. That one tells the host itself of what it needs, see
/// ``collectionView(_:didSelectItemsAt:)``. Keep the host and the controller as long as the view: the
/// view does not hold them.
///
/// Cells are items that the view makes: a registration names their class, a subclass of
/// `NSCollectionViewItem` that loads its view by itself, and its closure to make one is not called.
/// Supplementary views are made in the same way; AppKit demands that their class, a subclass of
/// `NSView`, adopts `NSCollectionViewElement`. Where a provider fails, an empty item is shown.
@MainActor
public final class NSCollectionViewHost: NSObject {
  /// The view.
  public let collectionView: NSCollectionView
  /// Whom the view asks; not held.
  public weak var content: (any ListContent<NSCollectionViewItem, NSView>)?
  /// Which updates the view accepts; a limit can be set, past which it is shown from scratch.
  public var profile = ListProfile.movesApart
  /// Answers whether a view that is scrolled down keeps its first items in their places while others
  /// come or go above them; initially `true`.
  public var keepsPosition = true
  /// Answers whether the user may drag an item to another place; without it, none may be dragged.
  ///
  /// The drag is one of the list from its beginning, see `ListController.beginReorder(_:)`: no batch is
  /// shown until the drop. Then the source moves the items, and the view follows.
  public var canMoveItem: (@MainActor (ItemPath) -> Bool)? {
    didSet { if canMoveItem != nil { ItemDrags.register(in: collectionView) } }
  }

  let drags = ItemDrags()
  private var kinds: Set<String> = []
  static let placeholder = NSUserInterfaceItemIdentifier("DiffableUI.placeholder")

  /// What is shown where a provider fails.
  private final class PlaceholderItem: NSCollectionViewItem {
    override func loadView() { view = NSView(frame: .zero) }
  }

  /// What is shown where a provider of supplementary views fails.
  final class PlaceholderView: NSView, NSCollectionViewElement {}

  /// Makes a view show what a controller gives.
  ///
  /// - Parameter collectionView: The view. It is shown empty until there is a controller.
  public init(collectionView: NSCollectionView) {
    self.collectionView = collectionView
    super.init()
    collectionView.register(PlaceholderItem.self, forItemWithIdentifier: Self.placeholder)
    collectionView.dataSource = self
    collectionView.prefetchDataSource = self
    if collectionView.delegate == nil { collectionView.delegate = self }
  }

  /// Takes note of a kind of views; `false` if it is known.
  private func isNew(_ kind: ReuseKind) -> Bool { kinds.insert(kind.identifier).inserted }
}

extension NSCollectionViewHost: ListHost {
  /// Answers whether the view is in a window.
  public var takesStages: Bool { collectionView.window != nil }
  /// The number of sections that the view has asked for last.
  public var numberOfSections: Int { collectionView.numberOfSections }

  /// Reloads the view.
  public func reset(keeping anchor: ListAnchor?) {
    collectionView.reloadData()
    guard takesStages else { return }
    collectionView.layoutSubtreeIfNeeded()
    scroll(to: anchor)
  }

  /// Performs a stage: what changes the structure as one update of the view, and refreshes by themselves.
  public func perform(_ stage: ListStage) {
    // A view that has not been laid out would ask for counts in the middle of the update.
    collectionView.layoutSubtreeIfNeeded()
    let view = stage.isAnimated ? collectionView.animator() : collectionView
    guard stage.difference.isStructural else {
      stage.begin()
      call(stage.difference, view)
      scroll(to: stage.anchor)
      return stage.end()
    }
    view.performBatchUpdates {
      stage.begin()
      self.call(stage.difference, self.collectionView)
    } completionHandler: { _ in
      stage.end()
    }
    scroll(to: stage.anchor)
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
}

// MARK: Views

extension NSCollectionViewHost {
  /// An item of the view, by the class of the registration.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> NSCollectionViewItem? {
    let identifier = NSUserInterfaceItemIdentifier(kind.identifier)
    if isNew(kind) {
      let itemClass = kind.viewType as? NSCollectionViewItem.Type
      // Of another class there is no item; the controller says so, since this is not one of it.
      collectionView.register(
        itemClass ?? PlaceholderItem.self, forItemWithIdentifier: identifier)
    }
    return collectionView.makeItem(withIdentifier: identifier, for: IndexPath(path))
  }

  /// A supplementary view of the view, by the class of the registration, which must adopt
  /// `NSCollectionViewElement`.
  public func dequeueSupplementaryView(of kind: ReuseKind, for path: ItemPath) -> NSView? {
    guard let elementKind = kind.elementKind else { return nil }
    let identifier = NSUserInterfaceItemIdentifier(kind.identifier)
    if isNew(kind) {
      // AppKit raises an exception for another class; so the controller gets what is not one of it.
      let viewClass = kind.viewType as? any (NSView & NSCollectionViewElement).Type
      collectionView.register(
        viewClass ?? PlaceholderView.self, forSupplementaryViewOfKind: elementKind,
        withIdentifier: identifier)
    }
    return collectionView.makeSupplementaryView(
      ofKind: elementKind, withIdentifier: identifier, for: IndexPath(path))
  }

  /// What an item was dequeued with; `nil` for a placeholder.
  public func reuseIdentifier(of cell: NSCollectionViewItem) -> String? {
    cell.identifier == Self.placeholder ? nil : cell.identifier?.rawValue
  }

  /// What a supplementary view was dequeued with; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: NSView) -> String? {
    view.identifier == Self.placeholder ? nil : view.identifier?.rawValue
  }

  /// The paths of the items on the screen.
  public var visibleItemPaths: [ItemPath] {
    collectionView.indexPathsForVisibleItems().map { ItemPath($0) }.sorted()
  }

  /// The item at a path; `nil` if it is not on the screen.
  public func cell(at path: ItemPath) -> NSCollectionViewItem? {
    collectionView.item(at: IndexPath(path))
  }

  /// The supplementary view at a path; `nil` if it is not on the screen.
  public func supplementaryView(ofKind kind: String, at path: ItemPath) -> NSView? {
    collectionView.supplementaryView(forElementKind: kind, at: IndexPath(path))
  }

  /// Selects exactly these items.
  public func showSelection(_ paths: Set<ItemPath>) {
    collectionView.selectionIndexPaths = Set(paths.map { IndexPath($0) })
  }

  /// The visible items, unless the view shows its beginning.
  public var anchors: [ListAnchor] {
    let visible = collectionView.visibleRect
    guard keepsPosition, visible.minY > 0 else { return [] }
    return visibleItemPaths.compactMap { path in
      guard let frame = collectionView.layoutAttributesForItem(at: IndexPath(path))?.frame,
        frame.intersects(visible)
      else { return nil }
      return ListAnchor(path: path, position: Double(frame.minY - visible.minY))
    }
  }

  /// Puts an item where it is to be, as far as the content is long enough.
  private func scroll(to anchor: ListAnchor?) {
    guard let anchor,
      let frame = collectionView.layoutAttributesForItem(at: IndexPath(anchor.path))?.frame
    else { return }
    let visible = collectionView.visibleRect
    let last = max(0, collectionView.frame.height - visible.height)
    let top = min(max(0, frame.minY - anchor.position), last)
    guard top != visible.minY else { return }
    collectionView.scroll(NSPoint(x: visible.minX, y: top))
    collectionView.layoutSubtreeIfNeeded()
  }
}
#endif
