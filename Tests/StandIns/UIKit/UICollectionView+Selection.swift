import Diffable
import StandInSupport

extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/scrollposition
  public struct ScrollPosition: OptionSet, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: UInt

    /// developer.apple.com/documentation/uikit/uicollectionview/scrollposition/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// developer.apple.com/documentation/uikit/uicollectionview/scrollposition/top
    public static var top: UICollectionView.ScrollPosition { .init(rawValue: 1 << 0) }
    /// developer.apple.com/documentation/uikit/uicollectionview/scrollposition/bottom
    public static var bottom: UICollectionView.ScrollPosition { .init(rawValue: 1 << 2) }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/indexpathsforselecteditems
  public var indexPathsForSelectedItems: [IndexPath]? {
    selected.compactMap { belief.shown?.path(of: $0) }.map {
      IndexPath(item: $0.item, section: $0.section)
    }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/selectitem(at:animated:scrollposition:)
  public func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: UICollectionView.ScrollPosition
  ) {
    guard allowsSelection else { return }
    guard let id = indexPath.flatMap({ belief.item(at: $0.itemPath, habits) }) else { return }
    if !allowsMultipleSelection {
      for other in selected { cells[other]?.isSelected = false }
      selected = []
    }
    selected.insert(id)
    cells[id]?.isSelected = true
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/deselectitem(at:animated:)
  public func deselectItem(at indexPath: IndexPath, animated: Bool) {
    guard let id = belief.item(at: indexPath.itemPath, habits) else { return }
    selected.remove(id)
    cells[id]?.isSelected = false
  }
}
