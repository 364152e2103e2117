#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
import Diffable
import DiffableViews

extension NSTableViewHost {
  /// What represents the item of a row on the pasteboard; `nil` if it may not be dragged.
  public func tableView(
    _ tableView: NSTableView, pasteboardWriterForRow row: Int
  ) -> (any NSPasteboardWriting)? {
    guard case .item(let path)? = rows.element(inRow: row), canReorderItem?(path) == true else {
      return nil
    }
    return ItemDrags.pasteboardWriter()
  }

  /// Reports to the content which items the user drags.
  public func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forRowIndexes rowIndexes: IndexSet
  ) {
    let paths = rowIndexes.compactMap { row in
      if case .item(let path)? = rows.element(inRow: row) { path } else { nil }
    }
    drags.begin(paths, in: content)
  }

  /// Returns whether the items can be dropped: between two rows, and after the first header.
  public func tableView(
    _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
    proposedDropOperation dropOperation: NSTableView.DropOperation
  ) -> NSDragOperation {
    guard drags.isBegun, rows.dropPath(aboveRow: row) != nil else { return [] }
    let target = max(row, rows.headerCount)
    if target != row || dropOperation != .above {
      tableView.setDropRow(target, dropOperation: .above)
    }
    return .move
  }

  /// Reports to the content where the user has dropped the items.
  public func tableView(
    _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
    dropOperation: NSTableView.DropOperation
  ) -> Bool {
    rows.dropPath(aboveRow: row).map { drags.drop(at: $0) } ?? false
  }

  /// Reports to the content that the drag is over.
  public func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, operation: NSDragOperation
  ) {
    drags.end()
  }
}
#endif
