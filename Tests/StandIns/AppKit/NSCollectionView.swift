import Diffable
import DiffableTesting
package import StandInSupport

/// developer.apple.com/documentation/appkit/nscollectionviewelement
@MainActor
public protocol NSCollectionViewElement: NSUserInterfaceItemIdentification, NSObjectProtocol {}

/// developer.apple.com/documentation/appkit/nscollectionviewitem
@MainActor open class NSCollectionViewItem: NSViewController, NSCollectionViewElement {
  /// developer.apple.com/documentation/appkit/nscollectionviewitem/isselected
  open var isSelected = false
}

/// developer.apple.com/documentation/appkit/nscollectionviewdatasource
@MainActor public protocol NSCollectionViewDataSource: NSObjectProtocol {
  /// developer.apple.com/documentation/appkit/nscollectionviewdatasource/collectionview(_:numberofitemsinsection:)
  func collectionView(
    _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
  )
    -> Int
  /// developer.apple.com/documentation/appkit/nscollectionviewdatasource/collectionview(_:itemforrepresentedobjectat:)
  func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem
  /// developer.apple.com/documentation/appkit/nscollectionviewdatasource/numberofsections(in:)
  func numberOfSections(in collectionView: NSCollectionView) -> Int
  /// developer.apple.com/documentation/appkit/nscollectionviewdatasource/collectionview(_:viewforsupplementaryelementofkind:at:)
  func collectionView(
    _ collectionView: NSCollectionView,
    viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
    at indexPath: IndexPath
  ) -> NSView
}

// Optional requirements.
extension NSCollectionViewDataSource {
  public func numberOfSections(in collectionView: NSCollectionView) -> Int { 1 }
  public func collectionView(
    _ collectionView: NSCollectionView,
    viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
    at indexPath: IndexPath
  ) -> NSView {
    fatalError("the data source makes no supplementary views")
  }
}

/// developer.apple.com/documentation/appkit/nscollectionviewdelegate
public protocol NSCollectionViewDelegate: NSObjectProtocol {
  /// developer.apple.com/documentation/appkit/nscollectionviewdelegate/collectionview(_:didselectitemsat:)
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, didSelectItemsAt indexPaths: Set<IndexPath>)
  /// developer.apple.com/documentation/appkit/nscollectionviewdelegate/collectionview(_:diddeselectitemsat:)
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, didDeselectItemsAt indexPaths: Set<IndexPath>)
  /// developer.apple.com/documentation/appkit/nscollectionviewdelegate/collectionview(_:pasteboardwriterforitemat:)-5eyyl
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, pasteboardWriterForItemAt indexPath: IndexPath
  ) -> (any NSPasteboardWriting)?
  /// developer.apple.com/documentation/appkit/nscollectionviewdelegate/collectionview(_:draggingsession:willbeginat:foritemsat:)
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forItemsAt indexPaths: Set<IndexPath>)
  /// developer.apple.com/documentation/appkit/nscollectionviewdelegate/collectionview(_:validatedrop:proposedindexpath:dropoperation:)
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, validateDrop draggingInfo: any NSDraggingInfo,
    proposedIndexPath proposedDropIndexPath: AutoreleasingUnsafeMutablePointer<NSIndexPath>,
    dropOperation proposedDropOperation: UnsafeMutablePointer<NSCollectionView.DropOperation>
  ) -> NSDragOperation
  /// developer.apple.com/documentation/appkit/nscollectionviewdelegate/collectionview(_:acceptdrop:indexpath:dropoperation:)
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, acceptDrop draggingInfo: any NSDraggingInfo,
    indexPath: IndexPath, dropOperation: NSCollectionView.DropOperation
  ) -> Bool
  /// developer.apple.com/documentation/appkit/nscollectionviewdelegate/collectionview(_:draggingsession:endedat:dragoperation:)
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, dragOperation operation: NSDragOperation)
}

