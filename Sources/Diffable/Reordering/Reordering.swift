/// Items that the user drags, and where they would go.
///
/// A drag is a writer that works on a copy: it starts from the state that its renderer shows, changes
/// that, and merges it in the end. Until then only that renderer sees anything of it, as batches that
/// it shows like others. They lead from one preview to the next and have no revision of their own.
///
/// While a renderer shows a preview it asks for no batches of the source; a subscriber that does not
/// ask misses nothing. Afterwards it either takes the preview back with ``cancel()`` and goes on, or,
/// after ``commit(named:)``, shows ``batch(completing:)`` and follows the updates after the revision of
/// the transaction.
public struct Reordering<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The items that are dragged, in the order of the list.
  public let items: [ItemID]
  /// The revision that the drag started from.
  public let base: Revision
  /// The state that the drag started from.
  public let originalSnapshot: Snapshot<SectionID, ItemID>
  /// The state that the renderer of the drag shows.
  public private(set) var proposedSnapshot: Snapshot<SectionID, ItemID>
  /// Where the items would go; `nil` if they stay where they are.
  public private(set) var destination: ReorderDestination<SectionID, ItemID>?

  private let source: DataSourceActor<SectionID, ItemID>

  init(
    _ items: [ItemID], base: Revision, snapshot: Snapshot<SectionID, ItemID>,
    source: DataSourceActor<SectionID, ItemID>
  ) {
    self.items = items
    self.base = base
    self.source = source
    originalSnapshot = snapshot
    proposedSnapshot = snapshot
  }

  /// Proposes a place for the items.
  ///
  /// If the app vetoes it, the preview goes back to the original order. A place beside one of the
  /// dragged items is none, and changes nothing.
  ///
  /// - Returns: What leads from the preview that is shown to this one, for the renderer alone.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` or ``SnapshotError/unknownSection(_:)`` if the
  ///   destination is not in ``originalSnapshot``. The preview is unchanged then.
  /// - Complexity: O(k · log n) for k dragged of n items.
  public mutating func proposed(
    to destination: ReorderDestination<SectionID, ItemID>
  ) throws(SnapshotError) -> UpdateBatch<SectionID, ItemID> {
    var preview = originalSnapshot
    switch destination {
    case .before(let anchor), .after(let anchor):
      guard originalSnapshot.containsItem(anchor) else {
        throw .unknownItem([AnyItemID(anchor)])
      }
      guard !items.contains(anchor) else { return show(proposedSnapshot) }
    case .end(of: let section):
      guard originalSnapshot.containsSection(section) else {
        throw .unknownSection([AnyItemID(section)])
      }
    }
    guard source.reordering.canReorder(items, destination) else { return cancel() }
    preview.deleteItems(items)
    switch destination {
    case .before(let anchor): try preview.insertItems(items, beforeItem: anchor)
    case .after(let anchor): try preview.insertItems(items, afterItem: anchor)
    case .end(of: let section): try preview.appendItems(items, toSection: section)
    }
    self.destination = destination
    return show(preview)
  }

  /// Takes the preview back.
  ///
  /// - Returns: What leads from the preview to the state that the drag started from.
  /// - Complexity: O(k · log n) for k dragged of n items.
  public mutating func cancel() -> UpdateBatch<SectionID, ItemID> {
    destination = nil
    return show(originalSnapshot)
  }

  /// Makes the proposed order that of the source, on top of what others have changed meanwhile.
  ///
  /// This is a merge: the rules are those of ``Snapshot/merging(_:basedOn:)``. An item that others have
  /// deleted stays deleted. However long the drag took, the state that it started from is still known.
  ///
  /// - Parameter name: The name of the change, for undo.
  /// - Returns: The change that was made; `nil` if there is no proposal, or the app vetoes it now. Then
  ///   nothing has changed, and ``cancel()`` restores the order in the renderer.
  /// - Throws: ``DataSourceError``: `finished` or `cancelled`. Nothing has changed then.
  /// - Complexity: That of merging.
  @discardableResult
  public func commit(
    named name: String? = nil
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    guard let destination, source.reordering.canReorder(items, destination) else { return nil }
    let transaction = try await source.merge(
      proposedSnapshot, basedOn: originalSnapshot, named: name)
    source.reordering.didReorder(transaction)
    return transaction
  }

  /// What is left to show for a renderer that shows the preview, once it was committed: nothing, unless
  /// others have changed something meanwhile.
  ///
  /// - Parameter transaction: What ``commit(named:)`` returned.
  /// - Returns: What leads from the preview to the final state of the transaction.
  /// - Complexity: That of finding the difference, which happens off the main executor.
  public func batch(
    completing transaction: Transaction<SectionID, ItemID>
  ) async -> UpdateBatch<SectionID, ItemID> {
    Self.batch(
      from: proposedSnapshot, base, to: transaction.finalSnapshot, transaction.revision)
  }

  private mutating func show(
    _ preview: Snapshot<SectionID, ItemID>
  ) -> UpdateBatch<SectionID, ItemID> {
    defer { proposedSnapshot = preview }
    return Self.batch(from: proposedSnapshot, base, to: preview, base)
  }

  private static func batch(
    from old: Snapshot<SectionID, ItemID>, _ base: Revision,
    to new: Snapshot<SectionID, ItemID>, _ target: Revision
  ) -> UpdateBatch<SectionID, ItemID> {
    UpdateBatch(
      base: base, target: target, difference: new.difference(fromValid: old, marks: .init()),
      previousSnapshot: old, snapshot: new, presentation: .animated)
  }
}

extension DataSourceActor {
  /// Begins to reorder items by hand.
  ///
  /// - Parameters:
  ///   - items: The items that are dragged, in any order.
  ///   - revision: The revision that the renderer of the drag shows; the live one if there is none.
  /// - Returns: The drag, or `nil` if the app does not let these items be dragged.
  /// - Throws: ``DataSourceError``: `unknownRevision` if the history does not have the revision,
  ///   `invalidSnapshot` with the items that are not in it.
  /// - Complexity: O(n) to make the lookup table of the revision, which happens off the main executor.
  ///   The previews then cost little wherever they are asked for.
  public nonisolated func beginReorder(
    _ items: some Collection<ItemID> & Sendable, at revision: Revision? = nil
  ) async throws(DataSourceError) -> Reordering<SectionID, ItemID>? {
    let base = revision ?? hub.liveRevision
    guard let state = hub.state(at: base) else { throw .unknownRevision(base) }
    let snapshot = LiveEngine<SectionID, ItemID, NoContent<SectionID, ItemID>>
      .snapshot(of: state).resolved
    var places: [ItemPath: ItemID] = [:]
    var unknown: [AnyItemID] = []
    for item in items {
      if let path = snapshot.itemPath(for: item) {
        places[path] = item
      } else {
        unknown.append(AnyItemID(item))
      }
    }
    guard unknown.isEmpty else { throw .invalidSnapshot(.unknownItem(unknown)) }
    let inOrder = places.sorted { $0.key < $1.key }.map(\.value)
    guard !inOrder.isEmpty, reordering.canReorder(inOrder, nil) else { return nil }
    return Reordering(inOrder, base: base, snapshot: snapshot, source: self)
  }

  func merge(
    _ snapshot: Snapshot<SectionID, ItemID>, basedOn base: Snapshot<SectionID, ItemID>,
    named name: String?
  ) throws(DataSourceError) -> Transaction<SectionID, ItemID> {
    try core.merge(
      (snapshot, NoContent()), basedOn: (base, NoContent()), named: name,
      presentation: .animated)
  }
}
