/// Items that the user drags, and where they would go.
///
/// A drag is a writer that works on a copy: it starts from the state that its renderer shows, changes
/// that, and merges it in the end. Until then only that renderer sees anything of it, as batches that
/// it shows like others. They lead from one preview to the next and have no revision of their own.
///
/// While a renderer shows a preview it asks for no batches of the source; a subscriber that does not
/// ask misses nothing. Afterwards it either takes the preview back with ``cancel()`` and goes on, or,
/// after ``commit(named:)``, shows ``batch(completing:)`` and follows the updates after the token of
/// that.
///
/// A drag holds its source, and a place at the revision that it started from: to the source it is one
/// more subscriber, as long as any copy of it is there. So nothing that others mark meanwhile is
/// forgotten, however long the drag takes.
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

  private let cursor: CursorToken
  private let handlers: ReorderingHandlers<SectionID, ItemID>
  private let merge: Merging
  private let findBatch:
    @Sendable (HubTransition, Snapshot<SectionID, ItemID>) async -> UpdateBatch<SectionID, ItemID>

  /// Merges a preview of some items, based on the state that the drag started from and its revision,
  /// under a name.
  typealias Merging =
    @Sendable (
      [ItemID], Snapshot<SectionID, ItemID>, Snapshot<SectionID, ItemID>, Revision, String?
    ) async throws(DataSourceError) -> Transaction<
      SectionID, ItemID
    >

  /// Begins a drag, unless there is nothing to drag or the app does not let it be dragged.
  ///
  /// - Complexity: O(n) to make the lookup table of the revision.
  init?(
    _ items: some Collection<ItemID>, at revision: Revision?,
    _ reader: RevisionReader<SectionID, ItemID>,
    handlers: ReorderingHandlers<SectionID, ItemID>, merge: @escaping Merging
  ) throws(DataSourceError) {
    let hub = reader.hub
    let base = revision ?? hub.withMachine { $0.revision }
    let cursor = CursorToken(hub: hub, policy: .coalesced, after: base)
    self.base = base
    self.cursor = cursor
    guard let start = hub.withMachine({ $0.transition(of: cursor.id, through: base) })?.base else {
      throw .unknownRevision(base)
    }
    originalSnapshot = RevisionReader<SectionID, ItemID>.snapshot(of: start.state).resolved
    proposedSnapshot = originalSnapshot
    self.handlers = handlers
    self.merge = merge
    findBatch = { await reader.batch(of: $0, from: $1) }
    var places: [ItemPath: ItemID] = [:]
    var unknown: [AnyItemID] = []
    for item in items {
      if let path = originalSnapshot.itemPath(for: item) {
        places[path] = item
      } else {
        unknown.append(AnyItemID(item))
      }
    }
    guard unknown.isEmpty else { throw .invalidSnapshot(.unknownItem(unknown)) }
    self.items = places.sorted { $0.key < $1.key }.map(\.value)
    guard !self.items.isEmpty, handlers.canReorder(self.items, nil, originalSnapshot)
    else { return nil }
  }

  /// Proposes a place for the items.
  ///
  /// If the app vetoes it, the preview goes back to the original order. A place beside one of the
  /// dragged items is none, and changes nothing.
  ///
  /// - Returns: What leads from the preview that is shown to this one, for the renderer alone.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` or ``SnapshotError/unknownSection(_:)`` if the
  ///   destination is not in ``originalSnapshot``, or has no room for items below it, and
  ///   ``SnapshotError/cyclicMove(_:)`` if an item would go below itself. The preview is unchanged
  ///   then.
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
    guard handlers.canReorder(items, destination, preview) else { return cancel() }
    preview.takeModels(of: originalSnapshot)
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
    guard let destination, handlers.canReorder(items, destination, proposedSnapshot) else {
      return nil
    }
    let transaction = try await merge(items, proposedSnapshot, originalSnapshot, base, name)
    handlers.didReorder(transaction)
    return transaction
  }

  /// What is left to show for a renderer that shows the preview, once it was committed: nothing, unless
  /// others have changed something meanwhile.
  ///
  /// It carries all that others have marked since the drag began. Follow the updates after its token.
  ///
  /// - Parameter transaction: What ``commit(named:)`` returned.
  /// - Returns: What leads from the preview to the final state of the transaction, or to the live state
  ///   if the history no longer has that.
  /// - Complexity: That of finding the difference, which happens off the main executor.
  public func batch(
    completing transaction: Transaction<SectionID, ItemID>
  ) async -> UpdateBatch<SectionID, ItemID> {
    await batch(of: transition(completing: transaction))
  }

  /// The way from where the drag began to the end of a transaction, or further; `nil` if the source is
  /// gone, which this drag prevents.
  func transition(completing transaction: Transaction<SectionID, ItemID>) -> HubTransition? {
    cursor.hub.withMachine { $0.transition(of: cursor.id, through: transaction.revision) }
  }

  func batch(of transition: HubTransition?) async -> UpdateBatch<SectionID, ItemID> {
    guard let transition else {
      return batch(from: proposedSnapshot, to: originalSnapshot)
    }
    return await findBatch(transition, proposedSnapshot)
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
    UpdateBatch(
      epoch: cursor.hub.epoch, base: base, target: base,
      difference: new.difference(fromValid: old, marks: .init()),
      previousSnapshot: old, snapshot: new, presentation: .animated)
  }
}
