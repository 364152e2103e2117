import Diffable
public import DiffableViews

#if canImport(UIKit) && !os(watchOS)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
/// What the delegate of a view of Apple's asks, for example for a menu or a swipe action.
extension ListController {
  /// The item at an index path on the screen, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items.
  public func itemIdentifier(for indexPath: IndexPath) -> ItemID? {
    // UIKit raises an exception if a path with another number of indices is asked for its section.
    indexPath.count == 2 ? itemIdentifier(for: ItemPath(indexPath)) : nil
  }

  /// The index path of an item on the screen, or `nil` for an unknown one.
  ///
  /// - Complexity: That of `itemPath(for:)`.
  public func indexPath(for item: ItemID) -> IndexPath? {
    itemPath(for: item).map { IndexPath($0) }
  }
}
#endif
