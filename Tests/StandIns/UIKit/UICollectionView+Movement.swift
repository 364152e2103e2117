import Diffable
import DiffableTesting
import StandInSupport

extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/begininteractivemovementforitem(at:)
  public func beginInteractiveMovementForItem(at indexPath: IndexPath) -> Bool {
    guard dataSource?.collectionView(self, canMoveItemAt: indexPath) == true else { return false }
    movedItem = id(at: indexPath)
    return movedItem != nil
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/updateinteractivemovementtargetposition(_:)
  public func updateInteractiveMovementTargetPosition(_ targetPosition: CGPoint) {
    movedTarget =
      collectionViewLayout.layoutAttributesForElements(in: bounds)?.first {
        $0.representedElementCategory == .cell && $0.frame.contains(targetPosition)
      }?.indexPath
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/endinteractivemovement()
  ///
  /// The view moves the cell, and its data source is told to do the same.
  public func endInteractiveMovement() {
    defer { (movedItem, movedTarget) = (nil, nil) }
    guard let movedItem, let target = movedTarget, let origin = belief.list.path(of: movedItem)
    else {
      return
    }
    let source = IndexPath(item: origin.item, section: origin.section)
    _ = belief.update {
      _ = belief.add([.moveItem(Move(from: origin, to: target.itemPath))])
      dataSource?.collectionView(self, moveItemAt: source, to: target)
    }
    collectionViewLayout.invalidateLayout()
    setNeedsLayout()
    layoutIfNeeded()
  }
}
