public import Diffable

extension ListController {
  /// The items that the user drags, in the order of the list; none where nobody drags.
  public var reorderedItems: [ItemID] { drag.items }

  /// Begins to reorder items by hand.
  ///
  /// From now on the list shows what is proposed, and no batch of the source, until the drag is
  /// committed or cancelled; what is written meanwhile comes then. A batch under way is shown to its
  /// end first.
  ///
  /// - Parameter items: The items that are dragged. Those that are not on display are left out.
  /// - Returns: Whether the drag has begun. It has not if the app does not let these items be dragged,
  ///   if there are none, if the list follows no source or shows nothing of it yet, or if another drag
  ///   is under way.
  /// - Throws: `DataSourceError.unknownRevision` if the history of the source no longer has the
  ///   revision on display.
  public func beginReorder(
    _ items: some Sequence<ItemID>
  ) async throws(DataSourceError) -> Bool {
    let items = Array(items)
    guard !drag.isUnderWay else { return false }
    await turns.take()
    let dragged = items.filter { snapshot.itemPath(for: $0) != nil }
    guard !dragged.isEmpty, let (source, revision) = shownSource else {
      turns.pass()
      return false
    }
    do throws(DataSourceError) {
      guard let reordering = try await source.beginReorder(dragged, at: revision) else {
        turns.pass()
        return false
      }
      drag.begin(reordering)
      return true
    } catch {
      turns.pass()
      throw error
    }
  }

  /// Shows where the dragged items would go.
  ///
  /// Returns when that is on the screen. Of several proposals that wait for the one under way only
  /// the newest is shown. Without a drag it does nothing.
  ///
  /// - Throws: `SnapshotError.unknownItem` or `SnapshotError.unknownSection` if the destination was
  ///   not there when the drag began. Nothing has changed then.
  public func proposeReorder(
    to destination: ReorderDestination<SectionID, ItemID>
  ) async throws(SnapshotError) {
    try await drag.propose(to: destination, show(inTurn:))
  }

  /// Makes the proposed order that of the source, on top of what others have changed meanwhile.
  ///
  /// Returns when the result is on the screen. Where nothing is proposed, or the app vetoes it, the
  /// order is that of before the drag.
  ///
  /// - Parameter name: The name of the change, for undo.
  /// - Returns: The change that was made; `nil` if none was.
  /// - Throws: What `Reordering.commit(named:)` throws. The order is that of before the drag.
  @discardableResult
  public func commitReorder(
    named name: String? = nil
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try await drag.commit(named: name, show(inTurn:))
  }

  /// Takes back what was proposed, and goes on following the source.
  public func cancelReorder() async {
    await drag.cancel(show(inTurn:))
  }
}

// MARK: What a host tells

extension ListController {
  /// Begins to reorder the items at some paths; answers whether they may be dragged.
  ///
  /// What goes wrong is told to the ``errorHandler``.
  public func beginReorderingItems(at paths: [ItemPath]) async -> Bool {
    do throws(DataSourceError) {
      return try await beginReorder(paths.compactMap(snapshot.itemIdentifier(for:)))
    } catch {
      errorHandler?(.reorderingFailed(error))
      return false
    }
  }

  /// Proposes to insert the dragged items in front of the item at a path, or at the end of the
  /// section.
  ///
  /// A section that is a list has no room for what stands below a row of an outline. So rows that have
  /// something below them do not go there, and what was proposed before stays.
  public func proposeReordering(to path: ItemPath) async {
    guard hasRoom(inSectionAt: path.section, for: reorderedItems) else { return }
    let destination: ReorderDestination<SectionID, ItemID>
    if let item = snapshot.itemIdentifier(for: path) {
      destination = .before(item)
    } else if let section = snapshot.sectionIdentifier(at: path.section) {
      destination = .end(of: section)
    } else {
      return
    }
    // What is on display during a drag was there when it began.
    try? await proposeReorder(to: destination)
  }

  /// Answers whether some items can go to a section without losing what stands below them.
  func hasRoom(inSectionAt section: Int, for items: [ItemID]) -> Bool {
    snapshot.outline(ofSectionAt: section) != nil
      || !items.contains { disclosure(of: $0)?.isExpandable == true }
  }

  /// Commits a drag, or takes it back.
  ///
  /// What goes wrong is told to the ``errorHandler``.
  public func endReordering(isCommitted: Bool) async {
    guard isCommitted else { return await cancelReorder() }
    do throws(DataSourceError) {
      try await commitReorder()
    } catch {
      errorHandler?(.reorderingFailed(error))
    }
  }
}
