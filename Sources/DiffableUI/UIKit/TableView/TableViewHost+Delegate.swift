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

// MARK: The place on the screen

extension TableViewHost {
  /// What is visible now, without what the insets cover.
  public var viewport: Viewport {
    get {
      var viewport = place
      let inset = tableView.adjustedContentInset
      viewport.observe(
        offset: tableView.contentOffset.y + inset.top,
        length: tableView.bounds.height - inset.top - inset.bottom,
        contentLength: tableView.contentSize.height,
        rows: visibleItemPaths.map { VisibleRow(path: $0, span: span(of: $0)) })
      return viewport
    }
    set { place = newValue }
  }

  /// Scrolls to an anchor.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    tableView.layoutIfNeeded()
    tableView.contentOffset.y = contentOffset(holding: anchor)
    tableView.layoutIfNeeded()
  }

  /// Keeps what a change leaves in place.
  func keep(_ anchor: ListAnchor) {
    guard keepsPosition else { return }
    let offset = contentOffset(holding: anchor)
    guard offset != tableView.contentOffset.y else { return }
    tableView.contentOffset.y = offset
    tableView.layoutIfNeeded()
  }

  private func contentOffset(holding anchor: ListAnchor) -> CGFloat {
    place = viewport
    place.hold(anchor)
    place.settle(contentLength: tableView.contentSize.height) { span(of: $0) }
    return place.offset - tableView.adjustedContentInset.top
  }

  private func span(of path: ItemPath) -> Range<Double> {
    let row = tableView.rectForRow(at: IndexPath(path))
    return row.minY..<max(row.minY, row.maxY)
  }
}
#endif
