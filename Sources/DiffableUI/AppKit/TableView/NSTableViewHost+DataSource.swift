#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Diffable
import DiffableViews

extension NSTableViewHost {
  /// Answers what the view asks, with what its host has on display, and lets rows be dragged.
  ///
  /// The host holds it; so it is gone with the host, and the view then has no data source.
  @MainActor
  final class DataSource: NSObject {
    private(set) weak var host: NSTableViewHost?

    init(of host: NSTableViewHost) { self.host = host }
  }
}

extension NSTableViewHost.DataSource: NSTableViewDataSource {
  /// The number of items and headers on display.
  func numberOfRows(in tableView: NSTableView) -> Int {
    guard let host, host.content != nil else { return 0 }
    return host.rows.count
  }

  /// What represents the item of a row on the pasteboard; `nil` if it may not be dragged.
  func tableView(
    _ tableView: NSTableView, pasteboardWriterForRow row: Int
  ) -> (any NSPasteboardWriting)? {
    guard let host, case .item(let path)? = host.rows.element(inRow: row),
      host.canReorderItem?(path) == true
    else { return nil }
    return ItemDrags.pasteboardWriter()
  }

  /// Reports to the content which items the user drags.
  func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forRowIndexes rowIndexes: IndexSet
  ) {
    guard let host else { return }
    let paths = rowIndexes.compactMap { row in
      if case .item(let path)? = host.rows.element(inRow: row) { path } else { nil }
    }
    host.drags.begin(paths, in: host.content)
  }

  /// Returns whether the items can be dropped: between two rows, and after the first header.
  func tableView(
    _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
    proposedDropOperation dropOperation: NSTableView.DropOperation
  ) -> NSDragOperation {
    guard let host, host.drags.isBegun, host.rows.dropPath(aboveRow: row) != nil else { return [] }
    let target = max(row, host.rows.headerCount)
    if target != row || dropOperation != .above {
      tableView.setDropRow(target, dropOperation: .above)
    }
    return .move
  }

  /// Reports to the content where the user has dropped the items.
  func tableView(
    _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
    dropOperation: NSTableView.DropOperation
  ) -> Bool {
    guard let host, let path = host.rows.dropPath(aboveRow: row) else { return false }
    return host.drags.drop(at: path)
  }

  /// Reports to the content that the drag is over.
  func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, operation: NSDragOperation
  ) {
    host?.drags.end()
  }
}
#endif
