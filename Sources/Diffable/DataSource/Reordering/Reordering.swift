/// A drag of items by the user, with a preview of the result.
///
/// A drag is a writer that works on a copy. It starts from the state that its renderer shows,
/// changes that state, and merges it at the end. Until then only that renderer sees the drag, as
/// batches that it shows like any others. They lead from one preview to the next and have no
/// revision.
///
/// While a renderer shows a preview, it requests no batches from the source; a subscriber that does
/// not request batches misses nothing. After the drag, it reverts the preview with ``cancel()`` and
/// continues. Or, after ``commit(named:)``, it shows ``batch(completing:)`` and follows the updates
/// after the token of that batch.
///
/// A drag holds its source. As long as a copy of the drag exists, the source treats it as a
/// subscriber at the revision that the drag started from. So no marks that others set during the
/// drag are lost, however long it takes.
public struct Reordering<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The items that are dragged, in the order of the list.
  ///
  /// In an outline, descendants are dragged with an item. They are not listed, even if the user has
  /// selected them.
  public private(set) var items: [ItemID]
  /// The revision that the drag started from.
  public let base: Revision
  /// The state that the drag started from.
  public let originalSnapshot: Snapshot<SectionID, ItemID>
  /// The state that the renderer of the drag shows.
  public private(set) var proposedSnapshot: Snapshot<SectionID, ItemID>
  /// Where the items would go; `nil` if they stay where they are.
  public private(set) var destination: ReorderDestination<SectionID, ItemID>?
  /// Why the items cannot be dropped at the place that was proposed last; `nil` if they can.
  public private(set) var refusal: ReorderRefusal?

  private let cursor: CursorToken
  private let target: DropTarget<SectionID, ItemID>
  private let reader: RevisionReader<SectionID, ItemID>

  /// The type of the models that the drop can change; `nil` if there are none.
  package var changeableModel: (any Any.Type)? { target.model }

  /// Begins a drag, unless there is nothing to drag or the app does not allow it.
  ///
  /// - Complexity: O(n) to make the lookup table of the revision.
  package init?(
    _ items: some Collection<ItemID>, at revision: Revision?,
    _ reader: RevisionReader<SectionID, ItemID>, _ target: DropTarget<SectionID, ItemID>
  ) throws(DataSourceError) {
    let hub = reader.hub
    let base = revision ?? hub.revision
    let cursor = CursorToken(hub: hub, policy: .coalesced, after: base)
    self.base = base
    self.cursor = cursor
    guard let start = hub.transition(of: cursor.id, through: base)?.base else {
      throw .unknownRevision(base)
    }
    originalSnapshot = Snapshot(start.state.snapshot).resolved
    proposedSnapshot = originalSnapshot
    self.target = target
    self.reader = reader
    let chosen = IdentifierSet(items)
    var places: [ItemPath: ItemID] = [:]
    var unknown: [AnyItemID] = []
    for item in items {
      if let path = originalSnapshot.itemPath(for: item) {
        places[path] = item
      } else if !originalSnapshot.hasAncestor(item, where: chosen.contains) {
        unknown.append(AnyItemID(item))
      }
    }
    guard unknown.isEmpty else { throw .invalidSnapshot(.unknownItem(unknown)) }
    self.items = originalSnapshot.withoutDescendants(
      Array(places).sortedIfNeeded { $0.key }.map(\.value))
    guard !self.items.isEmpty, target.refusal(self.items, nil, originalSnapshot) == nil
    else { return nil }
  }

  /// Lets the items be dropped in the order in which another list shows them.
  package mutating func arrange(_ items: [ItemID]) {
    let known = IdentifierSet(self.items)
    let arranged = IdentifierSet(items.filter(known.contains))
    if arranged.count == known.count { self.items = arranged.inOrder }
  }

  /// Proposes a place for the items.
  ///
  /// If the place is refused, the preview returns to the original order, and ``refusal`` is the
  /// reason. A place next to one of the dragged items, or at a row below one, changes nothing.
  ///
  /// - Returns: What leads from the preview that is shown to the new one, for the renderer of the
  ///   drag only.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` or ``SnapshotError/unknownSection(_:)`` if the
  ///   destination is not in ``originalSnapshot`` or cannot have children. The preview is unchanged then.
  /// - Complexity: O(k · log n) for k dragged of n items.
  public mutating func proposed(
    to destination: ReorderDestination<SectionID, ItemID>
  ) throws(SnapshotError) -> UpdateBatch<SectionID, ItemID> {
    switch destination {
    case .before(let anchor), .after(let anchor), .into(let anchor):
      guard originalSnapshot.containsItem(anchor) else {
        throw .unknownItem([AnyItemID(anchor)])
      }
      guard !originalSnapshot.carries(items, anchor) else { return show(proposedSnapshot) }
    case .end(of: let section):
      guard originalSnapshot.containsSection(section) else {
        throw .unknownSection([AnyItemID(section)])
      }
    }
    var preview = originalSnapshot
    try preview.reorder(items, to: destination)
    if let refusal = target.refusal(items, destination, preview) {
      defer { self.refusal = refusal }
      return cancel()
    }
    preview.takeModels(of: originalSnapshot)
    (self.destination, refusal) = (destination, nil)
    return show(preview)
  }

  /// Reverts the preview to the state that the drag started from.
  ///
  /// - Returns: What leads from the preview to the state that the drag started from.
  /// - Complexity: O(k · log n) for k dragged of n items.
  public mutating func cancel() -> UpdateBatch<SectionID, ItemID> {
    (destination, refusal) = (nil, nil)
    return show(originalSnapshot)
  }

  /// Applies the proposed order to the source, merged with what others have changed meanwhile.
  ///
  /// The rules are the same as in ``Snapshot/merging(_:basedOn:)``. An item that others have
  /// deleted stays deleted. The state that the drag started from remains known, however long the
  /// drag took.
  ///
  /// All ``items`` count as moved, also one that is where it would go already; but if the preview is the
  /// original order, nothing is. A second call makes the same drop again, on what the list is then: it
  /// changes nothing unless others have moved the items since.
  ///
  /// - Parameter name: The name of the change, for undo.
  /// - Returns: The change that was made; `nil` if there is no proposal, or the app vetoes it now.
  ///   Then nothing has changed, and ``cancel()`` restores the order in the renderer.
  /// - Throws: ``DataSourceError``: `finished` or `cancelled`. Nothing changes then.
  /// - Complexity: The cost of merging.
  @discardableResult
  public func commit(
    named name: String? = nil
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    try await commit(named: name, changing: [])
  }

  /// Applies the proposed order, and changes models of the items.
  ///
  /// - Parameter changes: The changes of models; if there are any, no place need be proposed.
  package func commit(
    named name: String?, changing changes: [any DropChange<ItemID>]
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    guard destination != nil || !changes.isEmpty,
      target.refusal(items, destination, proposedSnapshot) == nil
    else { return nil }
    return try await target.write(self, name, changes)
  }

  /// What a renderer that shows the preview still has to show after the commit.
  ///
  /// It is empty unless others have changed something meanwhile. It carries all marks that others
  /// have set since the drag began. Follow the updates after its token.
  ///
  /// - Parameter transaction: What ``commit(named:)`` returned.
  /// - Returns: What leads from the preview to the final state of the transaction, or to the live
  ///   state if the history no longer has the final state.
  /// - Complexity: The cost of finding the difference, which happens off the main executor.
  public func batch(
    completing transaction: Transaction<SectionID, ItemID>
  ) async -> UpdateBatch<SectionID, ItemID> {
    let transition = cursor.hub.transition(of: cursor.id, through: transaction.target)
    guard let transition else { return batch(from: proposedSnapshot, to: originalSnapshot) }
    return await reader.batch(of: transition, from: proposedSnapshot)
  }

  private mutating func show(_ preview: Snapshot<SectionID, ItemID>) -> UpdateBatch<
    SectionID, ItemID
  > {
    defer { proposedSnapshot = preview }
    return batch(from: proposedSnapshot, to: preview)
  }

  private func batch(from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>)
    -> UpdateBatch<SectionID, ItemID>
  {
    // From preview to preview it is the dragged items that move.
    let marks = Snapshot.Marks(
      placing: PlacedRows<SectionID, ItemID>(sections: [], items: items))
    return UpdateBatch(
      epoch: cursor.hub.epoch, base: base, target: base,
      difference: new.difference(fromValid: old, marks: marks),
      previousSnapshot: old, snapshot: new, presentation: .animated)
  }
}

