#if canImport(UIKit) && !os(watchOS)
public import Diffable
import DiffableLayout
public import DiffableViews
public import UIKit

/// A `UICollectionView` as the host of a `ListController`.
///
/// ```swift
/// let host = CollectionViewHost(collectionView: collectionView)
/// let controller = ListController(host: host, following: source) { cells, path, photo in
///   try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: photo)
/// }
/// ```
///
/// Keep the host and the controller as long as the view: nothing else holds them.
///
/// The host gives the view a data source, which it holds, and is its delegate, unless the view has
/// another delegate. In that case your delegate forwards the methods that the host has, such as
/// ``collectionView(_:didSelectItemAt:)``. A prefetch data source of your own
/// stays, too; then the `prefetchHandler` of the controller is not called.
///
/// The view makes the cells. A registration names their class, which must be a subclass of
/// `UICollectionViewCell`; the closure of the registration that makes a cell is not called. If a
/// provider fails, an empty cell is shown.
///
/// A list that scrolls sideways begins at its right end if the view is read from right to left, and its
/// items run so: always with a ``DiffableCollectionViewLayout``, and with another layout if it puts the
/// first item to the right of the last one. Places are not followed in a layout that says `true` of
/// `flipsHorizontallyInOppositeLayoutDirection`: Apple's documentation does not say which coordinates it
/// then has.
@MainActor
public final class CollectionViewHost: NSObject {
  /// The view.
  public let collectionView: UICollectionView
  /// What the view shows; not held.
  public weak var content: (any ListContent<UICollectionViewCell, UICollectionReusableView>)?
  /// The updates that the view accepts; set its limit to show larger changes from scratch.
  public var profile = ListProfile.collectionView
  /// Whether a scrolled view keeps its first items in place when items above them change.
  ///
  /// It is `true` at first. The axis is the one on which the content is longer than the view.
  public var keepsPosition = true

  /// Whether the user may drag an item to another place; without it, no item may be dragged.
  ///
  /// The view itself handles the drag, by `beginInteractiveMovementForItem(at:)` and the related
  /// methods. A drop moves back if the view is being changed at that moment, or if the source
  /// rejects it.
  public var canReorderItem: (@MainActor (ItemPath) -> Bool)?
  /// Returns the target of an item that the user holds over a path; without it, that path.
  ///
  /// The first path is where the drag began. It is called only if the host is the delegate of the
  /// view, or the delegate forwards the method.
  public var targetForReorder: (@MainActor (_ origin: ItemPath, _ proposed: ItemPath) -> ItemPath)?

  /// Whether the view configures the cells of reconfigured items, by requesting them again.
  ///
  /// Otherwise the controller has configured them before.
  var reconfiguresByAsking = false
  /// Called instead of the content for supplementary views.
  var supplementaryViewProvider:
    (@MainActor (UICollectionView, String, IndexPath) -> UICollectionReusableView?)?
  let reuse = ReusedViews()
  let drag = ItemDrag()
  /// The place on the screen, as last observed.
  var place = ScrolledPlace()
  /// Reports when the view has laid out its rows.
  var layoutObserver: LayoutObserver?
  private var dataSource: DataSource?

  /// Creates a host that lets a view show what a controller provides.
  ///
  /// - Parameter collectionView: The view. It is shown empty until there is a controller.
  public init(collectionView: UICollectionView) {
    self.collectionView = collectionView
    super.init()
    collectionView.register(
      UICollectionViewCell.self, forCellWithReuseIdentifier: ReusedViews.placeholder)
    (collectionView.dataSource as? DataSource)?.host?.loseController()
    let dataSource = DataSource(of: self)
    self.dataSource = dataSource
    collectionView.dataSource = dataSource
    if collectionView.prefetchDataSource == nil || collectionView.prefetchDataSource is DataSource {
      collectionView.prefetchDataSource = dataSource
    }
    if collectionView.delegate == nil || collectionView.delegate is Self {
      collectionView.delegate = self
    }
    layoutObserver = LayoutObserver(of: collectionView) { [weak self] in self?.follow() }
  }
}

extension CollectionViewHost: ListHost {
  /// Whether the view is in a window, asks this host, and is not waiting for a reset after a rejected drop.
  public var takesStages: Bool {
    collectionView.window != nil && collectionView.dataSource === dataSource && !drag.isAstray
  }
  /// The number of sections that the view has requested last.
  public var numberOfSections: Int { collectionView.numberOfSections }

  /// Reloads the view.
  public func reset(keeping anchor: ListAnchor) {
    drag.reset()
    layout?.announce(nil)
    reload(keeping: anchor) {
      collectionView.reloadData()
      if takesStages { collectionView.layoutIfNeeded() }
    }
  }

