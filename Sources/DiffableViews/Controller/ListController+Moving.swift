package import Diffable

extension ListController {
  /// Records that the view has moved an item by itself, and moves the item in the source.
  ///
  /// Use it for views that let the user drag items and report where one was dropped. The state on
  /// display changes at once, and the source as after ``commitReorder(named:)``. If the app or the
  /// source rejects the move, the item moves back, and ``refusalHandler`` receives the reason. The
  /// hidden descendants of a collapsed row move with it.
  ///
  /// - Parameters:
  ///   - origin: The old path of the item, in the state on display.
  ///   - target: Its new path.
  /// - Returns: `false` if nothing has changed and the view has to be reset. The reasons: the list
  ///   is busy, follows no source, or shows nothing of it yet; a path does not exist; the row has
  ///   visible children, which would have to move along; or it has hidden ones, which a flat
  ///   section cannot hold.
  package func didMoveItem(from origin: ItemPath, to target: ItemPath) -> Bool {
    guard !drag.isUnderWay, let (source, revision) = shownSource,
      let item = snapshot.itemIdentifier(for: origin),
      snapshot.outline(ofSectionAt: target.section) != nil
        || disclosure(of: item)?.isExpandable != true,
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
    var difference = SnapshotDifference()
    difference.itemMoves = [Move(from: origin, to: target)]
    install(moved, through: difference)
    Task {
      await commit(item, movedTo: target, destination, in: source, at: revision, or: original)
    }
    return true
  }

  /// The destination of a row that the view has moved alone; `nil` if that is impossible.
  private func destination(
    ofItemMovedFrom origin: ItemPath, to target: ItemPath
  ) -> ReorderDestination<SectionID, ItemID>? {
    // Its children would have to move along, but the view has left them where they were.
    guard disclosure(ofItemAt: origin)?.sign != .expanded,
      target.item <= snapshot.items(inSectionAt: target.section).count
    else { return nil }
    // The target is counted without the item.
    let isBehind = target.section == origin.section && target.item >= origin.item
    let next = ItemPath(section: target.section, item: target.item + (isBehind ? 1 : 0))
    return snapshot.itemIdentifier(for: next).map { .before($0) }
      ?? snapshot.sectionIdentifier(at: target.section).map { .end(of: $0) }
  }

  /// Commits what the view has moved already; the caller must have the turn.
  private func commit(
    _ item: ItemID, movedTo target: ItemPath,
    _ destination: ReorderDestination<SectionID, ItemID>,
    in source: any ReorderableListSource<SectionID, ItemID>, at revision: Revision,
    or original: Snapshot<SectionID, ItemID>
  ) async {
    var hasBegun = false
    do {
      if var reordering = try await source.beginReorder([item], at: revision) {
        _ = try reordering.proposed(to: destination)
        if let refusal = reordering.refusal { refusalHandler?(refusal) }
        // The drag started from the state that was on display, so it shows the same now.
        if reordering.refusal == nil,
          reordering.proposedSnapshot.itemIdentifier(for: target) == item
        {
          hasBegun = true
          drag.begin(reordering)
          if let transaction = try await commitBegunDrag() {
            reorderHandler?(transaction)
          } else {
            // The app has changed its mind.
            refusalHandler?(.vetoed)
          }
          return
        }
      } else {
        // The app lets nobody drag the item.
        refusalHandler?(.vetoed)
      }
    } catch let error as DataSourceError {
      errorHandler?(.reorderingFailed(error))
      // The drag has been cancelled and has passed the turn on.
      guard !hasBegun else { return }
    } catch {
      // The destination was on display when the drag began.
    }
    let difference = original.difference(from: snapshot, renaming: [])
    holdPlace(through: difference, .immediate)
    reset(to: original, through: difference)
    heldPlace = nil
    releaseFormerStates()
    turns.pass()
  }
}
