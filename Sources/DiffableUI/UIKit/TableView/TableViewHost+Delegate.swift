#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import DiffableViews
public import UIKit

/// Your own delegate calls these methods from its methods of the same names.
extension TableViewHost: UITableViewDelegate {
  /// Reports to the content that the user selected an item.
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    content?.didSelectItem(at: ItemPath(indexPath))
  }

  /// Reports to the content that the user deselected an item.
  public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
    content?.didDeselectItem(at: ItemPath(indexPath))
  }

  /// The target of a dragged row, as ``targetForMove`` returns it.
  public func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath {
    let origin = ItemPath(sourceIndexPath)
    drag.proceed(at: origin, in: content)
    return targetForMove.map { IndexPath($0(origin, ItemPath(proposedDestinationIndexPath))) }
      ?? proposedDestinationIndexPath
  }

  /// The header that the content returns; `nil` if it has none.
  public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
    view(ofKind: Self.headerKind, section)
  }

  /// The footer that the content returns; `nil` if it has none.
  public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
    view(ofKind: Self.footerKind, section)
  }

  /// Every kind of table asks for headers and footers of all sections.
  private func view(ofKind kind: String, _ section: Int) -> UIView? {
    guard let content, content.hasSupplementaryViews(ofKind: kind) else { return nil }
    do throws(ListError) {
      return try content.supplementaryView(ofKind: kind, for: ItemPath(section: section, item: 0))
    } catch {
      // A table shows no placeholders for headers, but their titles or nothing.
      return nil
    }
  }

  /// Selects exactly these items.
  public func showSelection(_ paths: Set<ItemPath>) {
    let shown = Set((tableView.indexPathsForSelectedRows ?? []).map { ItemPath($0) })
    for path in shown.subtracting(paths) {
      tableView.deselectRow(at: IndexPath(path), animated: false)
    }
    for path in paths.subtracting(shown) {
      tableView.selectRow(at: IndexPath(path), animated: false, scrollPosition: .none)
    }
  }
}

// MARK: Anchors

extension TableViewHost {
  /// The visible rows, unless the view is scrolled to its beginning.
  public var anchors: [ListAnchor] {
    let offset = tableView.contentOffset.y
    guard keepsPosition, offset > -tableView.adjustedContentInset.top else { return [] }
    return visibleItemPaths.map { path in
      let row = tableView.rectForRow(at: IndexPath(path))
      return ListAnchor(path: path, position: Double(row.minY - offset))
    }
  }

  /// Scrolls a row to its place, as far as the table is long enough.
  func scroll(to anchor: ListAnchor?) {
    guard let anchor else { return }
    let row = tableView.rectForRow(at: IndexPath(anchor.path))
    let inset = tableView.adjustedContentInset
    let last = max(
      -inset.top, tableView.contentSize.height + inset.bottom - tableView.bounds.height)
    let offset = min(max(-inset.top, row.minY - anchor.position), last)
    guard offset != tableView.contentOffset.y else { return }
    tableView.contentOffset.y = offset
    tableView.layoutIfNeeded()
  }
}
#endif