/// A source whose items the user of a renderer can drag.
public protocol ReorderableListSource<SectionID, ItemID>: ListSource {
  /// Begins a drag of items by the user.
  ///
  /// - Parameters:
  ///   - items: The items that are dragged, in any order.
  ///   - revision: The revision that the renderer of the drag shows; `nil` for the live one.
  /// - Returns: The drag, or `nil` if the app does not allow these items to be dragged.
  /// - Throws: ``DataSourceError``: `unknownRevision` if the history does not have the revision,
  ///   `invalidSnapshot` with the items that are not in it.
  nonisolated func beginReorder(
    _ items: some Collection<ItemID> & Sendable, at revision: Revision?
  ) async throws(DataSourceError) -> Reordering<SectionID, ItemID>?
}

extension WritableListSource {
  /// Begins a drag of items by the user.
  ///
  /// - Parameters:
  ///   - items: The items that are dragged, in any order.
  ///   - revision: The revision that the renderer of the drag shows; by default the live one.
  /// - Returns: The drag, or `nil` if the app does not allow these items to be dragged.
  /// - Throws: ``DataSourceError``: `unknownRevision` if the history does not have the revision,
  ///   `invalidSnapshot` with the items that are not in it.
  /// - Complexity: O(n) to make the lookup table of the revision, off the main executor. Previews
  ///   are then cheap on any executor.
  public nonisolated func beginReorder(
    _ items: some Collection<ItemID> & Sendable, at revision: Revision? = nil
  ) async throws(DataSourceError) -> Reordering<SectionID, ItemID>? {
    try Reordering(items, at: revision, reader, DropTarget(self))
  }
}

