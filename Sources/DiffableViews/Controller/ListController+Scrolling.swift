import Diffable

/// What stays in place on the screen through the states of a batch.
struct HeldPlace<ItemID: Hashable & Sendable> {
  /// The place, for a path of any state.
  let anchor: ListAnchor
  /// The item whose row it is, by its identifiers before and after the batch; none for an end of the
  /// list.
  let item: (old: ItemID, new: ItemID)?
  /// The offset of the view when it last showed the place; `nil` if it has not shown it.
  var shownOffset: Double?
}

extension ListController {
  /// Scrolls so that an item is at a place on the screen.
  ///
  /// The list measures what comes into view, so the item is at its place even if it was never on the
  /// screen before. An empty list opens at this item, if the next batch with items has it,
  /// and otherwise as if this had not been called. A handler that is called in the middle of an update may
  /// call this: the list scrolls when the view has been updated.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: Where in the visible part it is to be. By default the list scrolls the minimum
  ///     distance.
  ///   - isAnimated: Whether the scrolling should be animated, if the view can do that.
  /// - Returns: Whether the item is on display. Otherwise nothing is scrolled.
  /// - Complexity: O(log n) for n items, given a good hash, and the cost of showing a screen.
  @discardableResult
  public func scroll(
    to item: ItemID, at position: ListScrollPosition = .nearest, isAnimated: Bool = false
  ) -> Bool {
    guard let path = display.path(of: item) else {
      hold(.target(ItemPath(section: 0, item: 0), position), item)
      return false
    }
    let anchor = ListAnchor.target(path, position)
    hold(anchor, item)
    scrollHost(to: anchor, isAnimated)
    return true
  }

  /// Scrolls to the beginning or the end of the list.
  ///
  /// - Parameters:
  ///   - end: The end.
  ///   - isAnimated: Whether the scrolling should be animated, if the view can do that.
  public func scroll(to end: ListEnd, isAnimated: Bool = false) {
    let anchor: ListAnchor = end == .start ? .start : .end
    hold(anchor, nil)
    scrollHost(to: anchor, isAnimated)
  }

  private func scrollHost(to anchor: ListAnchor, _ isAnimated: Bool) {
    // A view cannot be told of rows that it does not have yet.
    guard !isViewBehind else { return awaitedScroll = isAnimated }
    awaitedScroll = nil
    host?.scroll(to: anchor, isAnimated: isAnimated)
    didShowPlace()
  }

  /// Scrolls to the place that a handler has chosen in the middle of an update, if one has.
  func scrollToAwaitedPlace() {
    if let isAnimated = awaitedScroll { scrollHost(to: anchor(in: snapshot), isAnimated) }
  }

  /// Lets a place that the program has chosen stay through what is still to come.
  ///
  /// That is the rest of a batch, and in an empty list the first batch with items.
  private func hold(_ anchor: ListAnchor, _ item: ItemID?) {
    let place = place(anchor, item)
    if heldPlace != nil, item.map({ display.path(of: $0) != nil }) ?? true { heldPlace = place }
    if snapshot.numberOfItems == 0 { openingPlace = place }
  }

  private func place(_ anchor: ListAnchor, _ item: ItemID?) -> HeldPlace<ItemID> {
    HeldPlace(anchor: anchor, item: item.map { (display.oldName(of: $0), display.newName(of: $0)) })
  }
}

/// An end of a list.
public enum ListEnd: String, Hashable, Sendable, CaseIterable {
  /// The beginning.
  case start
  /// The end.
  case end
}

// MARK: What stays in place

extension ListController {
  /// Chooses what stays in place during the batch that is about to be shown.
  ///
  /// It is stored by identifier, to be found in the states between the stages.
  func holdPlace(through difference: SnapshotDifference, _ presentation: Presentation) {
    (host as? any SectionScrollingHost)?.holdSections(through: difference)
    guard let host, openingPlace == nil else { return heldPlace = openingPlace }
    let anchor = host.viewport.anchor(
      through: difference, of: SnapshotDifference.Extent(snapshot.base),
      keepsPlace: presentation == .inPlace)
    heldPlace = place(anchor, anchor.path.flatMap(snapshot.itemIdentifier(for:)))
  }

  /// Chooses again what stays in place if the reader has scrolled since the last stage.
  ///
  /// - Parameters:
  ///   - end: The state after the batch.
  ///   - batch: The batch whose next stage is about to be shown.
  func followReader(
    to end: Snapshot<SectionID, ItemID>, of batch: UpdateBatch<SectionID, ItemID>
  ) async {
    guard hasReaderScrolled else { return }
    let shown = snapshot
    let rest = await Task.detached(priority: Task.currentPriority) {
      end.difference(from: shown, renaming: batch.renamedItems)
    }.value
    holdPlace(through: rest, batch.presentation)
  }

  private var hasReaderScrolled: Bool {
    guard let offset = heldPlace?.shownOffset, let viewport = host?.viewport else { return false }
    // A view that is still scrolling to a row goes on.
    if case .target = viewport.anchor { return false }
    return viewport.offset != offset
  }

  /// Records that the host has scrolled to what stays in place.
  func didShowPlace() { heldPlace?.shownOffset = host?.viewport.offset }

  /// What stays in place, for a state of the batch.
  func anchor(in snapshot: Snapshot<SectionID, ItemID>) -> ListAnchor {
    guard let heldPlace else { return .offset }
    guard let item = heldPlace.item else { return heldPlace.anchor }
    let path = snapshot.itemPath(for: item.old) ?? snapshot.itemPath(for: item.new)
    return path.map(heldPlace.anchor.moved) ?? .offset
  }
}

extension Snapshot {
  /// What changed for the rows of an older state, if items may have got other identifiers.
  ///
  /// - Complexity: That of a difference; O(1) if there were no rows.
  func difference(
    from old: Snapshot, renaming renamed: [ItemRename<ItemID>]
  ) -> SnapshotDifference {
    guard old.numberOfItems > 0 else { return SnapshotDifference() }
    var marks = Marks()
    marks.rename(renamed)
    return difference(fromValid: old, marks: marks)
  }
}
