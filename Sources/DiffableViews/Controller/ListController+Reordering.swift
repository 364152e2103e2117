public import Diffable

extension ListController {
  /// The items that the user drags, in the order of the list; empty without a drag.
  public var reorderedItems: [ItemID] { drag.items }

  /// Why the dragged items cannot be dropped where they are proposed; `nil` if they can.
  public var reorderRefusal: ReorderRefusal? { drag.refusal }

  /// Begins a drag of items by the user.
  ///
  /// From now on the list shows what is proposed, and no batch of the source, until the drag is
  /// committed or cancelled. Changes in the meantime are shown then. The current batch is shown
  /// completely first.
  ///
  /// - Parameter items: The items that are dragged. Those that are not on display are left out.
  /// - Returns: Whether the drag has begun. It has not if the app does not allow these items to be
  ///   dragged, if there are no items, if the list follows no source or shows nothing of it yet, if
  ///   another drag is under way or about to begin, or if the drag is committed or cancelled, or the task
  ///   is, before it could begin.
  /// - Throws: `DataSourceError.unknownRevision` if the history of the source no longer has the
  ///   revision on display.
  public func beginReorder(
    _ items: some Sequence<ItemID>
  ) async throws(DataSourceError) -> Bool {
    // A batch under way is shown completely first, and renames some of them.
    let items = newNames(of: Array(items))
    return try await drag.begin { () throws(DataSourceError) in
      // The list has the turn, so this state stays on display.
      let (dragged, hasChildren) = await Self.draggable(items, in: snapshot)
      guard !dragged.isEmpty, let (source, revision) = shownSource,
        let reordering = try await source.beginReorder(dragged, at: revision)
      else { return nil }
      return (reordering, hasChildren)
    }
  }

  /// The items that are on display, and whether any of them has children.
  private static func draggable(
    _ items: [ItemID], in snapshot: Snapshot<SectionID, ItemID>
  ) async -> (items: [ItemID], haveChildren: Bool) {
    await Task.detached(priority: Task.currentPriority) {
      let shown = items.filter { snapshot.itemPath(for: $0) != nil }
      return (shown, shown.contains { snapshot.disclosure(of: $0)?.isExpandable == true })
    }.value
  }

  /// Shows where the dragged items would be dropped.
  ///
  /// Returns when that is on the screen. If several proposals wait for the current one, only the
  /// newest is shown. If the place is refused, the original order is shown, ``reorderRefusal`` is the
  /// reason, and ``refusalHandler`` receives it. Without a drag it does nothing.
  ///
  /// - Throws: `SnapshotError.unknownItem` or `SnapshotError.unknownSection` if the destination was
  ///   not there when the drag began. Nothing changes then.
  public func proposeReorder(
    to destination: ReorderDestination<SectionID, ItemID>
  ) async throws(SnapshotError) {
    let former = drag.refusal
    try await drag.propose(to: destination, show(inTurn:))
    if let refusal = drag.refusal, refusal != former { refusalHandler?(refusal) }
  }

  /// Applies the proposed order to the source, merged with what others have changed meanwhile.
  ///
  /// Returns when the result is on the screen. If nothing is proposed, or the app vetoes it, the
  /// order from before the drag is shown. A drag that has not begun yet does not begin.
  ///
  /// - Parameter name: The name of the change, for undo.
  /// - Returns: The change that was made; `nil` if there was none.
  /// - Throws: What `Reordering.commit(named:)` throws. The order from before the drag is shown
  ///   then.
  @discardableResult
  public func commitReorder(
    named name: String? = nil
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    if drag.callOff() { return nil }
    return try await commitBegunDrag(named: name)
  }

  /// Commits a drag that has begun, whatever the user does meanwhile.
  func commitBegunDrag(
    named name: String? = nil
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try await drag.commit(named: name, show(inTurn:))
  }

  /// Cancels the drag, and continues following the source.
  ///
  /// A drag that has not begun yet does not begin.
  public func cancelReorder() async {
    if drag.callOff() { return }
    await drag.cancel(show(inTurn:))
  }
}
