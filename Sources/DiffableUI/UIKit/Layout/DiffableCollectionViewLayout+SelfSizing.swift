#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableLayout
import DiffableViews
import UIKit

/// An invalidation of the layout.
final class LayoutContext: UICollectionViewLayoutInvalidationContext {
  /// Whether a view has been measured, and nothing else has changed.
  var isMeasurement = false
}

extension DiffableCollectionViewLayout {
  /// Lets changed views be measured again if nothing is inserted, deleted or moved.
  func measureAgain(_ difference: SnapshotDifference) {
    guard let solved else { return }
    do throws(LayoutError) {
      self.solved = try solved.updated(by: difference, itemCounts: solved.itemCounts)
    } catch {
      errorHandler?(error)
    }
    settleOffsets()
    invalidateLayout(with: LayoutContext())
  }
}
#endif
