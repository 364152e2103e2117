#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
import Diffable
import DiffableViews

/// A delegate of your own that lets items be dragged calls these methods as well.
extension NSCollectionViewHost {
  /// What stands for an item on the pasteboard; `nil` where it may not be dragged.
  public func collectionView(
    _ collectionView: NSCollectionView, pasteboardWriterForItemAt indexPath: IndexPath
  ) -> (any NSPasteboardWriting)? {
    canMoveItem?(ItemPath(indexPath)) == true ? ItemDrags.pasteboardWriter() : nil
  }

  /// Tells the content which items the user drags.
  public func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forItemsAt indexPaths: Set<IndexPath>
  ) {
    drags.begin(indexPaths.sorted().map { ItemPath($0) }, in: content)
  }

  /// Answers whether what is dragged can be dropped: in front of an item, not on one.
  public func collectionView(
    _ collectionView: NSCollectionView, validateDrop draggingInfo: any NSDraggingInfo,
    proposedIndexPath proposedDropIndexPath: AutoreleasingUnsafeMutablePointer<NSIndexPath>,
    dropOperation proposedDropOperation: UnsafeMutablePointer<NSCollectionView.DropOperation>
  ) -> NSDragOperation {
    guard drags.isBegun else { return [] }
    proposedDropOperation.pointee = .before
    return .move
  }

  /// Tells the content where the user has dropped the items.
  public func collectionView(
    _ collectionView: NSCollectionView, acceptDrop draggingInfo: any NSDraggingInfo,
    indexPath: IndexPath, dropOperation: NSCollectionView.DropOperation
  ) -> Bool {
    drags.drop(at: ItemPath(indexPath))
  }

  /// Tells the content that the drag is over.
  public func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, dragOperation operation: NSDragOperation
  ) {
    drags.end()
  }
}
#endif
