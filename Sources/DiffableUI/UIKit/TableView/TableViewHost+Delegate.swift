#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import DiffableViews
public import UIKit

/// Your own delegate calls these methods from its methods of the same names.
extension TableViewHost: UITableViewDelegate {
  /// Reports to the content that the user selected an item.
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    content?.didSelectItems(at: [ItemPath(indexPath)])
  }

  /// Reports to the content that the user deselected an item.
  public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
    content?.didDeselectItems(at: [ItemPath(indexPath)])
  }

  /// The target of a dragged row, as ``targetForReorder`` returns it.
  public func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath {
    let origin = ItemPath(sourceIndexPath)
    drag.proceed(at: origin, in: content)
    return targetForReorder.map { IndexPath($0(origin, ItemPath(proposedDestinationIndexPath))) }
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
  public func showSelection(_ paths: ItemPathSet) {
    let shown = ItemPathSet((tableView.indexPathsForSelectedRows ?? []).map { ItemPath($0) })
    for path in shown.subtracting(paths) {
      tableView.deselectRow(at: IndexPath(path), animated: false)
    }
    for path in paths.subtracting(shown) {
      tableView.selectRow(at: IndexPath(path), animated: false, scrollPosition: .none)
    }
  }
}

extension TableViewHost: SelectingHost {
  /// Whether several rows may be selected now.
  package var allowsMultipleSelection: Bool {
    tableView.isEditing
      ? tableView.allowsMultipleSelectionDuringEditing : tableView.allowsMultipleSelection
  }
}

// MARK: The place on the screen

extension TableViewHost: ScrollingHost {
  /// What is visible now, without what the insets cover.
  public var viewport: Viewport {
    get { currentViewport }
    set { setViewport(newValue) }
  }

  /// Scrolls to an anchor.
  public func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    if tableView.delegate === self { place.reportsScrolling = true }
    scroll(tableView, to: anchor, isAnimated: isAnimated)
  }

  /// Follows where the user scrolls.
  public func scrollViewDidScroll(_ scrollView: UIScrollView) { didScroll(layoutObserver) }

  /// Ends an animated scroll exactly at its goal.
  public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
    didEndScrollingAnimation()
  }

  /// Lets the user interrupt an animated scroll.
  public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { willBeginDragging() }

  /// Keeps a list at its end that sticks to it, if bars or a keyboard cover another part of it.
  public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) { follow() }

  var scrollState: ScrollState {
    let (bounds, inset) = (tableView.bounds, tableView.adjustedContentInset)
    return ScrollState(
      origin: Double(bounds.minY), width: Double(bounds.width), height: Double(bounds.height),
      insets: .init(start: Double(inset.top), end: Double(inset.bottom)),
      contentLength: Double(tableView.contentSize.height))
  }

  func span(of path: ItemPath) -> Range<Double>? {
    let row = tableView.rectForRow(at: IndexPath(path))
    return rowSpan(from: Double(row.minY), to: Double(row.maxY))
  }

  func sight(in state: ScrollState) -> Sight {
    let paths = (tableView.indexPathsForRows(in: tableView.bounds) ?? []).map { ItemPath($0) }
    let rows = paths.compactMap { path in
      span(of: path).map { VisibleRow(path: path, span: $0) }
    }
    return Sight(rows: rows, covered: coveredLengths(rows, in: state))
  }

  /// A plain table pins the header of its first section on the screen, and the footer of the last one.
  private func coveredLengths(_ rows: [VisibleRow], in state: ScrollState) -> Viewport.Covered {
    guard tableView.style == .plain, let first = rows.first?.path.section,
      let last = rows.last?.path.section
    else { return Viewport.Covered() }
    let (top, bottom) = (tableView.rect(forSection: first), tableView.rect(forSection: last))
    let header = Double(tableView.rectForHeader(inSection: first).height)
    let footer = Double(tableView.rectForFooter(inSection: last).height)
    let end = state.offset + state.length
    return Viewport.Covered(
      start: Double(top.minY) < state.offset
        ? max(0, min(header, Double(top.maxY) - state.offset)) : 0,
      end: Double(bottom.maxY) > end ? max(0, min(footer, end - Double(bottom.minY))) : 0)
  }

  func stopScrolling() { stopScrolling(tableView) }

  func scroll(toOrigin origin: Double) {
    tableView.contentOffset.y = CGFloat(origin)
    tableView.layoutIfNeeded()
  }
}
#endif
