#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import DiffableViews
public import UIKit

/// A `UICollectionView` as the host of a `ListController`.
///
/// ```swift
/// let host = CollectionViewHost(collectionView: collectionView)
/// let controller = ListController<Section, Photo.ID, CollectionViewHost>(host: host) {
///   cells, path, id in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: store[id])
/// }
/// controller.start(following: source)
/// ```
///
/// The host is the data source of the view, its prefetching data source, and its delegate, unless the
/// view has another delegate. That one tells the host itself of what it needs, see
/// ``collectionView(_:didSelectItemAt:)``. Keep the host and the controller as long as the view: the
/// view does not hold them.
///
/// Cells are those that the view makes: a registration names their class, which must be a subclass of
/// `UICollectionViewCell`, and its closure to make one is not called. Where a provider fails, an empty
/// cell is shown.
@MainActor
public final class CollectionViewHost: NSObject {
  /// The view.
  public let collectionView: UICollectionView
  /// Whom the view asks; not held.
  public weak var content: (any ListContent<UICollectionViewCell, UICollectionReusableView>)?
  /// Which updates the view accepts; a limit can be set, past which it is shown from scratch.
  public var profile = ListProfile.collectionView
  /// Answers whether a view that is scrolled keeps its first items in their places while others come
  /// or go above them.
  ///
  /// Initially `true`. What counts is the axis that the content is longer than the view on.
  public var keepsPosition = true

  /// Answers whether the user may drag an item to another place; without it, none may be dragged.
  ///
  /// The drag itself is the view's: its `beginInteractiveMovementForItem(at:)` and what belongs to it.
  /// A drop that comes while the view is being changed, or that the source refuses, goes back.
  public var canMoveItem: (@MainActor (ItemPath) -> Bool)?
  /// Answers where an item goes that the user holds over a path; without it, to that path.
  ///
  /// The first path is where the drag began. Asked only while the host is the delegate of the view, or is
  /// told by it.
  public var targetForMove: (@MainActor (_ origin: ItemPath, _ proposed: ItemPath) -> ItemPath)?

  /// Answers whether the view configures the cells of reconfigured items, by asking for them again.
  ///
  /// Otherwise the controller has done so before.
  var reconfiguresByAsking = false
  /// Is asked in the place of the content for supplementary views.
  var supplementaryViewProvider:
    (@MainActor (UICollectionView, String, IndexPath) -> UICollectionReusableView?)?
  var reuse = ReusedViews()
  let drag = ItemDrag()
  /// The anchor of the stage under way.
  var anchor: ListAnchor?

  /// Makes a view show what a controller gives.
  ///
  /// - Parameter collectionView: The view. It is shown empty until there is a controller.
  public init(collectionView: UICollectionView) {
    self.collectionView = collectionView
    super.init()
    collectionView.register(
      UICollectionViewCell.self, forCellWithReuseIdentifier: ReusedViews.placeholder)
    collectionView.dataSource = self
    collectionView.prefetchDataSource = self
    if collectionView.delegate == nil { collectionView.delegate = self }
  }
}

extension CollectionViewHost: ListHost {
  /// Answers whether the view is in a window, and has not been refused a drop.
  public var takesStages: Bool { collectionView.window != nil && !drag.isAstray }
  /// The number of sections that the view has asked for last.
  public var numberOfSections: Int { collectionView.numberOfSections }

  /// Reloads the view.
  public func reset(keeping anchor: ListAnchor?) {
    drag.reset()
    layout?.announce(nil)
    collectionView.reloadData()
    guard takesStages else { return }
    collectionView.layoutIfNeeded()
    scroll(to: anchor)
  }

  /// Performs a stage: what changes the structure as one update of the view, and refreshes by themselves.
  public func perform(_ stage: ListStage) {
    // A view that has not been laid out would ask for counts in the middle of the update.
    collectionView.layoutIfNeeded()
    guard stage.isAnimated else { return UIView.performWithoutAnimation { update(by: stage) } }
    update(by: stage)
  }

