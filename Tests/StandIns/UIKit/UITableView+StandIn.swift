import Diffable
import DiffableTesting
import StandInSupport

// What users and the system do.
extension UITableView {
  package func userTaps(at indexPath: IndexPath) {
    if indexPathsForSelectedRows?.contains(indexPath) == true {
      guard allowsMultipleSelection else { return }
      deselectRow(at: indexPath, animated: true)
      delegate?.tableView(self, didDeselectRowAt: indexPath)
    } else {
      let former = allowsMultipleSelection ? [] : indexPathsForSelectedRows ?? []
      selectRow(at: indexPath, animated: true, scrollPosition: .none)
      for path in former { delegate?.tableView(self, didDeselectRowAt: path) }
      delegate?.tableView(self, didSelectRowAt: indexPath)
    }
  }

  /// Takes a row by its reordering control; `false` where there is none.
  package func userHolds(rowAt indexPath: IndexPath) -> Bool {
    let canMove = dataSource?.tableView(self, canMoveRowAt: indexPath) == true
    if habits.contains(.asksForSeveralDrags) {
      for path in indexPathsForVisibleRows ?? [] {
        _ = dataSource?.tableView(self, canMoveRowAt: path)
      }
    }
    guard canMove, let id = id(at: indexPath) else { return false }
    held.begin(id, at: indexPath.itemPath)
    return true
  }

  package func userMovesRow(to proposed: IndexPath) {
    guard let origin = held.origin(in: belief.list) else { return }
    let target = delegate?.tableView(
      self,
      targetIndexPathForMoveFromRowAt: IndexPath(row: origin.item, section: origin.section),
      toProposedIndexPath: proposed)
    held.target = (target ?? proposed).itemPath
  }

  /// The view moves the cell, and its data source is told to do the same.
  package func userDropsRow() {
    guard let move = held.drop(in: belief.list) else { return }
    update {
      _ = belief.add([.moveItem(move)])
      dataSource?.tableView(
        self, moveRowAt: IndexPath(row: move.from.item, section: move.from.section),
        to: IndexPath(row: move.to.item, section: move.to.section))
    }
  }
}