extension Snapshot {
  /// Moves items, one after another, to where a drag proposes.
  ///
  /// In an outline, their descendants move with them.
  ///
  /// - Complexity: O(k · log n) for k of n items; with outlines, the cost of moving each item.
  package mutating func reorder(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>
  ) throws(SnapshotError) {
    var previous: ItemID?
    for item in items {
      if let previous {
        try moveItem(item, afterItem: previous)
      } else {
        switch destination {
        case .before(let anchor): try moveItem(item, beforeItem: anchor)
        case .after(let anchor): try moveItem(item, afterItem: anchor)
        case .into(let parent): try moveItem(item, intoItem: parent)
        case .end(of: let section): try moveItem(item, toSection: section)
        }
      }
      previous = item
    }
  }

  /// Whether an item is one of some items or, in an outline, a descendant of one.
  package func carries(_ items: [ItemID], _ item: ItemID) -> Bool {
    items.contains(item) || hasAncestor(item, where: items.contains)
  }

  /// Those of some items that move with none of the others: in an outline, a row carries its descendants.
  ///
  /// - Complexity: O(k · d · log n) for k items at depth d among n.
  package func withoutDescendants(_ items: [ItemID]) -> [ItemID] {
    guard base.hasOutlines else { return items }
    let chosen = IdentifierSet(items)
    return items.filter { !hasAncestor($0, where: chosen.contains) }
  }

  fileprivate func hasAncestor(_ item: ItemID, where isSought: (ItemID) -> Bool) -> Bool {
    guard let outline = sectionIdentifier(containingItem: item).flatMap(outline(ofSection:)),
      var position = outline.position(of: item)
    else { return false }
    while let parent = outline.parentPosition(ofRowAt: position) {
      if isSought(outline.rows[parent].id) { return true }
      position = parent
    }
    return false
  }
}

/// Why dragged items cannot be dropped somewhere.
///
/// The app has the words in which a view tells the user.
public enum ReorderRefusal: String, Hashable, Sendable, CaseIterable {
  /// The app does not allow it.
  case vetoed
  /// The list is sorted, so its content decides where rows are.
  case sorted
  /// The list is grouped, and its query does not say how a row gets into another group.
  case otherGroup
  /// The rows of a group belong to different sections of the list that is shown.
  case otherSection
  /// The rows or the place belong to a tree, also one that is shown without its levels.
  case tree
  /// The list shows only the first of several rows, and there it would be another one.
  case hidden
  /// The list shows several others as one.
  case severalSources
  /// The list that is shown cannot be changed.
  case readOnly
}
