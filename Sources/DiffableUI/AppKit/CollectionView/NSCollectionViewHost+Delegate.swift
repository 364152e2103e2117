#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
import Diffable
import DiffableViews

/// Your own delegate calls these methods from its methods of the same names.
extension NSCollectionViewHost: NSCollectionViewDelegate {
  /// Reports to the content what the user has selected.
  public func collectionView(
    _ collectionView: NSCollectionView, didSelectItemsAt indexPaths: Set<IndexPath>
  ) {
    content?.didSelectItems(at: ItemPathSet(indexPaths.map { ItemPath($0) }))
  }

  /// Reports to the content what the user has deselected.
  public func collectionView(
    _ collectionView: NSCollectionView, didDeselectItemsAt indexPaths: Set<IndexPath>
  ) {
    content?.didDeselectItems(at: ItemPathSet(indexPaths.map { ItemPath($0) }))
  }
}

/// If your own delegate lets items be dragged, it calls these methods as well.
extension NSCollectionViewHost {
  /// What represents an item on the pasteboard; `nil` if it may not be dragged.
  public func collectionView(
    _ collectionView: NSCollectionView, pasteboardWriterForItemAt indexPath: IndexPath
  ) -> (any NSPasteboardWriting)? {
    canReorderItem?(ItemPath(indexPath)) == true ? ItemDrags.pasteboardWriter() : nil
  }

  /// Reports to the content which items the user drags.
  public func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forItemsAt indexPaths: Set<IndexPath>
  ) {
    drags.begin(indexPaths.sorted().map { ItemPath($0) }, in: content)
  }

  /// Returns whether the dragged items can be dropped: before an item, not on one.
  public func collectionView(
    _ collectionView: NSCollectionView, validateDrop draggingInfo: any NSDraggingInfo,
    proposedIndexPath proposedDropIndexPath: AutoreleasingUnsafeMutablePointer<NSIndexPath>,
    dropOperation proposedDropOperation: UnsafeMutablePointer<NSCollectionView.DropOperation>
  ) -> NSDragOperation {
    guard drags.isBegun else { return [] }
    proposedDropOperation.pointee = .before
    return .move
  }

  /// Reports to the content where the user has dropped the items.
  public func collectionView(
    _ collectionView: NSCollectionView, acceptDrop draggingInfo: any NSDraggingInfo,
    indexPath: IndexPath, dropOperation: NSCollectionView.DropOperation
  ) -> Bool {
    drags.drop(at: ItemPath(indexPath))
  }

  /// Reports to the content that the drag is over.
  public func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, dragOperation operation: NSDragOperation
  ) {
    drags.end()
  }
}
#endif
