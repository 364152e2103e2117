import Diffable

#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
extension SnapshotDifference {
  /// Calls a view's methods for the changes of one update.
  ///
  /// There is no call for a kind without changes, and the order of the calls has no meaning.
  ///
  /// - Complexity: O(changes).
  @MainActor
  func call(
    deleteSections: (IndexSet) -> Void, insertSections: (IndexSet) -> Void,
    moveSection: (Int, Int) -> Void, reloadSections: (IndexSet) -> Void,
    deleteItems: ([IndexPath]) -> Void, insertItems: ([IndexPath]) -> Void,
    moveItem: (IndexPath, IndexPath) -> Void, reloadItems: ([IndexPath]) -> Void,
    reconfigureItems: ([IndexPath]) -> Void = { _ in }
  ) {
    func sections(_ set: RangeSet<Int>, _ call: (IndexSet) -> Void) {
      if !set.isEmpty { call(IndexSet(set.ranges.joined())) }
    }
    func items(_ set: ItemPathSet, _ call: ([IndexPath]) -> Void) {
      if !set.isEmpty { call(set.map { IndexPath($0) }) }
    }
    sections(sectionDeletes, deleteSections)
    sections(sectionInserts, insertSections)
    for move in sectionMoves { moveSection(move.from, move.to) }
    sections(sectionReloads, reloadSections)
    items(itemDeletes, deleteItems)
    items(itemInserts, insertItems)
    for move in itemMoves { moveItem(IndexPath(move.from), IndexPath(move.to)) }
    items(itemReloads, reloadItems)
    items(itemReconfigures, reconfigureItems)
  }
}
#endif
