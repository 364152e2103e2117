import Diffable
import DiffableTesting
import StandInSupport

extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/begininteractivemovementforitem(at:)
  public func beginInteractiveMovementForItem(at indexPath: IndexPath) -> Bool {
    let canMove = dataSource?.collectionView(self, canMoveItemAt: indexPath) == true
    if habits.contains(.asksForSeveralDrags) {
      for path in indexPathsForVisibleItems.sorted() where path != indexPath {
        _ = dataSource?.collectionView(self, canMoveItemAt: path)
      }
    }
    guard canMove, let id = id(at: indexPath) else { return false }
    held.begin(id, at: indexPath.itemPath)
    return true
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/updateinteractivemovementtargetposition(_:)
  public func updateInteractiveMovementTargetPosition(_ targetPosition: CGPoint) {
    let proposed = collectionViewLayout.layoutAttributesForElements(in: bounds)?.first {
      $0.representedElementCategory == .cell && $0.frame.contains(targetPosition)
    }?.indexPath
    guard let proposed, let origin = held.origin(in: belief.list) else { return }
    let original = IndexPath(item: origin.item, section: origin.section)
    let target =
      delegate?.collectionView(
        self, targetIndexPathForMoveOfItemFromOriginalIndexPath: original,
        atCurrentIndexPath: original, toProposedIndexPath: proposed) ?? proposed
    held.target = target.itemPath
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/endinteractivemovement()
  ///
  /// The view moves the cell, and its data source is told to do the same.
  public func endInteractiveMovement() {
    guard let move = held.drop(in: belief.list) else { return }
    _ = belief.update {
      _ = belief.add([.moveItem(move)])
      dataSource?.collectionView(
        self, moveItemAt: IndexPath(item: move.from.item, section: move.from.section),
        to: IndexPath(item: move.to.item, section: move.to.section))
    }
    collectionViewLayout.invalidateLayout()
    setNeedsLayout()
    layoutIfNeeded()
  }
}
