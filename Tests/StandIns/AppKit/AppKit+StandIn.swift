import StandInSupport

// What users and the system do.
extension NSScrollView {
  /// A scroll view in a window, around a view.
  package static func showing(_ view: NSView, in window: NSWindow, size: NSSize) -> NSScrollView {
    let scrollView = NSScrollView(frame: NSRect(origin: .zero, size: size))
    scrollView.documentView = view
    window.contentView = scrollView
    return scrollView
  }
}

extension NSScrollView {
  /// The user resizes the window; the document is as wide as it, or as high if it scrolls sideways.
  package func userResizes(to size: NSSize, isHorizontal: Bool = false) {
    frame.size = size
    if isHorizontal {
      documentView?.frame.size.height = size.height
    } else {
      documentView?.frame.size.width = size.width
    }
    tile()
    documentView?.layoutSubtreeIfNeeded()
  }
}

extension NSScrollView {
  /// Time passes while an animated scroll is under way.
  package func timePasses(untilScrollingEnds: Bool) {
    contentView.animateScrolling(toEnd: untilScrollingEnds)
    documentView?.layoutSubtreeIfNeeded()
  }

  /// Whether an animated scroll is under way.
  package var scrollsWithAnimation: Bool { contentView.scrollGoal != nil }
}

extension NSView {
  package func userScrolls(to offset: NSPoint) {
    NotificationCenter.default.post(
      name: NSScrollView.willStartLiveScrollNotification, object: enclosingScrollView)
    scroll(offset)
    layoutSubtreeIfNeeded()
  }
}

extension NSTableView {
  package func userClicks(row: Int) {
    guard delegate?.tableView(self, shouldSelectRow: row) ?? true else { return }
    let isSelected = selectedRowIndexes.contains(row)
    let rows: IndexSet = isSelected ? selectedRowIndexes.subtracting([row]) : [row]
    guard allowsEmptySelection || !rows.isEmpty else { return }
    selectRowIndexes(
      rows, byExtendingSelection: allowsMultipleSelection && !isSelected)
  }

  /// The user drags a column by its header to another place; its views go along.
  package func userMovesColumn(from origin: Int, to target: Int) {
    tableColumns.insert(tableColumns.remove(at: origin), at: target)
    // A group row has one view, over all columns.
    for (id, rowViews) in views where rowViews.count == tableColumns.count {
      var moved = rowViews
      moved.insert(moved.remove(at: origin), at: target)
      views[id] = moved
    }
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

// MARK: Drags

/// What a drag of a user is for the view that it is dropped in.
private final class UserDrag: NSObject, NSDraggingInfo {}

extension NSView {
  /// Whether the view takes something that was put on the pasteboard.
  fileprivate func takes(_ writers: [any NSPasteboardWriting]) -> Bool {
    writers.contains { writer in
      (writer as? NSPasteboardItem)?.strings.keys.contains(where: registeredDraggedTypes.contains)
        == true
    }
  }
}

extension NSTableView {
  /// Takes rows with the pointer; `false` if none may be dragged.
  package func userDrags(rows: IndexSet) -> Bool {
    let writers = rows.compactMap { row in
      dataSource?.tableView(self, pasteboardWriterForRow: row).map { (row, $0) }
    }
    guard takes(writers.map(\.1)) else { return false }
    heldRows = IndexSet(writers.map(\.0))
    dataSource?.tableView(
      self, draggingSession: NSDraggingSession(), willBeginAt: .zero, forRowIndexes: heldRows)
    return true
  }

  /// Moves the pointer; answers whether what is dragged could be dropped.
  package func userMoves(to row: Int, _ operation: NSTableView.DropOperation) -> Bool {
    proposedDrop = (row, operation)
    let answer = dataSource?.tableView(
      self, validateDrop: UserDrag(), proposedRow: row, proposedDropOperation: operation)
    if answer != .move { proposedDrop = nil }
    return proposedDrop != nil
  }

  /// Moves the pointer to where nothing can be dropped.
  package func userLeaves() { proposedDrop = nil }

  /// Lets go of what is dragged; answers whether it was taken.
  package func userDrops() -> Bool {
    defer { (proposedDrop, heldRows) = (nil, []) }
    let isTaken =
      proposedDrop.map { drop in
        dataSource?.tableView(
          self, acceptDrop: UserDrag(), row: drop.row, dropOperation: drop.operation) ?? false
      } ?? false
    dataSource?.tableView(
      self, draggingSession: NSDraggingSession(), endedAt: .zero, operation: isTaken ? .move : [])
    return isTaken
  }
}

extension NSCollectionView {
  /// Takes items with the pointer; `false` if none may be dragged.
  package func userDrags(_ paths: Set<IndexPath>) -> Bool {
    let writers = paths.compactMap { path in
      delegate?.collectionView(self, pasteboardWriterForItemAt: path).map { (path, $0) }
    }
    guard takes(writers.map(\.1)) else { return false }
    heldPaths = Set(writers.map(\.0))
    delegate?.collectionView(
      self, draggingSession: NSDraggingSession(), willBeginAt: .zero, forItemsAt: heldPaths)
    return true
  }

  /// Moves the pointer; answers whether what is dragged could be dropped.
  package func userMoves(
    to path: IndexPath, _ operation: NSCollectionView.DropOperation
  ) -> Bool {
    var proposedPath = NSIndexPath(indexes: [path.section, path.item], length: 2)
    var proposedOperation = operation
    let answer = delegate?.collectionView(
      self, validateDrop: UserDrag(), proposedIndexPath: &proposedPath,
      dropOperation: &proposedOperation)
    guard answer == .move else {
      proposedDrop = nil
      return false
    }
    proposedDrop = (
      IndexPath(
        item: proposedPath.index(atPosition: 1), section: proposedPath.index(atPosition: 0)),
      proposedOperation
    )
    return true
  }

  /// Moves the pointer to where nothing can be dropped.
  package func userLeaves() { proposedDrop = nil }

  /// Lets go of what is dragged; answers whether it was taken.
  package func userDrops() -> Bool {
    defer { (proposedDrop, heldPaths) = (nil, []) }
    let isTaken =
      proposedDrop.map { drop in
        delegate?.collectionView(
          self, acceptDrop: UserDrag(), indexPath: drop.path, dropOperation: drop.operation)
          ?? false
      } ?? false
    delegate?.collectionView(
      self, draggingSession: NSDraggingSession(), endedAt: .zero,
      dragOperation: isTaken ? .move : [])
    return isTaken
  }
}
