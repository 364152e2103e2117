public import Diffable

extension ListController {
  /// Takes note that the view has moved an item by itself, and moves it in the source.
  ///
  /// For views that let the user drag items and say where one was dropped. What is on display follows at
  /// once. The source follows as after ``commitReorder(named:)``; if the app or the source refuses, the
  /// item goes back.
  ///
  /// - Parameters:
  ///   - origin: Where the item was, in the state on display.
  ///   - target: Where it is now.
  /// - Returns: `false` if the list is at work on something else, follows no source, has no such
  ///   paths, or would move children along: nothing has changed, and the view has to be reset.
  public func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool {
    guard reordering == nil, let source = follower.source, let revision,
      let item = snapshot.itemIdentifier(for: origin), turns.takeIfFree()
    else { return false }
    let original = snapshot
    var moved = snapshot
    moved.deleteItems([item])
    let destination: ReorderDestination<SectionID, ItemID>
    do throws(SnapshotError) {
      if let next = moved.itemIdentifier(for: target) {
        destination = .before(next)
        try moved.insertItems([item], beforeItem: next)
      } else if let section = moved.sectionIdentifier(at: target.section) {
        destination = .end(of: section)
        try moved.appendItems([item], toSection: section)
      } else {
        throw .unknownItem([AnyItemID(item)])
      }
      // A row of an outline takes its children along, and the view has moved it alone.
      guard moved.numberOfItems == original.numberOfItems else {
        throw .unknownItem([AnyItemID(item)])
      }
    } catch {
      turns.pass()
      return false
    }
    snapshot = moved
    Task { await commit([item], to: destination, in: source, at: revision, or: original) }
    return true
  }

  /// Moves what the view has moved already, for whoever has the turn.
  private func commit(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>,
    in source: DataSourceActor<SectionID, ItemID>, at revision: Revision,
    or original: Snapshot<SectionID, ItemID>
  ) async {
    do {
      if var drag = try await source.beginReorder(items, at: revision) {
        _ = try drag.proposed(to: destination)
        if drag.proposedSnapshot == snapshot {
          reordering = drag
          if let transaction = try await commitReorder() { moveHandler?(transaction) }
          return
        }
      }
    } catch let error as DataSourceError {
      errorHandler?(.reorderingFailed(error))
      // What was begun has been taken back and has passed the turn on.
      guard reordering != nil || snapshot != original else { return }
    } catch {
      // The destination was on display when the drag began.
    }
    reset(to: original, [])
    turns.pass()
  }
}