  /// Performs a stage: structural changes as one update of the view, refreshes separately.
  public func perform(_ stage: ListStage) {
    // A view without layout would ask for counts in the middle of the update.
    collectionView.layoutIfNeeded()
    guard stage.isAnimated else { return UIView.performWithoutAnimation { update(by: stage) } }
    update(by: stage)
  }

  private func update(by stage: ListStage) {
    guard stage.difference.isStructural else {
      update(keeping: stage.anchor) {
        stage.begin()
        call(stage.difference, collectionView)
        measureAgain(stage.difference)
        collectionView.layoutIfNeeded()
      }
      return stage.end()
    }
    let layout = layout
    update(keeping: stage.anchor) {
      collectionView.performBatchUpdates {
        stage.begin()
        // Not earlier: up to here the view may prepare its layout for what it shows.
        layout?.announce(stage.difference)
        self.call(stage.difference, self.collectionView)
      } completion: { _ in
        stage.end()
      }
    }
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

  var layout: DiffableCollectionViewLayout? {
    collectionView.collectionViewLayout as? DiffableCollectionViewLayout
  }

  /// Lets a layout measure self-sizing views again if they show something else.
  private func measureAgain(_ difference: SnapshotDifference) {
    if let layout { return layout.measureAgain(difference) }
    let layout = collectionView.collectionViewLayout
    guard !reconfiguresByAsking, !difference.itemReconfigures.isEmpty,
      let contextClass = type(of: layout).invalidationContextClass
        as? UICollectionViewLayoutInvalidationContext.Type
    else { return }
    let paths = pathsOfCells.filter {
      difference.itemReconfigures.contains($0) && cell(at: $0) != nil
    }
    guard !paths.isEmpty else { return }
    let context = contextClass.init()
    context.invalidateItems(at: paths.map { IndexPath($0) })
    layout.invalidateLayout(with: context)
  }
}

extension CollectionViewHost: PreparingHost {
  /// The paths of the items for which the view was given cells.
  package var pathsOfCells: [ItemPath] { reuse.givenPaths(in: content) }
}

extension CollectionViewHost: SectionScrollingHost {
  package func scrollsAcross(section: Int) -> Bool {
    layout?.solved?.orthogonalRow(ofSection: section) != nil
  }

  package func holdSections(through difference: SnapshotDifference) {
    guard let layout, !layout.offsets.isEmpty else { return }
    // What has come into sight is measured first.
    if takesStages { collectionView.layoutIfNeeded() }
    layout.holdOffsets(through: difference)
  }
}

// MARK: Views

extension CollectionViewHost {
  /// A cell made by the view, from the class of the registration.
  public func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> UICollectionViewCell? {
    if reuse.register(kind) {
      let cellClass = kind.viewType as? UICollectionViewCell.Type
      // No cell can be made from another class; the controller reports the error, as this one has
      // another type.
      collectionView.register(
        cellClass ?? UICollectionViewCell.self, forCellWithReuseIdentifier: kind.identifier)
    }
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: kind.identifier, for: IndexPath(path))
    reuse.dequeued(cell)
    return cell
  }

  /// A supplementary view made by the view, from the class of the registration.
  public func dequeueSupplementaryView(
    of kind: ReuseKind, for path: ItemPath
  ) -> UICollectionReusableView? {
    // A registration may be for another kind. The view takes none that was not dequeued for the one it asks for.
    guard let elementKind = reuse.askedKind ?? kind.elementKind else { return nil }
    if reuse.register(kind, for: elementKind) {
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

  /// The identifier with which a cell was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(of cell: UICollectionViewCell) -> String? {
    reuse.isPlaceholder(cell) ? nil : cell.reuseIdentifier
  }

  /// The identifier with which a supplementary view was dequeued; `nil` for a placeholder.
  public func reuseIdentifier(ofSupplementaryView view: UICollectionReusableView) -> String? {
    reuse.isPlaceholder(view) ? nil : view.reuseIdentifier
  }

  /// The paths of the cells on the screen.
  public var visibleItemPaths: [ItemPath] {
    collectionView.indexPathsForVisibleItems.map { ItemPath($0) }.sorted()
  }

  /// The cell at a path; `nil` if the view has none.
  public func cell(at path: ItemPath) -> UICollectionViewCell? {
    collectionView.cellForItem(at: IndexPath(path))
  }

  /// The supplementary view at a path; `nil` if it is not on the screen.
  public func supplementaryView(
    ofKind kind: String, at path: ItemPath
  ) -> UICollectionReusableView? {
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
}
#endif
