public import Diffable

extension DerivedSource: ReorderableListSource {
  /// Begins a drag of rows by the user, which changes the followed source.
  ///
  /// A drag means something there in these cases:
  ///
  /// - Rows are not sorted, and are moved before or after another row of their group: they are moved
  ///   before or after that row in the followed source, if they are in its section there.
  /// - Rows are moved to another group, and the query has ``ListQuery/onMove(_:)``: their models
  ///   change. If rows are not sorted, they are also moved, to a row of that group which is not dragged.
  /// - Rows are moved to another section that the followed source has too.
  ///
  /// If the query is ``ListQuery/distinct(id:by:)``, a row stays the first of those with its key.
  ///
  /// Any other place is refused, and `Reordering.refusal` is the reason: in a tree that the query makes
  /// or shows, each place, also for rows that the followed source hides; and each place next to a row of
  /// a tree of the followed source. The app's handlers of the followed source can veto a place as well.
  ///
  /// While the preview shows rows where they are dragged, a sorted list shows them where they belong
  /// after the drop.
  ///
  /// - Parameters:
  ///   - items: The rows that are dragged, in any order.
  ///   - revision: The revision that the renderer of the drag shows; by default that of the current
  ///     state.
  /// - Returns: The drag, or `nil` if the followed source does not allow these rows to be dragged.
  /// - Throws: `DataSourceError`: `unknownRevision` if the history does not have the revision,
  ///   `invalidSnapshot` with the items that are not in it or, unless they are in a tree here, not shown
  ///   by the followed source.
  /// - Complexity: O(n + m) to make the lookup tables for n rows here and m in the followed source.
  public nonisolated func beginReorder(
    _ items: some Collection<ItemID> & Sendable, at revision: Revision? = nil
  ) async throws(DataSourceError) -> Reordering<SectionID, ItemID>? {
    var revision = revision
    if revision == nil { revision = await current.revision }
    guard let revision, let target = try await dropTarget(Array(items), at: revision) else {
      return nil
    }
    return try Reordering(items, at: revision, reader, target)
  }

  /// What decides about a drag of rows; `nil` if they must not be dragged.
  private func dropTarget(
    _ items: [ItemID], at revision: Revision
  ) async throws(DataSourceError) -> DropTarget<SectionID, ItemID>? {
    guard let dragged else { return .refusing(feeds.count > 1 ? .severalSources : .readOnly) }
    let moves = moves
    guard let start = reader.snapshot(at: revision) else { throw .unknownRevision(revision) }
    let base: (any BaseDrag<ItemID>)?
    do throws(DataSourceError) {
      base = try await dragged.beginDrag(of: items, at: baseRevision(of: revision))
    } catch {
      // A tree refuses every place, also for rows that the followed source hides or has no more.
      guard moves.traits.isTree, case .invalidSnapshot = error else { throw error }
      return .refusing(.tree)
    }
    guard let base else { return nil }
    let rivals = items.map { RowRivals(item: $0, rivals: chain.rivals(of: $0)) }
      .filter { !$0.rivals.isEmpty }
    return dropTarget(base, moves, from: start.resolved, before: rivals)
  }

  private func dropTarget(
    _ base: some BaseDrag<ItemID>, _ moves: RowMoves<SectionID, ItemID>,
    from start: Snapshot<SectionID, ItemID>, before rivals: [RowRivals<ItemID>]
  ) -> DropTarget<SectionID, ItemID> {
    DropTarget(model: base.model) { items, destination, _ in
      guard let destination else { return nil }
      let move = moves.move(items, to: destination, in: start, base, before: rivals)
      if case .refused(let refusal) = move { return refusal }
      return nil
    } write: { drag, name, changes async throws(DataSourceError) in
      var (place, changes) = (BasePlace<ItemID>?.none, changes)
      if let destination = drag.destination {
        guard
          case .allowed(let allowed, let section) = moves.move(
            drag.items, to: destination, in: start, base, before: rivals)
        else { return nil }
        place = allowed
        if let section, let change = moves.change { changes.append(change(section)) }
      }
      let before = await self.current
      var change: UndoableChange?
      // Without a place and a change, the rows are where they are dropped.
      if place != nil || !changes.isEmpty {
        guard
          let made = try await base.commit(drag.items, to: place, named: name, changing: changes)
        else { return nil }
        change = made.change
      }
      let after = await self.current
      return Transaction(
        from: before.snapshot, to: after.snapshot, at: after.revision, change, named: name,
        Contradictions(), placing: PlacedRows(sections: [], items: drag.items))
    }
  }
}

