import StandInSupport

// What users and the system do.
extension NSScrollView {
  /// A scroll view in a window, around a view.
  package static func showing(_ view: NSView, in window: NSWindow, height: CGFloat) -> NSScrollView
  {
    let scrollView = NSScrollView(frame: NSRect(x: 0, y: 0, width: 100, height: height))
    scrollView.documentView = view
    window.contentView = scrollView
    return scrollView
  }
}

extension NSView {
  package func userScrolls(to offset: NSPoint) {
    scroll(offset)
    layoutSubtreeIfNeeded()
  }
}

extension NSTableView {
  package func userClicks(row: Int) {
    guard delegate?.tableView(self, shouldSelectRow: row) ?? true else { return }
    let isSelected = selectedRowIndexes.contains(row)
    selectRowIndexes(
      isSelected ? selectedRowIndexes.subtracting([row]) : [row],
      byExtendingSelection: allowsMultipleSelection && !isSelected)
  }
}

extension NSCollectionView {
  package func userClicks(at indexPath: IndexPath) {
    let former = allowsMultipleSelection ? [] : selectionIndexPaths.subtracting([indexPath])
    selectionIndexPaths = selectionIndexPaths.subtracting(former).union([indexPath])
    if !former.isEmpty { delegate?.collectionView(self, didDeselectItemsAt: former) }
    delegate?.collectionView(self, didSelectItemsAt: [indexPath])
  }
}