  private func update(by stage: ListStage) {
    guard stage.difference.isStructural else {
      stage.begin()
      call(stage.difference, collectionView)
      measureAgain(stage.difference)
      scroll(to: stage.anchor)
      return stage.end()
    }
    anchor = stage.anchor
    let layout = layout
    collectionView.performBatchUpdates {
      stage.begin()
      // Not before: the view may prepare its layout for what it shows until now.
      layout?.announce(stage.difference)
      self.call(stage.difference, self.collectionView)
    } completion: { _ in
      stage.end()
    }
    scroll(to: anchor)
    anchor = nil
  }

  private func call(_ difference: SnapshotDifference, _ view: UICollectionView) {
    difference.call(
      deleteSections: { view.deleteSections($0) }, insertSections: { view.insertSections($0) },
      moveSection: { view.moveSection($0, toSection: $1) },
      reloadSections: { view.reloadSections($0) }, deleteItems: { view.deleteItems(at: $0) },
      insertItems: { view.insertItems(at: $0) }, moveItem: { view.moveItem(at: $0, to: $1) },
      reloadItems: { view.reloadItems(at: $0) },
      reconfigureItems: { if reconfiguresByAsking { view.reconfigureItems(at: $0) } })
  }

  private var layout: DiffableCollectionViewLayout? {
    collectionView.collectionViewLayout as? DiffableCollectionViewLayout
  }

  /// Lets a layout of self-sizing views ask those again that show something else.
  private func measureAgain(_ difference: SnapshotDifference) {
    if let layout { return layout.measureAgain(difference) }
    let paths = visibleItemPaths.filter(difference.itemReconfigures.contains)
      .map { IndexPath($0) }
    let layout = collectionView.collectionViewLayout
    guard !paths.isEmpty, !reconfiguresByAsking,
      let contextClass = type(of: layout).invalidationContextClass
        as? UICollectionViewLayoutInvalidationContext.Type
    else { return }
    let context = contextClass.init()
    context.invalidateItems(at: paths)
    layout.invalidateLayout(with: context)
  }
}

// MARK: Views

extension CollectionViewHost {
  /// A cell of the view, by the class of the registration.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> UICollectionViewCell? {
    if reuse.register(kind) {
      let cellClass = kind.viewType as? UICollectionViewCell.Type
      // Of another class there is no cell; the controller says so, since this is not one of it.
      collectionView.register(
        cellClass ?? UICollectionViewCell.self, forCellWithReuseIdentifier: kind.identifier)
    }
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: kind.identifier, for: IndexPath(path))
    reuse.dequeued(cell)
    return cell
  }

  /// A supplementary view of the view, by the class of the registration.
  public func dequeueSupplementaryView(
    of kind: ReuseKind, for path: ItemPath
  ) -> UICollectionReusableView? {
    guard let elementKind = kind.elementKind else { return nil }
    if reuse.register(kind) {
      let viewClass = kind.viewType as? UICollectionReusableView.Type
      collectionView.register(
        viewClass ?? UICollectionReusableView.self, forSupplementaryViewOfKind: elementKind,
        withReuseIdentifier: kind.identifier)
    }
    let view = collectionView.dequeueReusableSupplementaryView(
      ofKind: elementKind, withReuseIdentifier: kind.identifier, for: IndexPath(path))
    reuse.dequeued(view)
    return view
  }

  /// What a cell was dequeued with; `nil` for a placeholder.
  public func reuseIdentifier(of cell: UICollectionViewCell) -> String? {
    reuse.isPlaceholder(cell) ? nil : cell.reuseIdentifier
  }

  /// What a supplementary view was dequeued with; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: UICollectionReusableView) -> String? {
    reuse.isPlaceholder(view) ? nil : view.reuseIdentifier
  }

  /// The paths of the cells on the screen.
  public var visibleItemPaths: [ItemPath] {
    collectionView.indexPathsForVisibleItems.map { ItemPath($0) }.sorted()
  }

  /// The cell at a path; `nil` if it is not on the screen.
  public func cell(at path: ItemPath) -> UICollectionViewCell? {
    collectionView.cellForItem(at: IndexPath(path))
  }

  /// The supplementary view at a path; `nil` if it is not on the screen.
  public func supplementaryView(
    ofKind kind: String, at path: ItemPath
  ) -> UICollectionReusableView? {
    collectionView.supplementaryView(forElementKind: kind, at: IndexPath(path))
  }
}
#endif