/// What a drag in the result of a query means in the source that the query shows.
struct RowMoves<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  let traits: QueryTraits
  let change: (@Sendable (SectionID) -> any DropChange<ItemID>)?

  /// Whether the rows are in an order of the query.
  private var isSorted: Bool {
    traits.order != nil || traits.isRanked || traits.isRegrouped
  }

  /// A move in the followed source.
  enum Move {
    case refused(ReorderRefusal)
    /// - Parameter section: The section whose change is made in the models; `nil` for none.
    case allowed(BasePlace<ItemID>?, section: SectionID?)
  }

  /// The move for a drop in a state of the derived source.
  func move(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>,
    in shown: Snapshot<SectionID, ItemID>, _ base: some BaseDrag<ItemID>,
    before rivals: [RowRivals<ItemID>]
  ) -> Move {
    guard !traits.isTree, let section = section(of: destination, in: shown) else {
      return .refused(.tree)
    }
    for item in items {
      guard let baseSection = base.section(of: item) else { return .refused(.readOnly) }
      if base.isTree(section: baseSection) { return .refused(.tree) }
    }
    let isElsewhere = items.contains { shown.sectionIdentifier(containingItem: $0) != section }
    // Another section may decide otherwise which row is the first.
    let mayBeHidden = isElsewhere && traits.isDistinctAmongGroups && !rivals.isEmpty
    let place: BasePlace<ItemID>?
    switch (traits.isGrouped, isElsewhere) {
    case (_, false):
      if isSorted { return .refused(.sorted) }
      place = self.place(of: items, at: destination, in: shown)
      if let place, !isNear(place, items, base) { return .refused(.otherSection) }
    case (true, true):
      guard let change, change(section).model == base.model else { return .refused(.otherGroup) }
      if mayBeHidden { return .refused(.hidden) }
      // Where the query decides about the place, only the group changes.
      place =
        isSorted
        ? nil
        : self.place(of: items, at: destination, in: shown)
          .flatMap { isNear($0, items, base) ? $0 : nil }
    case (false, true):
      if mayBeHidden { return .refused(.hidden) }
      place = isSorted ? .end(of: section) : self.place(of: items, at: destination, in: shown)
    }
    if let place, base.isInTree(place) { return .refused(.tree) }
    if let place, let refusal = base.refusal(of: items, to: place, before: rivals) {
      return .refused(refusal)
    }
    return .allowed(place, section: isElsewhere && change != nil ? section : nil)
  }

  /// The section of a destination; `nil` below a row.
  private func section(
    of destination: ReorderDestination<SectionID, ItemID>, in shown: Snapshot<SectionID, ItemID>
  ) -> SectionID? {
    switch destination {
    case .before(let anchor), .after(let anchor): shown.sectionIdentifier(containingItem: anchor)
    case .into: nil
    case .end(of: let section): section
    }
  }

  /// The place in the followed source; `nil` if there is no row that tells.
  private func place(
    of items: [ItemID], at destination: ReorderDestination<SectionID, ItemID>,
    in shown: Snapshot<SectionID, ItemID>
  ) -> BasePlace<ItemID>? {
    switch destination {
    case .before(let anchor), .into(let anchor): return .before(anchor)
    case .after(let anchor): return .after(anchor)
    case .end(of: let section):
      // A row after it may be hidden by the query.
      let dragged = IdentifierSet(items)
      let last = shown.items(inSection: section).last { !dragged.contains($0) }
      if let last { return .after(last) }
      return traits.isGrouped ? nil : .end(of: section)
    }
  }

  /// Whether a place is in the section that the items have in the followed source.
  private func isNear(
    _ place: BasePlace<ItemID>, _ items: [ItemID], _ base: some BaseDrag<ItemID>
  ) -> Bool {
    guard traits.isGrouped else { return true }
    switch place {
    case .before(let anchor), .after(let anchor):
      let section = base.section(of: anchor)
      return items.allSatisfy { base.section(of: $0) == section }
    case .end: return true
    }
  }
}

extension ListQuery {
  /// What a drag in its result means.
  var moves: RowMoves<SectionID, ItemID> { RowMoves(traits: traits, change: moveChange) }
}
