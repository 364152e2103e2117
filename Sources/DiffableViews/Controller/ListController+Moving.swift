public import Diffable

extension ListController {
  /// Takes note that the view has moved an item by itself, and moves it in the source.
  ///
  /// For views that let the user drag items and say where one was dropped. What is on display
  /// follows at once. The source follows as after ``commitReorder(named:)``; if the app or the
  /// source refuses, the item goes back. A row of an outline takes along what is folded away below
  /// it.
  ///
  /// - Parameters:
  ///   - origin: Where the item was, in the state on display.
  ///   - target: Where it is now.
  /// - Returns: `false` if the list is at work on something else, follows no source or shows
  ///   nothing of it yet, has no such paths, would move children along that are to be seen, or
  ///   would lose those that are not in a section that is a list: nothing has changed, and the view
  ///   has to be reset.
  public func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool {
    guard !drag.isUnderWay, let (source, revision) = shownSource,
      let item = snapshot.itemIdentifier(for: origin),
      hasRoom(inSectionAt: target.section, for: [item]),
      let destination = destination(ofItemMovedFrom: origin, to: target), turns.takeIfFree()
    else { return false }
    let original = snapshot
    var moved = snapshot
    do throws(SnapshotError) {
      try moved.reorder([item], to: destination)
    } catch {
      turns.pass()
      return false
    }
    guard moved.itemIdentifier(for: target) == item else {
      turns.pass()
      return false
    }
    install(moved)
    Task { await commit([item], to: destination, in: source, at: revision, or: original) }
    return true
  }

  /// Where a row goes that the view has moved alone; `nil` if it cannot have.
  private func destination(
    ofItemMovedFrom origin: ItemPath, to target: ItemPath
  ) -> ReorderDestination<SectionID, ItemID>? {
    // Its children would have to come along, and the view has left them where they were.
    guard disclosure(ofItemAt: origin)?.sign != .expanded else { return nil }
    // The target counts without the item.
    let isBehind = target.section == origin.section && target.item >= origin.item
    let next = ItemPath(section: target.section, item: target.item + (isBehind ? 1 : 0))
    return snapshot.itemIdentifier(for: next).map { .before($0) }
      ?? snapshot.sectionIdentifier(at: target.section).map { .end(of: $0) }
  }

  /// Moves what the view has moved already, for whoever has the turn.
  private func commit(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>,
    in source: any EditableListSource<SectionID, ItemID>, at revision: Revision,
    or original: Snapshot<SectionID, ItemID>
  ) async {
    do {
      if var reordering = try await source.beginReorder(items, at: revision) {
        _ = try reordering.proposed(to: destination)
        if reordering.proposedSnapshot == snapshot {
          drag.begin(reordering)
          if let transaction = try await commitReorder() { moveHandler?(transaction) }
          return
        }
      }
    } catch let error as DataSourceError {
      errorHandler?(.reorderingFailed(error))
      // What was begun has been taken back and has passed the turn on.
      guard drag.isUnderWay || snapshot != original else { return }
    } catch {
      // The destination was on display when the drag began.
    }
    reset(to: original, .items([]))
    turns.pass()
  }
}