// Optional requirements.
extension NSCollectionViewDelegate {
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, didSelectItemsAt indexPaths: Set<IndexPath>
  ) {}
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, didDeselectItemsAt indexPaths: Set<IndexPath>
  ) {}
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, pasteboardWriterForItemAt indexPath: IndexPath
  ) -> (any NSPasteboardWriting)? { nil }
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forItemsAt indexPaths: Set<IndexPath>
  ) {}
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, validateDrop draggingInfo: any NSDraggingInfo,
    proposedIndexPath proposedDropIndexPath: AutoreleasingUnsafeMutablePointer<NSIndexPath>,
    dropOperation proposedDropOperation: UnsafeMutablePointer<NSCollectionView.DropOperation>
  ) -> NSDragOperation { [] }
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, acceptDrop draggingInfo: any NSDraggingInfo,
    indexPath: IndexPath, dropOperation: NSCollectionView.DropOperation
  ) -> Bool { false }
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, dragOperation operation: NSDragOperation
  ) {}
}

/// developer.apple.com/documentation/appkit/nscollectionviewprefetching
@MainActor public protocol NSCollectionViewPrefetching: NSObjectProtocol {
  /// developer.apple.com/documentation/appkit/nscollectionviewprefetching/collectionview(_:prefetchitemsat:)
  func collectionView(
    _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath])
  /// developer.apple.com/documentation/appkit/nscollectionviewprefetching/collectionview(_:cancelprefetchingforitemsat:)
  func collectionView(
    _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

// Optional requirements.
extension NSCollectionViewPrefetching {
  public func collectionView(
    _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {}
}

/// developer.apple.com/documentation/appkit/nscollectionview
@MainActor open class NSCollectionView: NSView {
  /// developer.apple.com/documentation/appkit/nscollectionview/supplementaryelementkind
  public typealias SupplementaryElementKind = String

  /// developer.apple.com/documentation/appkit/nscollectionview/dropoperation
  public enum DropOperation: Int, Sendable {
    case on = 0
    case before = 1
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/scrolldirection
  public enum ScrollDirection: Int, Sendable {
    case vertical = 0
    case horizontal = 1
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/elementkindsectionheader
  public class var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }

  /// developer.apple.com/documentation/appkit/nscollectionview/collectionviewlayout
  open var collectionViewLayout: NSCollectionViewLayout? {
    didSet {
      collectionViewLayout?.collectionView = self
      reloadData()
    }
  }
  /// developer.apple.com/documentation/appkit/nscollectionview/datasource
  open weak var dataSource: (any NSCollectionViewDataSource)? {
    didSet { reloadData() }
  }
  /// developer.apple.com/documentation/appkit/nscollectionview/delegate
  open weak var delegate: (any NSCollectionViewDelegate)?
  /// developer.apple.com/documentation/appkit/nscollectionview/prefetchdatasource
  open weak var prefetchDataSource: (any NSCollectionViewPrefetching)?
  /// developer.apple.com/documentation/appkit/nscollectionview/allowsmultipleselection
  open var allowsMultipleSelection = false
  /// developer.apple.com/documentation/appkit/nscollectionview/allowsemptyselection
  open var allowsEmptySelection = true

  lazy var belief = ListBelief(
    profile: .movesApart, isInWindow: { [unowned self] in window != nil },
    raise: { [unowned self] in raise($0) },
    ask: { [unowned self] in
      guard let dataSource else { return [] }
      return (0..<dataSource.numberOfSections(in: self)).map {
        dataSource.collectionView(self, numberOfItemsInSection: $0)
      }
    })
  var items: [Int: NSCollectionViewItem] = [:]
  var headers: [Int: any NSView & NSCollectionViewElement] = [:]
  var registeredClasses: [String: AnyClass] = [:]
  var freeItems: [NSUserInterfaceItemIdentifier: [NSCollectionViewItem]] = [:]
  var selected: Set<Int> = []
  var prefetched = PrefetchedItems()
  package var habits = StandInHabits.all
  package var batchUpdateCount = 0
  var heldPaths: Set<IndexPath> = []
  /// Where what is dragged would be dropped.
  var proposedDrop: (path: IndexPath, operation: NSCollectionView.DropOperation)?

  /// developer.apple.com/documentation/appkit/nscollectionview/numberofsections
  open var numberOfSections: Int { belief.list.sections.count }

  /// developer.apple.com/documentation/appkit/nscollectionview/numberofitems(insection:)
  open func numberOfItems(inSection section: Int) -> Int {
    belief.itemCount(inSection: section, habits)
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/reloaddata()
  open func reloadData() {
    selected = belief.forget(selected: selected, habits)
    for item in items.values { free(item) }
    (items, headers, prefetched) = ([:], [:], PrefetchedItems())
    needsLayout = true
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/indexpathsforvisibleitems()
  open func indexPathsForVisibleItems() -> Set<IndexPath> {
    Set(items.keys.compactMap { belief.shown?.path(of: $0) }.map(\.indexPath))
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/item(at:)-2vx2h
  open func item(at indexPath: IndexPath) -> NSCollectionViewItem? {
    belief.shown?.id(at: indexPath.itemPath).flatMap { items[$0] }
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/supplementaryview(forelementkind:at:)
  open func supplementaryView(
    forElementKind elementKind: NSCollectionView.SupplementaryElementKind, at indexPath: IndexPath
  ) -> (any NSView & NSCollectionViewElement)? {
    // Each section has one header, and it is asked for at item 0.
    guard elementKind == Self.elementKindSectionHeader, indexPath.item == 0,
      let shown = belief.shown, shown.sections.indices.contains(indexPath.section)
    else { return nil }
    return headers[shown.sections[indexPath.section].id]
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/indexpathsforvisiblesupplementaryelements(ofkind:)
  open func indexPathsForVisibleSupplementaryElements(
    ofKind elementKind: NSCollectionView.SupplementaryElementKind
  ) -> Set<IndexPath> {
    guard elementKind == Self.elementKindSectionHeader, let shown = belief.shown else { return [] }
    return Set(
      shown.sections.indices.filter { headers[shown.sections[$0].id] != nil }
        .map { IndexPath(item: 0, section: $0) })
  }

  /// developer.apple.com/documentation/appkit/nscollectionview/layoutattributesforitem(at:)
  open func layoutAttributesForItem(at indexPath: IndexPath) -> NSCollectionViewLayoutAttributes? {
    let list = belief.list
    guard list.id(at: indexPath.itemPath) != nil else { return nil }
    return collectionViewLayout?.attributes(of: list).first {
      $0.representedElementCategory == .item && $0.indexPath == indexPath
    }
  }

  /// What Auto Layout finds to be the height of an item, if items size themselves; in a row, its width.
  package var fittingHeight: ((NSCollectionViewItem) -> CGFloat)?
  /// The heights of items that were measured.
  var heights: [Int: CGFloat] = [:]

  func height(of id: Int) -> CGFloat { heights[id] ?? 20 }

  /// developer.apple.com/documentation/appkit/nscollectionview/selectionindexpaths
  open var selectionIndexPaths: Set<IndexPath> {
    get { Set(selected.compactMap { belief.shown?.path(of: $0) }.map(\.indexPath)) }
    set {
      let new = Set(newValue.compactMap { belief.item(at: $0.itemPath, habits) })
      // A view that may not be without a selected item leaves one selected.
      if allowsEmptySelection || !new.isEmpty { selected = new }
    }
  }

  open override func layout() {
    layOutItems()
    selectByItself()
  }

  /// Selects the first item, if nothing is selected and that is not allowed.
  private func selectByItself() {
    guard !allowsEmptySelection, selected.isEmpty else { return }
    let first = belief.list.sections.lazy.compactMap(\.items.first).first
    if let first { selected = [first] }
  }
}

extension IndexPath {
  var itemPath: ItemPath { ItemPath(section: section, item: item) }
}

extension ItemPath {
  var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
