/// developer.apple.com/documentation/appkit/nstableviewdatasource
public protocol NSTableViewDataSource: NSObjectProtocol {
  /// developer.apple.com/documentation/appkit/nstableviewdatasource/numberofrows(in:)
  @MainActor func numberOfRows(in tableView: NSTableView) -> Int
  /// developer.apple.com/documentation/appkit/nstableviewdatasource/tableview(_:pasteboardwriterforrow:)
  @MainActor func tableView(
    _ tableView: NSTableView, pasteboardWriterForRow row: Int
  ) -> (any NSPasteboardWriting)?
  /// developer.apple.com/documentation/appkit/nstableviewdatasource/tableview(_:draggingsession:willbeginat:forrowindexes:)
  @MainActor func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forRowIndexes rowIndexes: IndexSet)
  /// developer.apple.com/documentation/appkit/nstableviewdatasource/tableview(_:validatedrop:proposedrow:proposeddropoperation:)
  @MainActor func tableView(
    _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
    proposedDropOperation dropOperation: NSTableView.DropOperation
  ) -> NSDragOperation
  /// developer.apple.com/documentation/appkit/nstableviewdatasource/tableview(_:acceptdrop:row:dropoperation:)
  @MainActor func tableView(
    _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
    dropOperation: NSTableView.DropOperation
  ) -> Bool
  /// developer.apple.com/documentation/appkit/nstableviewdatasource/tableview(_:draggingsession:endedat:operation:)
  @MainActor func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, operation: NSDragOperation)
}

// Optional requirements.
extension NSTableViewDataSource {
  @MainActor public func numberOfRows(in tableView: NSTableView) -> Int { 0 }
  @MainActor public func tableView(
    _ tableView: NSTableView, pasteboardWriterForRow row: Int
  ) -> (any NSPasteboardWriting)? { nil }
  @MainActor public func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forRowIndexes rowIndexes: IndexSet
  ) {}
  @MainActor public func tableView(
    _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
    proposedDropOperation dropOperation: NSTableView.DropOperation
  ) -> NSDragOperation { [] }
  @MainActor public func tableView(
    _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
    dropOperation: NSTableView.DropOperation
  ) -> Bool { false }
  @MainActor public func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, operation: NSDragOperation
  ) {}
}

/// developer.apple.com/documentation/appkit/nstableviewdelegate
public protocol NSTableViewDelegate: NSControlTextEditingDelegate {
  /// developer.apple.com/documentation/appkit/nstableviewdelegate/tableview(_:viewfor:row:)
  @MainActor func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int)
    -> NSView?
  /// developer.apple.com/documentation/appkit/nstableviewdelegate/tableview(_:isgrouprow:)
  @MainActor func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool
  /// developer.apple.com/documentation/appkit/nstableviewdelegate/tableview(_:shouldselectrow:)
  @MainActor func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool
  /// developer.apple.com/documentation/appkit/nstableviewdelegate/tableviewselectiondidchange(_:)
  @MainActor func tableViewSelectionDidChange(_ notification: Notification)
}

// Optional requirements.
extension NSTableViewDelegate {
  @MainActor public func tableView(
    _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
  ) -> NSView? { nil }
  @MainActor public func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool { false }
  @MainActor public func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool {
    true
  }
  @MainActor public func tableViewSelectionDidChange(_ notification: Notification) {}
}
